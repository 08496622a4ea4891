//! Tree builder: turns the parser's events into a [`Node`].

#![expect(
    clippy::string_slice,
    reason = "ranges of tokens come from the tokenizer, whose tokens begin and end at ASCII"
)]

use std::borrow::Cow;
use std::mem;

use super::token::{Bracket, Sink};
use crate::json_string;
use crate::node::{Node, Number};

/// Builder of a text's value.
#[derive(Debug, Default)]
pub(super) struct Reader<'a> {
    text: &'a str,
    /// Whether names and scalars stay tokens, which are kept as texts.
    as_written: bool,
    /// The open arrays and objects, innermost last, each with its name in the one around it.
    open: Vec<(String, Node)>,
    /// The name of the next value, if that is in an object.
    name: String,
    /// The value of the whole text.
    pub root: Node,
}

impl<'a> Reader<'a> {
    /// Creates a builder.
    pub(super) fn new(text: &'a str) -> Self {
        Self { text, ..Self::default() }
    }

    /// Creates a builder that decodes nothing.
    pub(super) fn as_written(text: &'a str) -> Self {
        Self { as_written: true, ..Self::new(text) }
    }

    fn add(&mut self, name: String, value: Node) {
        match self.open.last_mut() {
            Some((_, Node::Array(items))) => items.push(value),
            Some((_, Node::Object(members))) => members.push((name, value)),
            _ => self.root = value,
        }
    }

    /// Decodes a string, given its range with the quotes.
    ///
    /// A lone surrogate has no decoded form: the text is then refused as a whole, after parsing.
    fn string(&self, start: usize, end: usize) -> String {
        if self.as_written {
            return self.text[start..end].to_owned();
        }
        let content = &self.text[start + 1..end - 1];
        match json_string::decode(content.as_bytes()) {
            Cow::Borrowed(_) => content.to_owned(),
            Cow::Owned(bytes) => String::from_utf8(bytes).unwrap_or_default(),
        }
    }
}

impl Sink for Reader<'_> {
    fn open(&mut self, bracket: Bracket) {
        let empty = match bracket {
            Bracket::Array => Node::Array(Vec::new()),
            Bracket::Object => Node::Object(Vec::new()),
        };
        self.open.push((mem::take(&mut self.name), empty));
    }

    fn name(&mut self, _: &[u8], start: usize, end: usize, _: bool) {
        self.name = self.string(start, end);
    }

    fn scalar(&mut self, bytes: &[u8], start: usize, end: usize, _: bool) {
        let value = match bytes.get(start) {
            _ if self.as_written => Node::Text(self.string(start, end)),
            Some(b'"') => Node::Text(self.string(start, end)),
            Some(b't') => Node::Bool(true),
            Some(b'f') => Node::Bool(false),
            Some(b'n') => Node::Null,
            _ => Number::checked(&self.text[start..end]).into(),
        };
        let name = mem::take(&mut self.name);
        self.add(name, value);
    }

    fn close(&mut self, _: Bracket) {
        if let Some((name, value)) = self.open.pop() {
            self.add(name, value);
        }
    }
}
