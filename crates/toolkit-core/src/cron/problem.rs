//! Problems of a field, before its place in the expression is known.

use crate::error::{Position, ToolError};

/// Why a field is refused.
#[derive(Debug)]
pub(super) struct Problem {
    pub(super) message: String,
    pub(super) hint: String,
    /// Bytes of the field in front of it.
    pub(super) offset: usize,
}

impl Problem {
    pub(super) fn at(self, expression: &str, field_offset: usize) -> ToolError {
        ToolError::new(self.message)
            .at(Position::offset(expression, field_offset + self.offset))
            .with_hint(self.hint)
    }
}
