//! Duplicate key detection within an object (RFC 8259 §4).
//!
//! Keys are compared after decoding, so `"a"` and `"\u0061"` are the same.

#![expect(
    clippy::indexing_slicing,
    reason = "ranges of names come from the tokenizer, indexes from this list"
)]

use std::borrow::Cow;

use super::cursor::{self, Escapes};
use super::first_few::FirstFew;
use crate::json_string;

/// A repeated name in an object.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Duplicate {
    /// Position of the first occurrence's opening quote.
    pub first: usize,
    /// Position of the repetition.
    pub again: usize,
}

/// Names of the open objects, innermost last.
#[derive(Debug, Default)]
pub(super) struct Names<'a> {
    text: &'a str,
    known: Vec<Name<'a>>,
    /// Repeated names found.
    pub duplicates: FirstFew<Duplicate>,
}

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Name<'a> {
    decoded: Cow<'a, [u8]>,
    start: usize,
}

impl<'a> Names<'a> {
    /// Creates an empty list.
    pub(super) fn new(text: &'a str) -> Self {
        Self { text, ..Self::default() }
    }

    /// Number of names collected: the index at which those of an object that begins now will start.
    pub(super) fn len(&self) -> usize {
        self.known.len()
    }

    /// Adds a name to the innermost object. Its range includes the quotes.
    pub(super) fn push(&mut self, start: usize, end: usize) {
        let decoded = Cow::Borrowed(&self.text.as_bytes()[start + 1..end - 1]);
        self.known.push(Name { decoded, start });
    }

    /// Adds a name with escapes.
    #[cold]
    pub(super) fn push_escaped(&mut self, start: usize) {
        self.known.push(Name { decoded: name_at(self.text, start), start });
    }

    /// Closes the innermost object, whose names start at index `from`.
    pub(super) fn close(&mut self, from: usize) {
        let names = &mut self.known[from..];
        names.sort_unstable();
        if names.windows(2).any(|pair| pair[0].decoded == pair[1].decoded) {
            self.report(from);
        }
        self.known.truncate(from);
    }

    /// Reports the duplicates among the names from `from` on, which are sorted.
    #[cold]
    fn report(&mut self, from: usize) {
        let mut duplicates = Vec::new();
        for equal in self.known[from..].chunk_by(|one, other| one.decoded == other.decoded) {
            if let [first, others @ ..] = equal {
                let first = first.start;
                duplicates.extend(others.iter().map(|it| Duplicate { first, again: it.start }));
            }
        }
        duplicates.sort_unstable_by_key(|duplicate| duplicate.again);
        for duplicate in duplicates {
            self.duplicates.push(duplicate);
        }
    }
}

/// The decoded name whose opening quote is at `start` of a valid text.
pub(super) fn name_at(text: &str, start: usize) -> Cow<'_, [u8]> {
    let bytes = text.as_bytes();
    let end = cursor::string(bytes, start, &mut Escapes::default()).unwrap_or(start);
    let content = bytes.get(start + 1..end.saturating_sub(1));
    json_string::decode(content.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::{Duplicate, Names, name_at};

    /// Duplicates of an object with these names, each with its index.
    fn duplicates(names: &[String]) -> Vec<(usize, usize)> {
        let text = format!("{{{}}}", names.join(":0,"));
        let mut found = Names::new(&text);
        let mut starts = Vec::new();
        let mut at = 1;
        for name in names {
            starts.push(at);
            if name.contains('\\') {
                found.push_escaped(at);
            } else {
                found.push(at, at + name.len());
            }
            at += name.len() + 3;
        }
        found.close(0);
        assert_eq!(found.len(), 0);
        let index = |start| starts.iter().position(|&known| known == start).unwrap();
        let indexes = |duplicate: &Duplicate| (index(duplicate.first), index(duplicate.again));
        found.duplicates.first().iter().map(indexes).collect()
    }

    fn quoted(names: &[&str]) -> Vec<String> {
        names.iter().map(|name| format!("\"{name}\"")).collect()
    }

    #[test]
    fn names_are_compared_as_they_read() {
        for (names, expected) in [
            (&["a", "b", "a"][..], vec![(0, 2)]),
            (&["a", "a", "a"], vec![(0, 1), (0, 2)]),
            (&["a", "\\u0061"], vec![(0, 1)]),
            (&["\\u00E9", "é", "\\u00e9"], vec![(0, 1), (0, 2)]),
            (&["😀", "\\ud83d\\ude00"], vec![(0, 1)]),
            (&["\\ud800", "\\uD800", "\\ud801"], vec![(0, 1)]),
            (&["/", "\\/"], vec![(0, 1)]),
            (&["", ""], vec![(0, 1)]),
            (&["a", "A", "a ", " a", "", "\\u0000", "aa"], vec![]),
            (&["abcdefgh", "abcdefg", "abcdefghi"], vec![]),
        ] {
            assert_eq!(duplicates(&quoted(names)), expected, "{names:?}");
        }
    }

    #[test]
    fn one_duplicate_is_found_among_any_number_of_names() {
        for count in [2, 3, 10, 63, 64, 65, 66, 1000, 50_000] {
            let mut names: Vec<_> = (0..count).map(|index| format!("\"name{index}\"")).collect();
            assert_eq!(duplicates(&names), [], "{count}");
            let last = count - 1;
            names[last] = names[count / 3].clone();
            assert_eq!(duplicates(&names), [(count / 3, last)], "{count}");
        }
    }

    #[test]
    fn a_name_is_read_in_place() {
        assert_eq!(*name_at("{\"a\\nb\":1}", 1), *b"a\nb");
        assert_eq!(*name_at("{\"\":1}", 1), *b"");
    }
}
