//! Body parser: from a JSON object to the fields of a tool's input.

use std::borrow::Cow;
use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, Error, MapAccess, Visitor};

use super::{Echo, Field, Input, MAIN_INPUT_ALIAS, Scalar, Surface, plain};
use crate::error::{ErrorKind, Position, ToolError, json_reason};

/// Maximum number of inputs that a tool has: they are read into an array on the stack.
const FIELDS_MAX: usize = 8;

/// Parses the body of a request: a JSON object with the inputs, or nothing, which counts as `{}`.
///
/// Strings without escapes are borrowed from the body.
///
/// # Errors
///
/// Says where the body is not JSON, or which input is unknown, repeated, missing or refused.
pub fn from_body<'de, I: Input<'de>>(body: &'de [u8], accepted: Surface) -> Result<I, ToolError> {
    let mut object = Object::new::<I>(accepted);
    let plain = plain::read(body, |name, value| {
        let index = object.index(str::from_utf8(name).ok()?)?;
        object.set(index, value).ok()
    });
    if plain.is_some() {
        return object.finish();
    }
    let mut object = Object::new::<I>(accepted);
    if !body.is_empty() {
        let mut json = serde_json::Deserializer::from_slice(body);
        let read = json.deserialize_any(&mut object).and_then(|()| json.end());
        read.map_err(|error| match object.refusal.take() {
            Some(refusal) => refusal,
            None if error.is_data() => not_an_object(body),
            None => not_json(body, &error),
        })?;
    }
    object.finish()
}

/// Error for a body that is not JSON: where and why, with the column in characters.
pub fn not_json(body: &[u8], error: &serde_json::Error) -> ToolError {
    let reason = json_reason(error);
    let at = Position::LineColumn {
        line: error.line(),
        column: column(body, error),
    };
    let refusal = ToolError::new(format!("is not valid JSON: {reason}"))
        .at(at)
        .body();
    if body.starts_with(b"\xEF\xBB\xBF") {
        return refusal.with_hint("send it without a byte order mark");
    }
    refusal
}

/// Error for a body that is another JSON value than an object.
fn not_an_object(body: &[u8]) -> ToolError {
    let kind = match body.trim_ascii_start().first() {
        Some(b'[') => "an array",
        Some(b'"') => "a string",
        Some(b't' | b'f') => "a boolean",
        Some(b'n') => "null",
        _ => "a number",
    };
    let message = format!("must be a JSON object, not {kind}");
    ToolError::new(message).of(ErrorKind::Input).body()
}

/// Column of an error in characters; `serde_json` counts bytes.
fn column(body: &[u8], error: &serde_json::Error) -> usize {
    let line = body
        .split(|&byte| byte == b'\n')
        .nth(error.line().saturating_sub(1));
    let line = line.unwrap_or_default();
    let before = line.get(..error.column().saturating_sub(1)).unwrap_or(line);
    // All bytes of a character but its first are continuations (RFC 3629, section 3).
    1 + before.iter().filter(|&&byte| byte & 0xC0 != 0x80).count()
}

/// Name of an input, borrowed if it has no escapes.
#[derive(Deserialize)]
struct Name<'a>(#[serde(borrow)] Cow<'a, str>);

/// Inputs read so far.
struct Object<'de> {
    fields: &'static [Field],
    main: usize,
    accepted: Surface,
    values: [Scalar<'de>; FIELDS_MAX],
    refusal: Option<ToolError>,
}

/// Error for a missing required input; lists the accepted words if there are only a few.
fn missing_input(field: &Field) -> ToolError {
    let error = ToolError::new("is required")
        .of(ErrorKind::Input)
        .field(field.name);
    let schema = (field.schema)();
    let words = schema.get("enum").and_then(|words| words.as_array());
    let words = words.into_iter().flatten();
    let words: Vec<_> = words.filter_map(|word| word.as_str()).collect();
    if words.is_empty() {
        return error;
    }
    error.with_hint(format!("use one of {}", words.join(", ")))
}

impl<'de> Object<'de> {
    fn new<I: Input<'de>>(accepted: Surface) -> Self {
        const { assert!(I::FIELDS.len() <= FIELDS_MAX, "a tool has too many inputs") };
        Self {
            fields: I::FIELDS,
            main: I::MAIN,
            accepted,
            values: [const { Scalar::Null }; FIELDS_MAX],
            refusal: None,
        }
    }

    fn finish<I: Input<'de>>(self) -> Result<I, ToolError> {
        let missing = self
            .fields
            .iter()
            .zip(&self.values)
            .find(|(field, value)| **value == Scalar::Null && self.accepted.requires(field));
        if let Some((field, _)) = missing {
            return Err(missing_input(field));
        }
        I::from_scalars(&mut self.values.into_iter())
    }

    /// Index of the field with a name on this surface.
    fn index(&self, name: &str) -> Option<usize> {
        if name == MAIN_INPUT_ALIAS {
            return Some(self.main);
        }
        let index = self.fields.iter().position(|field| field.name == name)?;
        self.accepted.takes(name).then_some(index)
    }

    fn unknown(&self, name: &str) -> ToolError {
        let known = self.accepted.list(self.fields);
        let message = format!("There is no input {}; the inputs are {known}", Echo(name));
        ToolError::new(message).of(ErrorKind::Input).alone()
    }

    fn set(&mut self, index: usize, value: Scalar<'de>) -> Result<(), ToolError> {
        let refusal = match self.values.get_mut(index) {
            _ if matches!(value, Scalar::Array | Scalar::Object) => value.not("a single value"),
            Some(slot @ Scalar::Null) => {
                *slot = value;
                return Ok(());
            }
            _ if value == Scalar::Null => return Ok(()),
            _ if index == self.main => {
                let twice = format!("is given twice; `{MAIN_INPUT_ALIAS}` is another name of it");
                ToolError::new(twice).of(ErrorKind::Input)
            }
            _ => ToolError::new("is given twice").of(ErrorKind::Input),
        };
        let field = self.fields.get(index);
        Err(refusal.field(field.map_or(MAIN_INPUT_ALIAS, |field| field.name)))
    }

    /// Keeps the refusal, and returns an error that stops the deserializer.
    fn refuse<E: Error>(&mut self, refusal: ToolError) -> E {
        self.refusal = Some(refusal);
        E::custom("refused")
    }
}

impl<'de> Visitor<'de> for &mut Object<'de> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(Name(name)) = map.next_key()? {
            let Some(index) = self.index(&name) else {
                return Err(self.refuse(self.unknown(&name)));
            };
            let value = map.next_value()?;
            self.set(index, value)
                .map_err(|refusal| self.refuse(refusal))?;
        }
        Ok(())
    }
}
