//! Serializer: turns a [`Node`] into tokens.

use std::borrow::Cow;

use super::token::{Bracket, Sink};
use crate::error::{ErrorKind, ToolError};
use crate::json_string;
use crate::limits::NESTING_MAX;
use crate::node::Node;

/// Writer of a value.
pub(super) struct Writer<'s, S> {
    sink: &'s mut S,
    sort_keys: bool,
    /// Whether names and texts are tokens already.
    as_written: bool,
    /// A string while it is quoted and escaped.
    scratch: Vec<u8>,
    depth: usize,
    is_too_deep: bool,
}

impl<'s, S: Sink> Writer<'s, S> {
    pub(super) fn new(sink: &'s mut S, sort_keys: bool) -> Self {
        Self {
            sink,
            sort_keys,
            as_written: false,
            scratch: Vec::new(),
            depth: 0,
            is_too_deep: false,
        }
    }

    /// Creates a writer of tokens, sorted by their decoded names.
    pub(super) fn as_written(sink: &'s mut S) -> Self {
        Self { as_written: true, ..Self::new(sink, true) }
    }

    /// Writes a value.
    ///
    /// # Errors
    ///
    /// Says that it is nested too deeply.
    pub(super) fn write(mut self, value: &Node) -> Result<(), ToolError> {
        self.value(value);
        if self.is_too_deep {
            let refusal = format!("is nested deeper than {NESTING_MAX} levels");
            return Err(ToolError::new(refusal).of(ErrorKind::TooLarge));
        }
        Ok(())
    }

    /// Writes a value down to the nesting limit. Recursive, so it keeps little on the stack.
    fn value(&mut self, value: &Node) {
        match value {
            Node::Array(items) => {
                if !self.open(Bracket::Array, items.is_empty()) {
                    return;
                }
                for (index, item) in items.iter().enumerate() {
                    self.comma_after(index);
                    self.value(item);
                }
                self.close(Bracket::Array);
            }
            Node::Object(members) => {
                if !self.open(Bracket::Object, members.is_empty()) {
                    return;
                }
                for (index, (name, value)) in self.ordered(members).into_iter().enumerate() {
                    self.comma_after(index);
                    let has_escapes = self.quote(name);
                    self.sink.name(&self.scratch, has_escapes);
                    self.value(value);
                }
                self.close(Bracket::Object);
            }
            scalar => self.scalar(scalar),
        }
    }

    fn scalar(&mut self, scalar: &Node) {
        match scalar {
            Node::Bool(true) => self.literal("true"),
            Node::Bool(false) => self.literal("false"),
            Node::Number(number) => self.literal(number.as_str()),
            Node::Text(text) => {
                let has_escapes = self.quote(text);
                self.sink.scalar(&self.scratch, has_escapes);
            }
            Node::Null | Node::Array(_) | Node::Object(_) => self.literal("null"),
        }
    }

    /// Writes an opening bracket, or both if empty. Returns whether to go on.
    fn open(&mut self, bracket: Bracket, is_empty: bool) -> bool {
        self.is_too_deep |= self.depth == NESTING_MAX;
        if self.is_too_deep {
            return false;
        }
        if is_empty {
            self.sink.empty(bracket);
            return false;
        }
        self.sink.open(bracket);
        self.depth += 1;
        true
    }

    fn close(&mut self, bracket: Bracket) {
        self.depth -= 1;
        self.sink.close(bracket);
    }

    fn comma_after(&mut self, index: usize) {
        if index > 0 {
            self.sink.comma();
        }
    }

    fn ordered<'n>(&self, members: &'n [(String, Node)]) -> Vec<&'n (String, Node)> {
        let mut members: Vec<_> = members.iter().collect();
        if self.sort_keys {
            // The order of bytes in UTF-8 and WTF-8 is that of code points.
            members.sort_by_cached_key(|(name, _)| match name.as_bytes() {
                [b'"', content @ .., b'"'] if self.as_written => json_string::decode(content),
                name => Cow::Borrowed(name),
            });
        }
        members
    }

    fn literal(&mut self, text: &str) {
        self.sink.scalar(text.as_bytes(), false);
    }

    /// Quotes a text. Returns whether it has escapes.
    fn quote(&mut self, text: &str) -> bool {
        self.scratch.clear();
        if self.as_written {
            self.scratch.extend_from_slice(text.as_bytes());
        } else {
            json_string::append(text, &mut self.scratch);
        }
        self.scratch.contains(&b'\\')
    }
}
