//! Tool errors: what is wrong with an input, where, and what is accepted.

use std::borrow::Cow;
use std::fmt;

/// Position of an error in the input.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Position {
    /// Line and column, both from 1. Columns count characters.
    LineColumn {
        /// The line, from 1.
        line: usize,
        /// The column in that line, from 1.
        column: usize,
    },
    /// Number of characters (code points) before the position, from 0.
    Offset(usize),
}

impl Position {
    /// Returns the line and column of a byte offset in `text`.
    ///
    /// An offset past the end, or inside a character, counts as the nearest position before it.
    pub fn line_column(text: &str, byte_offset: usize) -> Self {
        let before = before(text, byte_offset);
        let line_start = before.rfind('\n').map_or(0, |index| index + 1);
        Self::LineColumn {
            line: before.bytes().filter(|&byte| byte == b'\n').count() + 1,
            column: before.get(line_start..).unwrap_or_default().chars().count() + 1,
        }
    }

    /// Returns the offset in characters of a byte offset in `text`.
    pub fn offset(text: &str, byte_offset: usize) -> Self {
        Self::Offset(before(text, byte_offset).chars().count())
    }
}

/// The text up to a byte offset, or up to the character that contains it.
fn before(text: &str, byte_offset: usize) -> &str {
    let mut ends = (0..=byte_offset.min(text.len())).rev();
    ends.find_map(|end| text.get(..end)).unwrap_or_default()
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::LineColumn { line, column } => write!(f, "line {line}, column {column}"),
            Self::Offset(offset) => write!(f, "offset {offset}"),
        }
    }
}

/// Kind of an error, for programs that decide what to do about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum ErrorKind {
    /// The text does not follow the grammar of its format.
    Syntax,
    /// A value outside the accepted range.
    Range,
    /// An input that is missing, repeated, unknown or of the wrong type.
    Input,
    /// More bytes, items or nesting than a limit allows, in the input or in the result.
    TooLarge,
    /// The work took longer than the caller allowed.
    TimedOut,
    /// Valid in the format, but not supported by this crate.
    Unsupported,
}

/// Error of a tool: what is wrong with an input, where, and what would be accepted.
///
/// It knows no transport: a server chooses the status. Its text (`Display`) gives the position, the
/// cause and the fix in plain sentences, without secrets or whole inputs. Its parts are
/// [`position`](Self::position), [`field`](Self::field), [`message`](Self::message) and
/// [`hint`](Self::hint). Programs decide by its [`kind`](Self::kind).
///
/// ```
/// use toolkit_core::{Position, ToolError};
///
/// let error = ToolError::new("is not valid JSON: a comma without a value")
///     .at(Position::LineColumn { line: 1, column: 4 })
///     .with_hint("remove the comma")
///     .in_field("text");
/// assert_eq!(
///     error.to_string(),
///     "line 1, column 4: `text` is not valid JSON: a comma without a value. Remove the comma.",
/// );
/// assert_eq!(error.kind(), toolkit_core::ErrorKind::Syntax);
/// assert_eq!(error.field(), Some("text"));
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

/// Subject of an error's sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Subject {
    Input,
    #[cfg(feature = "tools")]
    Body,
    /// None: the message is a complete clause.
    #[cfg(feature = "tools")]
    Nothing,
    Field(&'static str),
}

/// Maximum length of several refusals in one sentence, in bytes.
#[cfg(feature = "tools")]
const JOINED_BYTES_MAX: usize = 290;

impl ToolError {
    /// Creates an error with a message: a predicate to be read after the input's name ("is empty",
    /// "must be …", "has …"), without a position or a full stop.
    pub fn new(message: impl Into<Cow<'static, str>>) -> Self {
        Self {
            subject: Subject::Input,
            kind: ErrorKind::Syntax,
            message: message.into(),
            position: None,
            hint: None,
        }
    }

    /// Error for a result that exceeds its limit.
    pub fn result_too_large(bytes_max: usize) -> Self {
        let size = ByteCount(bytes_max);
        Self::new(format!("gives a result of over {size}")).of(ErrorKind::TooLarge)
    }

    /// Sets the kind. The default is [`ErrorKind::Syntax`].
    #[must_use]
    pub const fn of(mut self, kind: ErrorKind) -> Self {
        self.kind = kind;
        self
    }

    /// Sets the input field. The innermost caller that knows it wins.
    #[must_use]
    pub fn in_field(mut self, field: &'static str) -> Self {
        if self.subject == Subject::Input {
            self.subject = Subject::Field(field);
        }
        self
    }

    /// Makes the request body the subject, instead of one of the inputs.
    #[cfg(feature = "tools")]
    #[must_use]
    pub(crate) fn body(mut self) -> Self {
        self.subject = Subject::Body;
        self
    }

    /// Leaves out the subject: the message is a complete clause.
    #[cfg(feature = "tools")]
    #[must_use]
    pub(crate) fn alone(mut self) -> Self {
        self.subject = Subject::Nothing;
        self
    }

    /// Joins as many errors as fit into one, with the first one's kind. `None` if there are none.
    #[cfg(feature = "tools")]
    pub(crate) fn joined(mut errors: Vec<Self>) -> Option<Self> {
        let kind = errors.first()?.kind;
        if errors.len() == 1 {
            return errors.pop();
        }
        let mut joined = String::new();
        for error in &errors {
            let sentences = error.to_string();
            if joined.is_empty() {
                joined.push_str(&sentences);
            } else if joined.len() + sentences.len() < JOINED_BYTES_MAX {
                joined.push(' ');
                joined.push_str(&sentences);
            }
        }
        let joined = joined.trim_end_matches('.').to_owned();
        Some(Self::new(joined).of(kind).alone())
    }

    /// Sets the position.
    #[must_use]
    pub fn at(mut self, position: Position) -> Self {
        self.position = Some(position);
        self
    }

    /// Sets what would be accepted, or what to do: a clause without a full stop.
    #[must_use]
    pub fn with_hint(mut self, hint: impl Into<Cow<'static, str>>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Kind of the error.
    ///
    /// ```
    /// use toolkit_core::{ErrorKind, cidr::Block};
    ///
    /// let error = Block::parse("10.0.0.0/33").unwrap_err();
    /// assert_eq!(error.kind(), ErrorKind::Range);
    /// ```
    pub const fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// What is wrong: a predicate to be read after the field's name, without position and full
    /// stop.
    ///
    /// ```
    /// use toolkit_core::{Warnings, json};
    ///
    /// let error = json::check("[1,]", &mut Warnings::new()).unwrap_err();
    /// assert!(error.to_string().contains(error.message()));
    /// ```
    pub fn message(&self) -> &str {
        &self.message
    }

    /// What would be accepted, or what to do: a clause without a full stop.
    ///
    /// ```
    /// use toolkit_core::cidr::Block;
    ///
    /// let error = Block::parse("10.0.0.0/33").unwrap_err();
    /// assert!(error.hint().is_some());
    /// ```
    pub fn hint(&self) -> Option<&str> {
        self.hint.as_deref()
    }

    /// The refused input field. `None` if there is only one input, or if the error is about all.
    ///
    /// ```
    /// use toolkit_core::{Context, ToolError, input::Surface, registry};
    ///
    /// let tool = registry::by_slug("cidr-calculator").expect("there is such a tool");
    /// let body = br#"{"cidr": "10.0.0.0/33"}"#;
    /// let result = tool.run_json(body, Surface::Rest, &mut Context::fixed(), &mut Vec::new());
    /// assert_eq!(result.unwrap_err().field(), Some("cidr"));
    /// assert_eq!(ToolError::new("is empty").field(), None);
    /// ```
    pub const fn field(&self) -> Option<&'static str> {
        if let Subject::Field(field) = self.subject { Some(field) } else { None }
    }

    /// Position in that field, if known.
    ///
    /// ```
    /// use toolkit_core::{Position, Warnings, json};
    ///
    /// let error = json::check("[1 2]", &mut Warnings::new()).unwrap_err();
    /// assert_eq!(error.position(), Some(Position::LineColumn { line: 1, column: 4 }));
    /// ```
    pub fn position(&self) -> Option<Position> {
        self.position
    }
}

impl fmt::Display for ToolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let the = if let Some(position) = self.position {
            write!(f, "{position}: ")?;
            "the"
        } else {
            "The"
        };
        match self.subject {
            Subject::Input => write!(f, "{the} input ")?,
            #[cfg(feature = "tools")]
            Subject::Body => write!(f, "{the} body ")?,
            #[cfg(feature = "tools")]
            Subject::Nothing => {}
            Subject::Field(field) => write!(f, "`{field}` ")?,
        }
        write!(f, "{}.", self.message)?;
        if let Some(hint) = &self.hint
            && let Some((first, rest)) = hint.split_at_checked(1)
        {
            write!(f, " {}{rest}.", first.to_ascii_uppercase())?;
        }
        Ok(())
    }
}

impl std::error::Error for ToolError {}

/// A number of bytes for display: in MiB from one MiB on.
pub(crate) struct ByteCount(pub(crate) usize);

impl fmt::Display for ByteCount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            bytes if bytes >= 1 << 20 => write!(f, "{} MiB", bytes >> 20),
            bytes => write!(f, "{bytes} bytes"),
        }
    }
}

/// The reason given by `serde_json`, in words, without the position that it appends.
#[cfg(feature = "serde_json")]
pub fn json_reason(error: &serde_json::Error) -> String {
    let mut text = error.to_string();
    if let Some(end) = text.rfind(" at line ") {
        text.truncate(end);
    }
    text.replace("EOF while parsing", "it ends inside")
}
