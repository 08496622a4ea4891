//! Tool errors: what is wrong with an input, where, and what is accepted.

use std::borrow::Cow;
use std::fmt;

/// A place in a text that was refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
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

/// The class of an error, for a program that decides what to do about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum ErrorKind {
    /// The text does not follow the grammar of its format.
    Syntax,
    /// A value outside of those that are accepted.
    Range,
    /// An input that is missing, repeated, unknown or of the wrong type.
    Input,
    /// More bytes, items or nesting than a limit allows, in the input or in the result.
    TooLarge,
    /// The work took longer than the caller allowed.
    TimedOut,
    /// The format allows it, and this crate does not.
    Unsupported,
}

/// A refusal: what is wrong with an input, where, and what would be accepted.
///
/// It knows no transport: a server decides which status it becomes. Its text is one plain sentence
/// (`Display`), and never repeats a secret or a whole input. The parts of that sentence are
/// [`field_name`](Self::field_name), [`message`](Self::message), [`position`](Self::position) and
/// [`hint`](Self::hint); a program decides by its [`kind`](Self::kind).
///
/// ```
/// use toolkit_core::{Position, ToolError};
///
/// let error = ToolError::new("is not valid JSON: a comma without a value")
///     .at(Position::LineColumn { line: 1, column: 4 })
///     .with_hint("remove the comma")
///     .field("text");
/// assert_eq!(
///     error.to_string(),
///     "`text` is not valid JSON: a comma without a value at line 1, column 4; remove the comma.",
/// );
/// assert_eq!(error.kind(), toolkit_core::ErrorKind::Syntax);
/// assert_eq!(error.hint(), Some("remove the comma"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ToolError {
    subject: Subject,
    kind: ErrorKind,
    message: Cow<'static, str>,
    position: Option<Position>,
    hint: Option<Cow<'static, str>>,
}

/// What a refusal speaks of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Subject {
    Input,
    #[cfg(feature = "tools")]
    Body,
    /// The message is a clause of its own.
    #[cfg(feature = "tools")]
    Nothing,
    Field(&'static str),
}

impl ToolError {
    /// Says what is wrong: a predicate to be read after the input's name ("is empty", "must be …",
    /// "has …"), without a position or a full stop.
    pub fn new(message: impl Into<Cow<'static, str>>) -> Self {
        Self {
            subject: Subject::Input,
            kind: ErrorKind::Syntax,
            message: message.into(),
            position: None,
            hint: None,
        }
    }

    /// Refuses a result that is larger than its limit.
    pub fn result_too_large(bytes_max: usize) -> Self {
        let size = ByteCount(bytes_max);
        Self::new(format!("gives a result of over {size}")).of(ErrorKind::TooLarge)
    }

    /// Sets the class; without it an error is one of [`ErrorKind::Syntax`].
    #[must_use]
    pub const fn of(mut self, kind: ErrorKind) -> Self {
        self.kind = kind;
        self
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
    #[cfg(feature = "tools")]
    #[must_use]
    pub(crate) fn body(mut self) -> Self {
        self.subject = Subject::Body;
        self
    }

    /// Speaks of nothing: the message is a clause that stands alone.
    #[cfg(feature = "tools")]
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
    pub fn with_hint(mut self, hint: impl Into<Cow<'static, str>>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// The class of the error.
    pub const fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// What is wrong: a predicate to be read after the field's name, without position and full
    /// stop.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// What would be accepted, or what to do: a clause without a full stop.
    pub fn hint(&self) -> Option<&str> {
        self.hint.as_deref()
    }

    /// The input field that was refused, where one is to blame.
    pub fn field_name(&self) -> Option<&'static str> {
        match self.subject {
            Subject::Field(field) => Some(field),
            _ => None,
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
            #[cfg(feature = "tools")]
            Subject::Body => f.write_str("The body ")?,
            #[cfg(feature = "tools")]
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

/// A limit as it is read: in MiB from one MiB on.
pub(crate) struct ByteCount(pub(crate) usize);

impl fmt::Display for ByteCount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            bytes if bytes >= 1 << 20 => write!(f, "{} MiB", bytes >> 20),
            bytes => write!(f, "{bytes} bytes"),
        }
    }
}

/// What `serde_json` says is wrong, without the place, which it appends.
#[cfg(feature = "serde_json")]
pub fn json_reason(error: &serde_json::Error) -> String {
    let mut text = error.to_string();
    if let Some(end) = text.rfind(" at line ") {
        text.truncate(end);
    }
    text
}
