//! Scalars: the JSON values that an input field can hold.

use std::borrow::Cow;

use serde_json::value::RawValue;

use crate::echo::Echo;
use crate::error::{ErrorKind, ToolError};
use crate::json_string;
use crate::limits::ECHO_CHARACTERS_MAX;

/// Value of an input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Scalar<'de> {
    /// `null`, or absent.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number, as it is written.
    Number(&'de str),
    /// A string, borrowed from the body if it has no escapes.
    Text(Cow<'de, str>),
    /// An array: no input accepts one.
    Array,
    /// An object: no input accepts one.
    Object,
}

impl<'de> Scalar<'de> {
    /// Reads a value; `None` for a string that is not Unicode text.
    pub(super) fn read(value: &'de RawValue) -> Option<Self> {
        let text = value.get();
        Some(match text.as_bytes() {
            [b'"', content @ .., b'"'] => Self::Text(match json_string::decode(content) {
                Cow::Borrowed(_) => Cow::Borrowed(text.get(1..text.len() - 1)?),
                Cow::Owned(content) => Cow::Owned(String::from_utf8(content).ok()?),
            }),
            [b'[', ..] => Self::Array,
            [b'{', ..] => Self::Object,
            b"true" => Self::Bool(true),
            b"false" => Self::Bool(false),
            b"null" => Self::Null,
            _ => Self::Number(text),
        })
    }

    /// Name of the JSON type, with an article.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool(_) => "a boolean",
            Self::Number(_) => "a number",
            Self::Text(_) => "a string",
            Self::Array => "an array",
            Self::Object => "an object",
        }
    }

    /// Error: this value has the wrong type.
    pub fn not(&self, accepted: &str) -> ToolError {
        ToolError::new(format!("must be {accepted}, not {}", self.kind())).of(ErrorKind::Input)
    }
}

/// A scalar repeated to the caller.
pub(crate) fn shown(scalar: &Scalar<'_>) -> String {
    match scalar {
        Scalar::Number(digits) if digits.len() <= ECHO_CHARACTERS_MAX => (*digits).to_owned(),
        Scalar::Text(text) => Echo(text).to_string(),
        other => other.kind().to_owned(),
    }
}
