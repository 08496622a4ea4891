//! Scalars: the JSON values that an input field can hold.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

use crate::echo::Echo;
use crate::error::{ErrorKind, ToolError};

/// Value of an input.
#[derive(Debug, Clone, PartialEq)]
pub enum Scalar<'de> {
    /// `null`, or absent.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number without a fraction or an exponent, from -2^63 to 2^64-1.
    Integer(i128),
    /// Any other number.
    Float(f64),
    /// A string, borrowed from the body if it has no escapes.
    Text(Cow<'de, str>),
    /// An array: no input accepts one.
    Array,
    /// An object: no input accepts one.
    Object,
}

impl Scalar<'_> {
    /// Name of the JSON type, with an article.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool(_) => "a boolean",
            Self::Integer(_) | Self::Float(_) => "a number",
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

impl<'de> Deserialize<'de> for Scalar<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ScalarVisitor)
    }
}

struct ScalarVisitor;

impl<'de> Visitor<'de> for ScalarVisitor {
    type Value = Scalar<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string, a number, true, false or null")
    }

    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(Scalar::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Self::Value, E> {
        Ok(Scalar::Bool(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Self::Value, E> {
        Ok(Scalar::Integer(value.into()))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Self::Value, E> {
        Ok(Scalar::Integer(value.into()))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Self::Value, E> {
        Ok(Scalar::Float(value))
    }

    fn visit_borrowed_str<E>(self, value: &'de str) -> Result<Self::Value, E> {
        Ok(Scalar::Text(Cow::Borrowed(value)))
    }

    fn visit_str<E>(self, value: &str) -> Result<Self::Value, E> {
        Ok(Scalar::Text(Cow::Owned(value.to_owned())))
    }

    // The contents are skipped without recursion: no input accepts them, but the parser must reach
    // the end to say so.
    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Self::Value, A::Error> {
        while items.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Scalar::Array)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Self::Value, A::Error> {
        while members.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(Scalar::Object)
    }
}

/// A scalar repeated to the caller.
pub(crate) fn shown(scalar: &Scalar<'_>) -> String {
    match scalar {
        Scalar::Integer(value) => value.to_string(),
        Scalar::Float(value) => value.to_string(),
        Scalar::Text(text) => Echo(text).to_string(),
        other => other.kind().to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use serde::de::value::{BytesDeserializer, Error};

    use super::*;

    #[test]
    fn bytes_are_not_a_scalar() {
        let bytes: BytesDeserializer<'_, Error> = BytesDeserializer::new(b"ab");
        let error = Scalar::deserialize(bytes).unwrap_err().to_string();
        let expected = "expected a string, a number, true, false or null";
        assert!(error.contains(expected), "{error}");
    }
}
