//! XML errors: a defect first without, then with its position, then as a message to the caller.

use std::borrow::Cow;
use std::fmt;

use crate::error::{ErrorKind, Position, ToolError};
use crate::limits::ECHO_CHARACTERS_MAX;

/// Result of checking part of a document.
pub(super) type Checked<T> = Result<T, Fault>;

/// A defect, without its position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Defect {
    what: Cow<'static, str>,
    hint: Option<Cow<'static, str>>,
    /// Kind, if the standard allows what is refused. `None` for a violation of the standard.
    policy: Option<ErrorKind>,
}

impl Defect {
    /// Creates a violation of the standard: a clause such as "a comment that is not closed".
    pub(super) fn new(what: impl Into<Cow<'static, str>>) -> Self {
        Self { what: what.into(), hint: None, policy: None }
    }

    /// Creates a refusal of something that the standard allows: a predicate such as "has …".
    pub(super) fn policy(kind: ErrorKind, predicate: impl Into<Cow<'static, str>>) -> Self {
        Self { policy: Some(kind), ..Self::new(predicate) }
    }

    /// Creates a violation: an unclosed part, with what would close it.
    pub(super) fn not_closed(part: &str, end: &str) -> Self {
        Self::new(format!("{part} that is not closed")).with_hint(format!("end it with `{end}`"))
    }

    /// Sets how to correct it.
    pub(super) fn with_hint(mut self, hint: impl Into<Cow<'static, str>>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Adds the byte offset in the document.
    pub(super) fn at(self, at: usize) -> Fault {
        Fault { defect: Box::new(self), at }
    }

    /// Builds the error for a value that cannot be written. `place` is the position in that value.
    pub(super) fn in_value(self, place: &str) -> ToolError {
        self.tell(|what| {
            let message = format!("cannot be written as XML: {what}{place}");
            ToolError::new(message).of(ErrorKind::Unsupported)
        })
    }

    fn tell(self, violation: impl Fn(Cow<'static, str>) -> ToolError) -> ToolError {
        let error = match self.policy {
            Some(kind) => ToolError::new(self.what).of(kind),
            None => violation(self.what),
        };
        match self.hint {
            Some(hint) => error.with_hint(hint),
            None => error,
        }
    }
}

/// A defect and its byte offset.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Fault {
    /// Boxed, since valid documents are the common case.
    defect: Box<Defect>,
    /// Byte offset in the document.
    pub(super) at: usize,
}

impl Fault {
    /// Builds the error for the document `source`.
    pub(super) fn tell(self, source: &str) -> ToolError {
        let syntax = |what| ToolError::new(format!("is not well-formed XML: {what}"));
        let error = self.defect.tell(syntax);
        error.at(Position::line_column(source, self.at))
    }
}

/// Defect: the character at a byte, which XML forbids literally and as a reference.
pub(super) fn forbidden(text: &str, at: usize) -> Defect {
    let character = text.get(at..).and_then(|rest| rest.chars().next());
    let code = u32::from(character.unwrap_or_default());
    Defect::new(format!("the forbidden character U+{code:04X}"))
        .with_hint("remove it; XML has no way to write it")
}

/// A name in a hint: truncated, but neither quoted nor escaped, so only for strings of name
/// characters.
pub(super) struct Short<'a>(pub(super) &'a str);

impl fmt::Display for Short<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.char_indices().nth(ECHO_CHARACTERS_MAX) {
            Some((end, _)) => write!(f, "{}…", &self.0[..end]),
            None => f.write_str(self.0),
        }
    }
}
