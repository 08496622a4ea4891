//! Tree builder: turns the parser's events into a [`Node`].

use std::borrow::Cow;

use super::escape;
use super::token::{Bracket, Sink};
use crate::node::Node;

/// Builder of a text's value.
#[derive(Debug)]
pub(super) struct Reader<'a> {
    text: &'a str,
    /// The open arrays and objects, innermost last.
    open: Vec<Open>,
    /// The value of the whole text.
    root: Node,
}

#[derive(Debug)]
enum Open {
    Array(Vec<Node>),
    Object {
        members: Vec<(String, Node)>,
        /// The name whose value is next.
        name: String,
    },
}

impl<'a> Reader<'a> {
    /// Creates a builder.
    pub(super) const fn new(text: &'a str) -> Self {
        Self {
            text,
            open: Vec::new(),
            root: Node::Null,
        }
    }

    /// Returns the value.
    pub(super) fn finish(self) -> Node {
        self.root
    }

    fn add(&mut self, value: Node) {
        match self.open.last_mut() {
            Some(Open::Array(items)) => items.push(value),
            Some(Open::Object { members, name }) => members.push((std::mem::take(name), value)),
            None => self.root = value,
        }
    }

    /// Decodes a string, given its range with the quotes.
    ///
    /// A lone surrogate has no decoded form: the text is then refused as a whole, after parsing.
    fn string(&self, start: usize, end: usize) -> String {
        let content = self.text.get(start + 1..end - 1).unwrap_or_default();
        match escape::decode(content.as_bytes()) {
            Cow::Borrowed(_) => content.to_owned(),
            Cow::Owned(bytes) => String::from_utf8(bytes).unwrap_or_default(),
        }
    }
}

impl Sink for Reader<'_> {
    fn empty(&mut self, bracket: Bracket) {
        self.add(match bracket {
            Bracket::Array => Node::Array(Vec::new()),
            Bracket::Object => Node::Object(Vec::new()),
        });
    }

    fn open(&mut self, bracket: Bracket) {
        self.open.push(match bracket {
            Bracket::Array => Open::Array(Vec::new()),
            Bracket::Object => Open::Object {
                members: Vec::new(),
                name: String::new(),
            },
        });
    }

    fn comma(&mut self) {}

    fn name(&mut self, _: &[u8], start: usize, end: usize) {
        let read = self.string(start, end);
        if let Some(Open::Object { name, .. }) = self.open.last_mut() {
            *name = read;
        }
    }

    fn scalar(&mut self, bytes: &[u8], start: usize, end: usize) {
        let value = match bytes.get(start) {
            Some(b'"') => Node::Text(self.string(start, end)),
            Some(b't') => Node::Bool(true),
            Some(b'f') => Node::Bool(false),
            Some(b'n') => Node::Null,
            _ => Node::Number(self.text.get(start..end).unwrap_or_default().to_owned()),
        };
        self.add(value);
    }

    fn close(&mut self, _: Bracket) {
        if let Some(ended) = self.open.pop() {
            self.add(match ended {
                Open::Array(items) => Node::Array(items),
                Open::Object { members, .. } => Node::Object(members),
            });
        }
    }
}
