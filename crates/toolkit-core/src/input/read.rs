//! Body parser: from a JSON object to the fields of a tool's input.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};

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
        read.map_err(|error| {
            object
                .refusal
                .take()
                .unwrap_or_else(|| not_json(body, &error))
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
    let words: Vec<_> = words
        .into_iter()
        .flatten()
        .filter_map(|word| word.as_str())
        .collect();
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
        ToolError::new(format!(
            "There is no input {}; the inputs are {known}",
            Echo(name)
        ))
        .of(ErrorKind::Input)
        .alone()
    }

    fn set(&mut self, index: usize, value: Scalar<'de>) -> Result<(), ToolError> {
        let name = self
            .fields
            .get(index)
            .map_or(MAIN_INPUT_ALIAS, |field| field.name);
        if matches!(value, Scalar::Array | Scalar::Object) {
            return Err(value.not("a single value").field(name));
        }
        match self.values.get_mut(index) {
            Some(slot @ Scalar::Null) => *slot = value,
            _ if value == Scalar::Null => {}
            _ if index == self.main => {
                let twice = format!("is given twice; `{MAIN_INPUT_ALIAS}` is another name of it");
                return Err(ToolError::new(twice).of(ErrorKind::Input).field(name));
            }
            _ => {
                let refusal = ToolError::new("is given twice").of(ErrorKind::Input);
                return Err(refusal.field(name));
            }
        }
        Ok(())
    }

    /// Keeps the refusal, and returns an error that stops the deserializer.
    fn refuse<E: serde::de::Error>(&mut self, refusal: ToolError) -> E {
        self.refusal = Some(refusal);
        E::custom("refused")
    }

    fn not_an_object<E: serde::de::Error>(&mut self, kind: &str) -> E {
        let message = format!("must be a JSON object, not {kind}");
        self.refuse(ToolError::new(message).of(ErrorKind::Input).body())
    }
}

impl<'de> Visitor<'de> for &mut Object<'de> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(index) = map.next_key_seed(Name(self))? {
            let value = map.next_value()?;
            self.set(index, value)
                .map_err(|refusal| self.refuse(refusal))?;
        }
        Ok(())
    }

    fn visit_unit<E: serde::de::Error>(self) -> Result<(), E> {
        Err(self.not_an_object("null"))
    }

    fn visit_bool<E: serde::de::Error>(self, _: bool) -> Result<(), E> {
        Err(self.not_an_object("a boolean"))
    }

    fn visit_i64<E: serde::de::Error>(self, _: i64) -> Result<(), E> {
        Err(self.not_an_object("a number"))
    }

    fn visit_u64<E: serde::de::Error>(self, _: u64) -> Result<(), E> {
        Err(self.not_an_object("a number"))
    }

    fn visit_f64<E: serde::de::Error>(self, _: f64) -> Result<(), E> {
        Err(self.not_an_object("a number"))
    }

    fn visit_str<E: serde::de::Error>(self, _: &str) -> Result<(), E> {
        Err(self.not_an_object("a string"))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, _: A) -> Result<(), A::Error> {
        Err(self.not_an_object("an array"))
    }
}

/// The name of an input, read without copying it.
struct Name<'a, 'de>(&'a mut Object<'de>);

impl<'de> DeserializeSeed<'de> for Name<'_, 'de> {
    type Value = usize;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<usize, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl<'de> Visitor<'de> for Name<'_, 'de> {
    type Value = usize;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name of an input")
    }

    fn visit_str<E: serde::de::Error>(self, name: &str) -> Result<usize, E> {
        match self.0.index(name) {
            Some(index) => Ok(index),
            None => Err(self.0.refuse(self.0.unknown(name))),
        }
    }
}
