//! JSON scanner for simple events, the most frequent in a stream: reads a few members in place.
//!
//! Accepts a subset of JSON. Anything outside it must be read by `serde_json`, which also reports
//! what is wrong.

use std::borrow::Cow;

/// A position in a JSON document. Each method reads what it is named after, or returns `None`.
pub(super) struct Scanner<'a> {
    json: &'a str,
    at: usize,
}

impl<'a> Scanner<'a> {
    pub(super) fn new(json: &'a str) -> Self {
        Self { json, at: 0 }
    }

    /// Returns the next byte that is not white space.
    fn peek(&mut self) -> Option<u8> {
        loop {
            match *self.json.as_bytes().get(self.at)? {
                b' ' | b'\n' | b'\r' | b'\t' => self.at += 1,
                byte => return Some(byte),
            }
        }
    }

    pub(super) fn byte(&mut self, byte: u8) -> Option<()> {
        (self.peek()? == byte).then(|| self.at += 1)
    }

    /// Matches the end of the document.
    pub(super) fn end(&mut self) -> Option<()> {
        self.peek().is_none().then_some(())
    }

    pub(super) fn word(&mut self, word: &str) -> Option<()> {
        self.peek()?;
        let rest = self.json.as_bytes().get(self.at..)?;
        rest.starts_with(word.as_bytes())
            .then(|| self.at += word.len())
    }

    /// Begins something that may occur only once; `None` the second time.
    pub(super) fn once(&mut self, seen: &mut bool) -> Option<&mut Self> {
        (!std::mem::replace(seen, true)).then_some(self)
    }

    /// Reads a value, and returns its source text.
    pub(super) fn measured(
        &mut self,
        take: impl FnOnce(&mut Self) -> Option<()>,
    ) -> Option<&'a str> {
        self.peek()?;
        let start = self.at;
        take(self)?;
        self.json.get(start..self.at)
    }

    pub(super) fn null(&mut self) -> Option<()> {
        self.word("null")
    }

    pub(super) fn string(&mut self) -> Option<Cow<'a, str>> {
        self.byte(b'"')?;
        let start = self.at;
        let rest = self.json.as_bytes().get(start..)?;
        let special = |byte: &u8| matches!(byte, b'"' | b'\\' | ..b' ');
        let plain = rest.iter().position(special)?;
        if rest.get(plain) == Some(&b'"') {
            self.at = start + plain + 1;
            return self.json.get(start..start + plain).map(Cow::Borrowed);
        }
        let mut end = start + plain;
        loop {
            match *self.json.as_bytes().get(end)? {
                b'"' => break,
                b'\\' => end += 2,
                _ => end += 1,
            }
        }
        self.at = end + 1;
        let quoted = self.json.get(start - 1..=end)?;
        serde_json::from_str(quoted).ok().map(Cow::Owned)
    }

    /// Reads and skips a string, an integer or a literal.
    pub(super) fn scalar(&mut self) -> Option<()> {
        match self.peek()? {
            b'"' => self.string().map(drop),
            b'n' => self.null(),
            b't' => self.word("true"),
            b'f' => self.word("false"),
            b'0' => self.byte(b'0'),
            b'1'..=b'9' => {
                let rest = self.json.as_bytes().get(self.at..)?;
                let digits = rest.iter().position(|byte| !byte.is_ascii_digit())?;
                self.at += digits;
                Some(())
            }
            _ => None,
        }
    }

    /// Reads an object; `member` reads the value of each member.
    pub(super) fn object(
        &mut self,
        mut member: impl FnMut(&mut Self, &str) -> Option<()>,
    ) -> Option<()> {
        self.byte(b'{')?;
        if self.byte(b'}').is_some() {
            return Some(());
        }
        loop {
            let name = self.string()?;
            self.byte(b':')?;
            member(self, &name)?;
            if self.byte(b',').is_none() {
                return self.byte(b'}');
            }
        }
    }
}

/// Pieces of JSON, valid and invalid.
#[cfg(test)]
const PIECES: [&str; 19] = [
    "", "\"", "\\", ",", ":", "{", "}", "[", "]", "0", "1", "-", ".", "n", "null", " ", "\n",
    "\u{1}", "é",
];

/// All strings that differ from `json` in one place: with a piece of JSON, or one of the given
/// members, inserted before a character or replacing it.
#[cfg(test)]
pub(super) fn variations<'a>(json: &'a str, members: &'a [&str]) -> impl Iterator<Item = String> {
    json.char_indices().flat_map(move |(place, old)| {
        let (head, tail) = json.split_at(place);
        let rest = tail.strip_prefix(old).unwrap();
        let with = move |piece: &&str| [tail, rest].map(|end| format!("{head}{piece}{end}"));
        PIECES.iter().chain(members).flat_map(with)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether the input is read to its end as an object of scalars.
    fn takes(json: &str) -> bool {
        let mut scanner = Scanner::new(json);
        let taken = scanner.object(|scanner, _| scanner.scalar());
        taken.and_then(|()| scanner.end()).is_some()
    }

    #[test]
    fn nothing_but_json_is_accepted() {
        let good = [
            "{}",
            " { } ",
            r#"{"a":1,"b":0,"c":null,"d":true,"e":false,"f":"x","":"é🦀"}"#,
            "{\n\t\"a\" : \"\\n\\\"\\u00e9\\ud83e\\udd80\" ,\r\n\"b\" : 10 }",
        ];
        for json in good {
            assert!(takes(json), "{json}");
            for text in variations(json, &[]) {
                let is_json = serde_json::from_str::<serde_json::Value>(&text).is_ok();
                assert!(is_json || !takes(&text), "{text}");
            }
        }
        for json in [
            "{\"a\":1",
            "{\"a\"",
            "{\"a",
            "{",
            "{\"a\":1.5}",
            "{\"a\":[]}",
            "{\"a\":{}}",
            "{\"a\":-1}",
            "[]",
            "1",
            "",
        ] {
            assert!(!takes(json), "{json}");
        }
    }
}
