//! XML errors: a defect first without, then with its position, then as a message to the caller.

use std::borrow::Cow;
use std::fmt;

use crate::error::{Position, ToolError};
use crate::limits::ECHO_CHARACTERS_MAX;

/// What a check of a document gives.
pub(super) type Checked<T> = Result<T, Fault>;

/// What is wrong, without where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Defect {
    what: Cow<'static, str>,
    hint: Option<Cow<'static, str>>,
    is_policy: bool,
}

impl Defect {
    /// A breach of the standard: a clause such as "a comment that is not closed".
    pub(super) fn new(what: impl Into<Cow<'static, str>>) -> Self {
        Self {
            what: what.into(),
            hint: None,
            is_policy: false,
        }
    }

    /// Something that the standard allows and this module refuses: a predicate such as "nests …".
    pub(super) fn policy(predicate: impl Into<Cow<'static, str>>) -> Self {
        Self {
            is_policy: true,
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
        let error = if self.is_policy {
            ToolError::new(self.what)
        } else {
            ToolError::new(format!("cannot be written as XML: {}{place}", self.what))
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
        let Defect {
            what,
            hint,
            is_policy,
        } = *self.defect;
        let predicate = if is_policy {
            what
        } else {
            format!("is not well-formed XML: {what}").into()
        };
        let error = ToolError::new(predicate).at(Position::line_column(source, self.at));
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
