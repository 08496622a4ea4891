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
        Self {
            text,
            ..Self::default()
        }
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

    fn name(&mut self, _: &[u8], start: usize, end: usize) {
        self.name = self.string(start, end);
    }

    fn scalar(&mut self, bytes: &[u8], start: usize, end: usize) {
        let value = match bytes.get(start) {
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
