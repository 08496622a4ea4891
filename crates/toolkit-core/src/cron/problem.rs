//! Problems of a field, before its place in the expression is known.

use crate::error::{ErrorKind, Position, ToolError};

/// Why a field is refused.
#[derive(Debug)]
pub(super) struct Problem {
    pub(super) kind: ErrorKind,
    pub(super) message: String,
    pub(super) hint: String,
    /// Bytes of the field in front of it.
    pub(super) offset: usize,
}

impl Problem {
    /// Sets the class; without it a problem is one of syntax.
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
