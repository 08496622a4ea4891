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
    /// A number, as written.
    Number(&'de str),
    /// A string, borrowed from the body if it has no escapes.
    Text(Cow<'de, str>),
    /// An array: no input accepts one.
    Array,
    /// An object: no input accepts one.
    Object,
}

impl<'de> Scalar<'de> {
    /// Reads the value at the start of a text, and returns the rest. `None` if there is no value. A
    /// string that is not Unicode text has no value either.
    pub(super) fn read(text: &'de str) -> Option<(Option<Self>, &'de str)> {
        if text.starts_with('"') {
            let (text, rest) = string(text)?;
            return Some((text.map(Self::Text), rest));
        }
        let mut values = serde_json::Deserializer::from_str(text).into_iter::<&RawValue>();
        let value = values.next()?.ok()?.get();
        let scalar = match value.as_bytes() {
            [b'[', ..] => Self::Array,
            [b'{', ..] => Self::Object,
            b"true" => Self::Bool(true),
            b"false" => Self::Bool(false),
            b"null" => Self::Null,
            _ => Self::Number(value),
        };
        Some((Some(scalar), text.get(values.byte_offset()..)?))
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

/// A string, unless it is not Unicode text, and the rest.
pub(super) type StringAndRest<'a> = (Option<Cow<'a, str>>, &'a str);

/// Reads the string at the start of a text. `None` if there is none.
pub(super) fn string(text: &str) -> Option<StringAndRest<'_>> {
    let (content, rest) = json_string::read(text.as_bytes())?;
    let end = text.len() - rest.len();
    let content = match content {
        Cow::Borrowed(_) => Some(Cow::Borrowed(text.get(1..end - 1)?)),
        Cow::Owned(content) => String::from_utf8(content).ok().map(Cow::Owned),
    };
    Some((content, text.get(end..)?))
}

/// A scalar repeated to the caller.
pub(crate) fn shown(scalar: &Scalar<'_>) -> String {
    match scalar {
        Scalar::Number(digits) if digits.len() <= ECHO_CHARACTERS_MAX => (*digits).to_owned(),
        Scalar::Text(text) => Echo(text).to_string(),
        other => other.kind().to_owned(),
    }
}
