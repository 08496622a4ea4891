//! What is wrong with an input, told to whoever sent it.

use std::borrow::Cow;
use std::fmt;

/// A place in a text that was refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Position {
    /// Line and column, both from 1; a column counts characters.
    LineColumn {
        /// The line, from 1.
        line: usize,
        /// The character in that line, from 1.
        column: usize,
    },
    /// Characters (code points) before the place, so from 0.
    Offset(usize),
}

impl Position {
    /// Returns the line and column of a byte offset in `text`.
    ///
    /// An offset past the end, or inside a character, is taken as the nearest place before it.
    pub fn line_column(text: &str, byte_offset: usize) -> Self {
        let before = text
            .get(..floor_char_boundary(text, byte_offset))
            .unwrap_or_default();
        let line_start = before.rfind('\n').map_or(0, |index| index + 1);
        Self::LineColumn {
            line: before.bytes().filter(|&byte| byte == b'\n').count() + 1,
            column: before.get(line_start..).unwrap_or_default().chars().count() + 1,
        }
    }

    /// Returns the offset in characters of a byte offset in `text`.
    pub fn offset(text: &str, byte_offset: usize) -> Self {
        let before = text
            .get(..floor_char_boundary(text, byte_offset))
            .unwrap_or_default();
        Self::Offset(before.chars().count())
    }
}

fn floor_char_boundary(text: &str, byte_offset: usize) -> usize {
    let mut index = byte_offset.min(text.len());
    while !text.is_char_boundary(index) {
        index -= 1;
    }
    index
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::LineColumn { line, column } => write!(f, "line {line}, column {column}"),
            Self::Offset(offset) => write!(f, "offset {offset}"),
        }
    }
}

/// A refusal: what is wrong with an input, where, and what would be accepted.
///
/// It knows no transport: a server decides which status it becomes. Its text is one plain sentence
/// (`Display`), and never repeats a secret or a whole input.
///
/// ```
/// use toolkit_core::{Position, ToolError};
///
/// let error = ToolError::new("is not valid JSON: a comma without a value")
///     .at(Position::LineColumn { line: 1, column: 4 })
///     .hint("remove the comma")
///     .field("text");
/// assert_eq!(
///     error.to_string(),
///     "`text` is not valid JSON: a comma without a value at line 1, column 4; remove the comma.",
/// );
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolError {
    subject: Subject,
    message: Cow<'static, str>,
    position: Option<Position>,
    hint: Option<Cow<'static, str>>,
}

/// What a refusal speaks of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Subject {
    Input,
    Body,
    /// The message is a clause of its own.
    Nothing,
    Field(&'static str),
}

impl ToolError {
    /// Says what is wrong: a predicate to be read behind the input's name ("is empty", "must be …",
    /// "has …"), without a position or a full stop.
    pub fn new(message: impl Into<Cow<'static, str>>) -> Self {
        Self {
            subject: Subject::Input,
            message: message.into(),
            position: None,
            hint: None,
        }
    }

    /// Names the input field; the innermost caller that knows it wins.
    #[must_use]
    pub fn field(mut self, field: &'static str) -> Self {
        if self.subject == Subject::Input {
            self.subject = Subject::Field(field);
        }
        self
    }

    /// Speaks of the object that holds the inputs, not of one of them.
    #[must_use]
    pub(crate) fn body(mut self) -> Self {
        self.subject = Subject::Body;
        self
    }

    /// Speaks of nothing: the message is a clause that stands alone.
    #[must_use]
    pub(crate) fn alone(mut self) -> Self {
        self.subject = Subject::Nothing;
        self
    }

    /// Says where.
    #[must_use]
    pub fn at(mut self, position: Position) -> Self {
        self.position = Some(position);
        self
    }

    /// Says what would be accepted, or what to do: a clause without a full stop.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<Cow<'static, str>>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// The input field that was refused, where one is to blame.
    pub fn field_name(&self) -> Option<&'static str> {
        match self.subject {
            Subject::Field(field) => Some(field),
            Subject::Input | Subject::Body | Subject::Nothing => None,
        }
    }

    /// Where in that field, where it can be told.
    pub fn position(&self) -> Option<Position> {
        self.position
    }
}

impl fmt::Display for ToolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.subject {
            Subject::Input => f.write_str("The input ")?,
            Subject::Body => f.write_str("The body ")?,
            Subject::Nothing => {}
            Subject::Field(field) => write!(f, "`{field}` ")?,
        }
        f.write_str(&self.message)?;
        if let Some(position) = &self.position {
            write!(f, " at {position}")?;
        }
        if let Some(hint) = &self.hint {
            write!(f, "; {hint}")?;
        }
        f.write_str(".")
    }
}

impl std::error::Error for ToolError {}
