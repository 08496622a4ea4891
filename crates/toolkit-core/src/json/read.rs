//! Tree builder: turns the parser's events into a [`Node`].

use std::mem;

use super::token::{Bracket, Sink};
use crate::json_string;
use crate::node::{Node, Number};

/// Builder of a text's value.
#[derive(Debug, Default)]
pub(super) struct Reader {
    /// Whether names and scalars stay tokens, which are kept as texts.
    as_written: bool,
    /// The open arrays and objects, innermost last, each with its name in the one around it.
    open: Vec<(String, Node)>,
    /// The name of the next value, if that is in an object.
    name: String,
    /// The value of the whole text.
    pub root: Node,
}

impl Reader {
    /// Creates a builder that keeps strings as written.
    pub(super) fn as_written() -> Self {
        Self { as_written: true, ..Self::default() }
    }

    fn add(&mut self, name: String, value: Node) {
        match self.open.last_mut() {
            Some((_, Node::Array(items))) => items.push(value),
            Some((_, Node::Object(members))) => members.push((name, value)),
            _ => self.root = value,
        }
    }

    /// Decodes a string.
    ///
    /// A lone surrogate has no decoded form: the text is then refused as a whole, after parsing.
    fn string(&self, token: &[u8]) -> String {
        let decoded = match token {
            [b'"', content @ .., b'"'] if !self.as_written => json_string::decode(content),
            token => token.into(),
        };
        String::from_utf8(decoded.into_owned()).unwrap_or_default()
    }
}

impl Sink for Reader {
    fn open(&mut self, bracket: Bracket) {
        let empty = match bracket {
            Bracket::Array => Node::Array(Vec::new()),
            Bracket::Object => Node::Object(Vec::new()),
        };
        self.open.push((mem::take(&mut self.name), empty));
    }

    fn name(&mut self, token: &[u8], _: bool) {
        self.name = self.string(token);
    }

    fn scalar(&mut self, token: &[u8], _: bool) {
        let value = match token {
            _ if self.as_written => Node::Text(self.string(token)),
            [b'"', ..] => Node::Text(self.string(token)),
            b"true" => Node::Bool(true),
            b"false" => Node::Bool(false),
            b"null" => Node::Null,
            _ => Number::checked(self.string(token)).into(),
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
