//! Fast path for request bodies: parses a flat object of strings, integers, `true`, `false` and
//! `null` in one pass.
//!
//! Anything else is left to `serde_json`, and so is every error: refusals are worded in one place.
//! A string is scanned once, eight bytes at a time; it is copied only if it has escapes, and then
//! directly to its destination.

use std::borrow::Cow;

use super::Scalar;
use crate::{json_string, scan};

/// Maximum number of digits of a number parsed here: they always fit.
const DIGITS_MAX: usize = 18;

/// Parses an object, and passes on its members until one is rejected. `None` if the body is not
/// flat.
pub(super) fn read<'de>(
    body: &'de [u8],
    mut take: impl FnMut(&[u8], Scalar<'de>) -> Option<()>,
) -> Option<()> {
    let mut cursor = Cursor { bytes: body, at: 0 };
    cursor.pass(b'{')?;
    if cursor.next() == b'}' {
        cursor.at += 1;
        return cursor.end();
    }
    loop {
        let name = cursor.name()?;
        cursor.pass(b':')?;
        let value = cursor.value()?;
        take(name, value)?;
        match cursor.next() {
            b',' => cursor.at += 1,
            b'}' => {
                cursor.at += 1;
                return cursor.end();
            }
            _ => return None,
        }
    }
}

struct Cursor<'de> {
    bytes: &'de [u8],
    at: usize,
}

impl<'de> Cursor<'de> {
    /// The byte after white space; zero at the end.
    fn next(&mut self) -> u8 {
        loop {
            let byte = self.bytes.get(self.at).copied().unwrap_or_default();
            if !matches!(byte, b' ' | b'\n' | b'\r' | b'\t') {
                return byte;
            }
            self.at += 1;
        }
    }

    fn pass(&mut self, byte: u8) -> Option<()> {
        (self.next() == byte).then(|| self.at += 1)
    }

    fn end(mut self) -> Option<()> {
        self.next();
        (self.at == self.bytes.len()).then_some(())
    }

    fn rest(&self) -> &'de [u8] {
        self.bytes.get(self.at..).unwrap_or_default()
    }

    /// Parses a name without escapes, which is compared with the known ones.
    fn name(&mut self) -> Option<&'de [u8]> {
        self.pass(b'"')?;
        let rest = self.rest();
        let end = rest
            .iter()
            .position(|byte| matches!(byte, b'"' | b'\\' | 0..0x20))?;
        // Exactly here: white space before the quote would be a part of the name.
        if rest.get(end) != Some(&b'"') {
            return None;
        }
        self.at += end + 1;
        rest.get(..end)
    }

    fn value(&mut self) -> Option<Scalar<'de>> {
        match self.next() {
            b'"' => self.string().map(Scalar::Text),
            b'0'..=b'9' => self.number(),
            b't' => self.word(b"true", Scalar::Bool(true)),
            b'f' => self.word(b"false", Scalar::Bool(false)),
            b'n' => self.word(b"null", Scalar::Null),
            _ => None,
        }
    }

    fn word(&mut self, word: &[u8], value: Scalar<'de>) -> Option<Scalar<'de>> {
        self.rest().starts_with(word).then(|| {
            self.at += word.len();
            value
        })
    }

    /// Parses a number of a few digits and nothing else.
    fn number(&mut self) -> Option<Scalar<'de>> {
        let rest = self.rest();
        let digits = rest.iter().take_while(|byte| byte.is_ascii_digit());
        let length = digits.count();
        let has_leading_zero = length > 1 && rest.first() == Some(&b'0');
        let goes_on = matches!(rest.get(length), Some(b'.' | b'e' | b'E'));
        if length > DIGITS_MAX || has_leading_zero || goes_on {
            return None;
        }
        self.at += length;
        let digits = rest.iter().take(length);
        let value = digits.fold(0, |value: i64, digit| value * 10 + i64::from(digit - b'0'));
        Some(Scalar::Integer(value.into()))
    }

    /// Parses a string, borrowed if it has no escapes.
    fn string(&mut self) -> Option<Cow<'de, str>> {
        self.at += 1;
        let start = self.at;
        let stop = plain_end(self.bytes, start);
        match self.bytes.get(stop)? {
            b'"' => {
                self.at = stop + 1;
                let text = self.bytes.get(start..stop)?;
                str::from_utf8(text).ok().map(Cow::Borrowed)
            }
            b'\\' => {
                let (text, end) = unescaped(self.bytes, start, stop)?;
                self.at = end;
                String::from_utf8(text).ok().map(Cow::Owned)
            }
            _ => None,
        }
    }
}

/// Position of the quote, backslash or control character that ends plain text, or the end of the
/// bytes.
fn plain_end(bytes: &[u8], mut at: usize) -> usize {
    const CHUNK: usize = 32;
    while let Some(chunk) = bytes.get(at..).and_then(<[u8]>::first_chunk::<CHUNK>)
        && json_string::is_plain(chunk)
    {
        at += CHUNK;
    }
    loop {
        let run = scan::run(scan::string_stops(scan::word(bytes, at)));
        at += run;
        if run < scan::WORD {
            return at.min(bytes.len());
        }
    }
}

/// Decodes a string that begins at `start` and has its first escape at `at`; also returns the
/// position after its closing quote.
fn unescaped(bytes: &[u8], start: usize, mut at: usize) -> Option<(Vec<u8>, usize)> {
    // No escape is shorter than its decoded form.
    let mut text = Vec::with_capacity(bytes.len() - start + scan::WORD);
    text.extend_from_slice(bytes.get(start..at)?);
    loop {
        // A word is copied whole, which takes one instruction; excess bytes are then removed.
        let word = scan::word(bytes, at);
        let run = scan::run(scan::string_stops(word));
        let length = text.len() + run;
        text.extend_from_slice(&word.to_le_bytes());
        text.truncate(length);
        at += run;
        if run == scan::WORD {
            continue;
        }
        match scan::byte_of(word, run) {
            b'\\' => {}
            b'"' => return Some((text, at + 1)),
            _ => return None,
        }
        let short = short_escape(bytes.get(at + 1).copied()?);
        if short == 0 {
            let (character, after) = long_escape(bytes, at)?;
            let mut utf8 = [0; 4];
            text.extend_from_slice(character.encode_utf8(&mut utf8).as_bytes());
            at = after;
        } else {
            text.push(short);
            at += 2;
        }
    }
}

/// Decodes a letter after a backslash; zero for invalid ones, and for `u`.
const fn short_escape(letter: u8) -> u8 {
    match letter {
        b'"' | b'\\' | b'/' => letter,
        b'b' => 0x08,
        b'f' => 0x0C,
        b'n' => b'\n',
        b'r' => b'\r',
        b't' => b'\t',
        _ => 0,
    }
}

/// Decodes an escape `\uXXXX`, or a pair of them; also returns the position after it.
fn long_escape(bytes: &[u8], at: usize) -> Option<(char, usize)> {
    let high = unit(bytes, at)?;
    if let Some(character) = char::from_u32(high) {
        return Some((character, at + 6));
    }
    let low = unit(bytes, at + 6)?;
    let units = [u16::try_from(high).ok()?, u16::try_from(low).ok()?];
    let mut characters = char::decode_utf16(units);
    Some((characters.next()?.ok()?, at + 12))
}

/// UTF-16 code unit of an escape.
fn unit(bytes: &[u8], at: usize) -> Option<u32> {
    let [b'\\', b'u', digits @ ..] = bytes.get(at..)?.first_chunk::<6>()? else {
        return None;
    };
    digits.iter().try_fold(0, |unit, digit| {
        let digit = char::from(*digit).to_digit(16)?;
        Some(unit << 4 | digit)
    })
}

#[cfg(test)]
mod tests {
    use std::fmt;

    use proptest::prelude::*;
    use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};

    use super::*;

    /// Members of an object as `serde_json` parses them.
    #[derive(Debug, PartialEq)]
    struct Members<'de>(Vec<(String, Scalar<'de>)>);

    impl<'de> Deserialize<'de> for Members<'de> {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            deserializer.deserialize_map(MembersVisitor)
        }
    }

    struct MembersVisitor;

    impl<'de> Visitor<'de> for MembersVisitor {
        type Value = Members<'de>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an object")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
            let mut members = Vec::new();
            while let Some(member) = map.next_entry()? {
                members.push(member);
            }
            Ok(Members(members))
        }
    }

    /// Whether a body is parsed here; the result must equal that of `serde_json`.
    fn is_plain(body: &[u8]) -> bool {
        let mut members = Vec::new();
        let read = read(body, |name, value| {
            members.push((str::from_utf8(name).ok()?.to_owned(), value));
            Some(())
        });
        if read.is_some() {
            let expected = serde_json::from_slice(body).ok();
            assert_eq!(Some(Members(members)), expected, "{}", body.escape_ascii());
        }
        read.is_some()
    }

    #[test]
    fn typical_client_bodies_take_the_fast_path() {
        for body in [
            "{}",
            " { } \n",
            r#"{"text":"abc","n":12,"yes":true,"no":false,"none":null}"#,
            r#"{ "text" : "a\"\\\/\b\f\n\r\tz" }"#,
            r#"{"text":"é\u00e9\uD834\udd1e\u0000"}"#,
            r#"{"text":"a","text":"b"}"#,
            r#"{"n":0,"m":999999999999999999}"#,
            &format!(r#"{{"text":"{}\n{}"}}"#, "a".repeat(70), "b".repeat(70)),
        ] {
            assert!(is_plain(body.as_bytes()), "{body}");
        }
    }

    #[test]
    fn possible_errors_are_left_to_serde_json() {
        for body in [
            "",
            "{",
            "[]",
            "null",
            "{}x",
            r#"{"a":1,}"#,
            r#"{"a":01}"#,
            r#"{"a":-1}"#,
            r#"{"a":1.5}"#,
            r#"{"a":1e2}"#,
            r#"{"a":1000000000000000000}"#,
            r#"{"a":[]}"#,
            r#"{"a":{}}"#,
            r#"{"\u0061":1}"#,
            r#"{"a":"\ud800"}"#,
            r#"{"a":"\ud800\u0041"}"#,
            r#"{"a":"\x"}"#,
            r#"{"a":"\u00g0"}"#,
            r#"{"a":"b"#,
            r#"{"a":"b\"#,
            "{\"a\":\"\n\"}",
            "{\"a\":\"\\n\n\"}",
            "{\"a\":tru}",
            "{\"a\n\":1}",
            "{\"a\r\t\":\"b\"}",
            "\u{FEFF}{}",
        ] {
            assert!(!is_plain(body.as_bytes()), "{body}");
        }
        assert!(!is_plain(b"{\"a\":\"\xFF\"}"));
        assert!(!is_plain(b"{\"a\":\"\\n\xFF\"}"));
    }

    proptest! {
        #[test]
        fn any_text_is_read_as_serde_json_reads_it(
            text in "[ -~\u{0}-\u{1f}é漢😀\"\\\\]{0,120}",
            before in "[ \n\t]{0,3}",
        ) {
            let text = serde_json::to_string(&text).unwrap();
            let body = format!("{before}{{\"text\":{before}{text}}}");
            prop_assert!(is_plain(body.as_bytes()));
        }

        #[test]
        fn all_bytes_are_read_as_serde_json_reads_them(
            body in r#"\{("[a-z]{0,2}":("([a-z]{0,12}|\\["nux/]|[0-9a-fD]{4}){0,9}"|[0-9]{1,3}|null),?){0,2}\}"#,
            defect in prop::option::of((0_usize..60, any::<u8>())),
        ) {
            let mut body = body.into_bytes();
            if let Some((at, byte)) = defect && let Some(slot) = body.get_mut(at) {
                *slot = byte;
            }
            is_plain(&body);
        }
    }
}
