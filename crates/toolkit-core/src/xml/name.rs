//! Qualified names: Namespaces in XML 1.0 §4, on the names of XML 1.0 §2.3.

use super::character::{is_name, is_name_start};
use super::errors::Defect;
use crate::echo::Echo;

/// A name with at most one colon: `title`, or `dc:title`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Name<'a> {
    text: &'a str,
    /// Length of the part before the colon, in bytes.
    prefix_length: Option<usize>,
}

impl<'a> Name<'a> {
    /// Parses `text` as a qualified name.
    pub(super) fn new(text: &'a str) -> Result<Self, Defect> {
        if text.is_empty() || run(text).len() < text.len() {
            let what = format!("{} is not an XML name", Echo(text));
            return Err(Defect::new(what).with_hint(
                "a name holds letters, digits, `_`, `-` and `.`, and starts with a letter or `_`",
            ));
        }
        Self::of_run(text)
    }

    /// Parses a name at the start of `text`, if there is one.
    pub(super) fn leading(text: &'a str) -> Result<Option<Self>, Defect> {
        match run(text) {
            "" => Ok(None),
            run => Self::of_run(run).map(Some),
        }
    }

    /// Parses a [`run`], which has only name characters and colons, as a qualified name.
    fn of_run(text: &'a str) -> Result<Self, Defect> {
        let prefix_length = text.bytes().position(|byte| byte == b':');
        let name = Self { text, prefix_length };
        let local = name.local();
        let is_sound = starts_name(local)
            && (prefix_length.is_none() || starts_name(name.prefix()) && !local.contains(':'));
        if is_sound {
            return Ok(name);
        }
        let what = format!("{} is not an XML name", Echo(text));
        Err(Defect::new(what).with_hint(if prefix_length.is_some() {
            "a colon stands once, between a prefix and a name"
        } else {
            "a name starts with a letter or `_`"
        }))
    }

    /// The name as written.
    pub(super) const fn text(self) -> &'a str {
        self.text
    }

    /// The part before the colon, or an empty string.
    pub(super) fn prefix(self) -> &'a str {
        let length = self.prefix_length.unwrap_or(0);
        &self.text[..length]
    }

    /// The part after the colon, or the whole name.
    pub(super) fn local(self) -> &'a str {
        let start = self.prefix_length.map_or(0, |length| length + 1);
        &self.text[start..]
    }

    /// Whether there is a colon.
    pub(super) const fn is_prefixed(self) -> bool {
        self.prefix_length.is_some()
    }
}

fn starts_name(text: &str) -> bool {
    text.chars().next().is_some_and(is_name_start)
}

/// The longest run of name characters and colons at the start of `text`. It may be empty, and need
/// not be a name.
fn run(text: &str) -> &str {
    let is_in_run = |character| is_name(character) || character == ':';
    let end = text.find(|character| !is_in_run(character));
    &text[..end.unwrap_or(text.len())]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_qualified_name_has_a_prefix_and_a_local_part() {
        for (text, prefix, local) in [
            ("title", "", "title"),
            ("dc:title", "dc", "title"),
            ("_", "", "_"),
            ("größe.x-1", "", "größe.x-1"),
            ("名:前", "名", "前"),
            ("𝀲", "", "𝀲"),
        ] {
            let name = Name::new(text).unwrap();
            assert_eq!((name.prefix(), name.local(), name.text()), (prefix, local, text));
        }
    }

    #[test]
    fn invalid_qualified_names_are_refused() {
        for text in [
            "", " ", "1a", "-a", ".a", "a b", "a@", ":", ":a", "a:", "a:b:c", "a:1", "a::b", "·a",
            "<a", "a/", "\u{300}a", "\0",
        ] {
            assert!(Name::new(text).is_err(), "{text:?}");
        }
    }

    #[test]
    fn a_run_ends_where_no_name_goes_on() {
        assert_eq!(run("a:b='1'"), "a:b");
        assert_eq!(run("größe='1'"), "größe");
        assert_eq!(run("a×b"), "a");
        assert_eq!(run("='1'"), "");
        assert_eq!(run("abc"), "abc");
    }

    #[test]
    fn the_leading_name_is_the_longest_one() {
        for (text, name, prefix) in [
            ("a='1'", "a", ""),
            ("a", "a", ""),
            ("p:a>", "p:a", "p"),
            ("p:a", "p:a", "p"),
            ("aé>", "aé", ""),
            ("p:é>", "p:é", "p"),
            ("é:a>", "é:a", "é"),
            ("a×", "a", ""),
        ] {
            let leading = Name::leading(text).unwrap().unwrap();
            assert_eq!((leading.text(), leading.prefix()), (name, prefix), "{text}");
        }
        for text in ["a:", "a:>", "a:1", "a:b:c", "a::b", ":a", "1a", "a:é:"] {
            assert!(Name::leading(text).is_err(), "{text}");
        }
        assert_eq!(Name::leading("=a"), Ok(None));
    }
}
