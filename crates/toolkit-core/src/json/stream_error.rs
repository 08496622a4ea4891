//! Errors of the streaming formatter.

use std::fmt;

use crate::error::{Position, ToolError};

/// Error of the streaming formatter.
#[derive(Debug)]
#[non_exhaustive]
pub enum StreamError {
    /// The text is not JSON.
    Text(ToolError),
    /// The reader or the writer failed.
    Io(std::io::Error),
}

impl StreamError {
    pub(super) fn syntax(message: &str, line: usize, column: usize) -> Self {
        let error = ToolError::new(format!("is not valid JSON: {message}"));
        Self::Text(error.at(Position::LineColumn { line, column }))
    }
}

impl fmt::Display for StreamError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(error) => error.fmt(f),
            Self::Io(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for StreamError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Text(error) => Some(error),
            Self::Io(error) => Some(error),
        }
    }
}
