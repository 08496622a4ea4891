//! Field types: accepted values and schema of each.

use std::borrow::Cow;

use serde_json::{Map, Value as Json};

use super::scalar::{Scalar, shown};
use crate::echo::Echo;
use crate::error::{ErrorKind, ToolError};

/// Type of an input.
pub trait Value<'de>: Sized {
    /// JSON Schema of the accepted values, without a description.
    fn schema() -> Map<String, Json>;

    /// Converts a value that is not [`Scalar::Null`].
    ///
    /// # Errors
    ///
    /// Says what was wrong and what is accepted, without the field's name.
    fn from_scalar(scalar: Scalar<'de>) -> Result<Self, ToolError>;

    /// Whether a call without this input is refused.
    const REQUIRED: bool = true;

    /// Value of an absent input, if it may be absent.
    fn absent() -> Option<Self> {
        None
    }

    /// The value as used in a schema's `default`.
    fn to_json(&self) -> Json;
}

impl<'de> Value<'de> for Cow<'de, str> {
    fn schema() -> Map<String, Json> {
        schema([("type", "string".into())])
    }

    fn from_scalar(scalar: Scalar<'de>) -> Result<Self, ToolError> {
        match scalar {
            Scalar::Text(text) => Ok(text),
            other => Err(other.not("a string")),
        }
    }

    fn to_json(&self) -> Json {
        self.as_ref().into()
    }
}

impl<'de> Value<'de> for bool {
    fn schema() -> Map<String, Json> {
        schema([("type", "boolean".into())])
    }

    fn from_scalar(scalar: Scalar<'de>) -> Result<Self, ToolError> {
        match scalar {
            Scalar::Bool(value) => Ok(value),
            // Python writes `True`.
            Scalar::Text(text) if text.eq_ignore_ascii_case("true") => Ok(true),
            Scalar::Text(text) if text.eq_ignore_ascii_case("false") => Ok(false),
            Scalar::Text(text) => {
                let refusal = ToolError::new(format!("is {}", Echo(&text))).of(ErrorKind::Range);
                Err(refusal.with_hint("use true or false"))
            }
            other => Err(other.not("true or false")),
        }
    }

    fn to_json(&self) -> Json {
        (*self).into()
    }
}

impl<'de, T: Value<'de>> Value<'de> for Option<T> {
    fn schema() -> Map<String, Json> {
        T::schema()
    }

    fn from_scalar(scalar: Scalar<'de>) -> Result<Self, ToolError> {
        T::from_scalar(scalar).map(Some)
    }

    const REQUIRED: bool = false;

    fn absent() -> Option<Self> {
        Some(None)
    }

    fn to_json(&self) -> Json {
        self.as_ref().map_or(Json::Null, T::to_json)
    }
}

/// Integer from `MIN` to `MAX`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Int<const MIN: u32, const MAX: u32>(u32);

impl<const MIN: u32, const MAX: u32> Int<MIN, MAX> {
    /// Creates the integer if it is in the range.
    pub const fn new(value: u32) -> Option<Self> {
        if MIN <= value && value <= MAX { Some(Self(value)) } else { None }
    }

    /// Creates the integer, clamped to the range: for defaults.
    pub const fn nearest(value: u32) -> Self {
        if value < MIN {
            Self(MIN)
        } else if value > MAX {
            Self(MAX)
        } else {
            Self(value)
        }
    }

    /// The integer.
    pub const fn get(self) -> u32 {
        self.0
    }
}

impl<'de, const MIN: u32, const MAX: u32> Value<'de> for Int<MIN, MAX> {
    fn schema() -> Map<String, Json> {
        schema([("type", "integer".into()), ("minimum", MIN.into()), ("maximum", MAX.into())])
    }

    fn from_scalar(scalar: Scalar<'de>) -> Result<Self, ToolError> {
        let range = || format!("use a whole number from {MIN} to {MAX}");
        let value = match &scalar {
            Scalar::Number(digits) => integer(digits).or_else(|| whole(digits)),
            Scalar::Text(text) => integer(text),
            other => return Err(other.not(&format!("a whole number from {MIN} to {MAX}"))),
        };
        value.and_then(|value| u32::try_from(value).ok()).and_then(Self::new).ok_or_else(|| {
            let refusal = ToolError::new(format!("is {}", shown(&scalar))).of(ErrorKind::Range);
            refusal.with_hint(range())
        })
    }

    fn to_json(&self) -> Json {
        self.0.into()
    }
}

/// Converts a float without a fraction, as JSON Schema counts `5.0` among the integers.
#[expect(clippy::cast_possible_truncation, reason = "the bound is far below 2^127")]
fn whole(digits: &str) -> Option<i128> {
    let value: f64 = digits.parse().ok()?;
    (value.fract() == 0.0 && value.abs() < 1e18).then_some(value as i128)
}

/// Parses an integer as JSON writes it: no plus sign, no leading zeros, no white space.
fn integer(text: &str) -> Option<i128> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let plain = digits.bytes().all(|byte| byte.is_ascii_digit());
    let padded = digits.len() > 1 && digits.starts_with('0');
    (plain && !padded).then(|| text.parse().ok())?
}

/// Builds a schema from its members.
pub(crate) fn schema<const N: usize>(members: [(&str, Json); N]) -> Map<String, Json> {
    members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

/// Adds the default to a field's schema.
pub(crate) fn with_default<'de>(
    mut schema: Map<String, Json>,
    default: &impl Value<'de>,
) -> Map<String, Json> {
    schema.insert("default".to_owned(), default.to_json());
    schema
}

/// Converts one value, or uses the default if it is absent. `None` if there is no default or the
/// value is refused.
pub(crate) fn convert<'de, T: Value<'de>>(
    name: &'static str,
    scalar: Option<Scalar<'de>>,
    default: Option<T>,
    refusals: &mut Vec<ToolError>,
) -> Option<T> {
    match scalar {
        None | Some(Scalar::Null) => default.or_else(T::absent),
        Some(scalar) => {
            T::from_scalar(scalar).map_err(|refusal| refusals.push(refusal.in_field(name))).ok()
        }
    }
}

/// Error for an unknown word, with the accepted ones.
pub(crate) fn no_such_word(scalar: &Scalar<'_>, words: &[&str]) -> ToolError {
    let words = words.join(", ");
    match scalar {
        Scalar::Text(_) | Scalar::Number(_) => {
            let refusal = ToolError::new(format!("is {}", shown(scalar))).of(ErrorKind::Range);
            refusal.with_hint(format!("use one of {words}"))
        }
        other => other.not(&format!("one of {words}")),
    }
}
