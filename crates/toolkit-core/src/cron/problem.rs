//! Errors in a field, before its position in the expression is known.

use crate::error::{ErrorKind, Position, ToolError};

/// Error: a field is refused.
#[derive(Debug)]
pub(super) struct Problem {
    pub(super) kind: ErrorKind,
    pub(super) message: String,
    pub(super) hint: String,
    /// Byte offset within the field.
    pub(super) offset: usize,
}

impl Problem {
    /// Sets the error kind; the default is syntax.
    pub(super) fn of(mut self, kind: ErrorKind) -> Self {
        self.kind = kind;
        self
    }

    pub(super) fn at(self, expression: &str, field_offset: usize) -> ToolError {
        ToolError::new(self.message)
            .of(self.kind)
            .at(Position::offset(expression, field_offset + self.offset))
            .with_hint(self.hint)
    }
}
