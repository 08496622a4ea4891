//! XML errors: a defect first without, then with its position, then as a message to the caller.

use std::borrow::Cow;
use std::fmt;

use crate::error::{ErrorKind, Position, ToolError};
use crate::limits::ECHO_CHARACTERS_MAX;

/// What a check of a document gives.
pub(super) type Checked<T> = Result<T, Fault>;

/// What is wrong, without where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Defect {
    what: Cow<'static, str>,
    hint: Option<Cow<'static, str>>,
    /// What this module refuses though the standard allows it; nothing for a breach of the
    /// standard.
    policy: Option<ErrorKind>,
}

impl Defect {
    /// A breach of the standard: a clause such as "a comment that is not closed".
    pub(super) fn new(what: impl Into<Cow<'static, str>>) -> Self {
        Self {
            what: what.into(),
            hint: None,
            policy: None,
        }
    }

    /// Something that the standard allows and this module refuses: a predicate such as "has …".
    pub(super) fn policy(predicate: impl Into<Cow<'static, str>>) -> Self {
        Self {
            policy: Some(ErrorKind::Unsupported),
            ..Self::new(predicate)
        }
    }

    /// The same where it is too much.
    pub(super) fn too_large(predicate: impl Into<Cow<'static, str>>) -> Self {
        Self {
            policy: Some(ErrorKind::TooLarge),
            ..Self::new(predicate)
        }
    }

    /// Says what to do about it.
    pub(super) fn with_hint(mut self, hint: impl Into<Cow<'static, str>>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Says at which byte of the document.
    pub(super) fn at(self, at: usize) -> Fault {
        Fault {
            defect: Box::new(self),
            at,
        }
    }

    /// Tells it of a value that was to become XML; `place` says where in that value.
    pub(super) fn in_value(self, place: &str) -> ToolError {
        let error = match self.policy {
            Some(kind) => ToolError::new(self.what).of(kind),
            None => ToolError::new(format!("cannot be written as XML: {}{place}", self.what))
                .of(ErrorKind::Unsupported),
        };
        match self.hint {
            Some(hint) => error.with_hint(hint),
            None => error,
        }
    }
}

/// What is wrong, and at which byte.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Fault {
    /// Boxed, since a sound document is the common case.
    defect: Box<Defect>,
    /// The byte of the document at which it shows.
    pub(super) at: usize,
}

impl Fault {
    /// Tells it of the document `source`.
    pub(super) fn tell(self, source: &str) -> ToolError {
        let Defect { what, hint, policy } = *self.defect;
        let error = match policy {
            Some(kind) => ToolError::new(what).of(kind),
            None => ToolError::new(format!("is not well-formed XML: {what}")),
        };
        let error = error.at(Position::line_column(source, self.at));
        match hint {
            Some(hint) => error.with_hint(hint),
            None => error,
        }
    }
}

/// A character that XML forbids, as it is and as a reference.
pub(super) fn forbidden(character: char) -> Defect {
    let code = u32::from(character);
    Defect::new(format!("the forbidden character U+{code:04X}"))
        .with_hint("remove it; XML has no way to write it")
}

/// A name inside an example of what to write: cut, but neither quoted nor escaped, so only for what
/// holds nothing but name characters.
pub(super) struct Short<'a>(pub(super) &'a str);

impl fmt::Display for Short<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.char_indices().nth(ECHO_CHARACTERS_MAX) {
            Some((end, _)) => write!(f, "{}…", self.0.get(..end).unwrap_or_default()),
            None => f.write_str(self.0),
        }
    }
}
