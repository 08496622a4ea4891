//! Input reader: JSON bodies and forms of the endpoints that need a key.
//!
//! Standard: RFC 8259. A request is a `Deserialize` struct with `deny_unknown_fields`, and this
//! module words serde's errors. A message names the input, the error, what is accepted, and the
//! position: line and column, from 1, in characters; none for a form, whose sender wrote no JSON.
//! Reports only the first error.

use std::collections::BTreeMap;
use std::fmt::{self, Display};
use std::marker::PhantomData;
use std::str::FromStr;

use serde::de::value::MapAccessDeserializer;
use serde::de::{DeserializeOwned, Error as _, IntoDeserializer as _, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;
use serde_json::{Map, Value as Json};
use serde_path_to_error::{Path, Segment};
use toolkit_core::Position;
use toolkit_core::input::{self, Echo};
use toolkit_server::error_response::HttpError;

use crate::error::ApiError;

/// Reads a request body.
///
/// # Errors
///
/// 422 with the error and its position.
pub(crate) fn read<I: DeserializeOwned>(body: &[u8]) -> Result<I, HttpError> {
    let text = str::from_utf8(body).map_err(|error| {
        let offset = error.valid_up_to();
        refuse(format!("The body is not UTF-8 at byte {offset}."))
    })?;
    if text.trim_ascii().is_empty() {
        return Err(refuse("The body is empty. Send a JSON object.".to_owned()));
    }
    let syntax = |error| refuse(input::not_json(body, &error).to_string());
    // Syntax first: an error about a value could hide the reason the body is unreadable.
    let _: &RawValue = serde_json::from_str(text).map_err(syntax)?;
    read_from(&mut serde_json::Deserializer::from_str(text), Some(text))
}

/// Reads the fields of a form.
///
/// # Errors
///
/// 422 with the error.
pub(crate) fn read_fields<I: DeserializeOwned>(fields: Map<String, Json>) -> Result<I, HttpError> {
    read_from(Json::Object(fields), None)
}

fn read_from<'de, I: DeserializeOwned>(
    reader: impl Deserializer<'de, Error = serde_json::Error>,
    text: Option<&str>,
) -> Result<I, HttpError> {
    let Object(request) = serde_path_to_error::deserialize(reader).map_err(|error| {
        let path = error.path().clone();
        refuse(sentence(text, &path, &error.into_inner()))
    })?;
    Ok(request)
}

/// Merges an input with its alias.
///
/// # Errors
///
/// 422 when both are given.
pub(crate) fn either<T>(
    (name, value): (&str, Option<T>),
    (alias, other): (&str, Option<T>),
) -> Result<Option<T>, HttpError> {
    match (value, other) {
        (Some(_), Some(_)) => {
            Err(refuse(format!("`{name}` is given twice: `{alias}` is another name of it.")))
        }
        (value, other) => Ok(value.or(other)),
    }
}

/// 422 for an absent input.
pub(crate) fn missing(name: &str) -> HttpError {
    refuse(format!("`{name}` is required."))
}

fn refuse(detail: String) -> HttpError {
    ApiError::InvalidInput(detail).into()
}

/// A struct written as an object. serde's derived code would also accept an array of its values.
pub(crate) struct Object<T>(pub(crate) T);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Object<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Members<T>(PhantomData<T>);

        impl<'de, T: Deserialize<'de>> Visitor<'de> for Members<T> {
            type Value = Object<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
                T::deserialize(MapAccessDeserializer::new(map)).map(Object)
            }
        }

        deserializer.deserialize_map(Members(PhantomData))
    }
}

/// A string in a special format, whose errors read after a name ("must be …").
pub(crate) struct Parsed<T>(pub(crate) T);

impl<'de, T: FromStr<Err: Display>> Deserialize<'de> for Parsed<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map(Self).map_err(D::Error::custom)
    }
}

/// One of several words. serde's derived code would also accept an object with the word as key.
pub(crate) struct Word<T>(pub(crate) T);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Word<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        T::deserialize(text.into_deserializer()).map(Self)
    }
}

/// Reads a boolean, which may also be written as a string.
pub(crate) fn flag<'de, D: Deserializer<'de>>(deserializer: D) -> Result<bool, D::Error> {
    struct Flag;

    impl Visitor<'_> for Flag {
        type Value = bool;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a boolean")
        }

        fn visit_bool<E>(self, value: bool) -> Result<bool, E> {
            Ok(value)
        }

        fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<bool, E> {
            text.parse().map_err(|_| E::custom("must be true or false"))
        }

        fn visit_unit<E: serde::de::Error>(self) -> Result<bool, E> {
            Ok(false)
        }
    }

    deserializer.deserialize_any(Flag)
}

/// Words a serde error: the input's name, the error, what is accepted, and the position in the JSON
/// text, if it comes from one.
fn sentence(text: Option<&str>, path: &Path, error: &serde_json::Error) -> String {
    let at = || text.map_or_else(String::new, |text| format!("{}: ", place(text, path)));
    let message = error.to_string();
    let message = message.rsplit_once(" at line ").map_or(message.as_str(), |(it, _)| it);
    let of_member = |name: &str| match path.iter().next() {
        Some(_) => format!("`{path}.{name}`"),
        None => format!("`{name}`"),
    };
    if let Some(name) = quoted(message, "missing field `") {
        return format!("{} is required.", of_member(name));
    }
    if let Some(name) = quoted(message, "duplicate field `") {
        let at = place_after(text.unwrap_or_default(), error);
        return format!("{at}: {} is given twice. Leave one out.", of_member(name));
    }
    if let Some((name, known)) =
        message.strip_prefix("unknown field `").and_then(|rest| rest.rsplit_once("`, expected "))
    {
        // The path is the unknown member's own.
        let path = path.to_string();
        let object = path.strip_suffix(name).unwrap_or(&path);
        let (name, known) = (Echo(name), known.trim_start_matches("one of "));
        return match object.strip_suffix('.') {
            Some(object) => format!("{}`{object}` has no {name}; it has {known}.", at()),
            None if text.is_none() => format!("The form has no field {name}. It takes {known}."),
            None => format!("{}unknown input {name}. This endpoint takes {known}.", at()),
        };
    }
    if let Some((kind, wanted)) =
        message.strip_prefix("invalid type: ").and_then(|rest| rest.rsplit_once(", expected "))
    {
        let kind = kind_of(kind);
        return match (path.iter().next(), kind) {
            (None, _) => format!("The body must be a JSON object, not {kind}."),
            (Some(_), "null") => format!("`{path}` is required."),
            (Some(_), _) => {
                let wanted = wanted.replace("a sequence", "an array of objects");
                format!("{}`{path}` must be {wanted}, not {kind}.", at())
            }
        };
    }
    if let Some((_, known)) = message.split_once("`, expected ") {
        let known = known.trim_start_matches("one of ");
        return match known.rsplit_once(", ") {
            Some((all, last)) => format!("{}`{path}` must be {all} or {last}.", at()),
            None => format!("{}`{path}` must be {known}.", at()),
        };
    }
    if error.is_data() {
        return format!("{}`{path}` {message}.", at());
    }
    format!("{}`{path}` must be Unicode text.", at())
}

/// The name that a message quotes after `words`.
fn quoted<'m>(message: &'m str, words: &str) -> Option<&'m str> {
    message.strip_prefix(words)?.strip_suffix('`')
}

/// The JSON type in a serde error, without the value.
fn kind_of(unexpected: &str) -> &'static str {
    match unexpected.split(' ').next() {
        Some("map") => "an object",
        Some("sequence") => "an array",
        Some("string") => "a string",
        Some("boolean") => "a boolean",
        Some("null") => "null",
        _ => "a number",
    }
}

/// Position of a value.
fn place(text: &str, path: &Path) -> Position {
    let mut value = text.trim_ascii();
    for segment in path {
        let inner: Option<&RawValue> = match segment {
            Segment::Map { key } => serde_json::from_str::<BTreeMap<String, &RawValue>>(value)
                .ok()
                .and_then(|mut members| members.remove(key)),
            Segment::Seq { index } => serde_json::from_str::<Vec<&RawValue>>(value)
                .ok()
                .and_then(|items| items.get(*index).copied()),
            _ => None,
        };
        value = inner.map_or(value, RawValue::get);
    }
    Position::line_column(text, value.as_ptr().addr() - text.as_ptr().addr())
}

/// Position of the value whose name an error is about.
fn place_after(text: &str, error: &serde_json::Error) -> Position {
    let lines = text.split_inclusive('\n').take(error.line() - 1);
    let name_end = lines.map(str::len).sum::<usize>() + error.column();
    let rest = text.get(name_end..).unwrap_or_default();
    let value = rest.trim_start_matches([':', ' ', '\t', '\r', '\n']);
    Position::line_column(text, text.len() - value.len())
}

#[cfg(test)]
mod tests {
    use actix_web::http::StatusCode;

    use super::*;

    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Form {
        name: String,
        note: Option<String>,
        items: Vec<Object<Item>>,
        mode: Option<Word<Mode>>,
        #[serde(default, deserialize_with = "flag")]
        live: bool,
    }

    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Item {
        id: String,
    }

    #[derive(Debug, Deserialize, PartialEq)]
    #[serde(rename_all = "lowercase")]
    enum Mode {
        A,
        B,
        C,
    }

    #[track_caller]
    fn err(body: &str, detail: &str) {
        let refusal = read::<Form>(body.as_bytes()).map(drop).unwrap_err();
        assert_eq!(refusal.status(), StatusCode::UNPROCESSABLE_ENTITY, "{body}");
        assert_eq!(refusal.detail(), detail, "{body}");
    }

    #[test]
    fn an_object_is_read_in_any_order_and_null_is_absent() {
        let form: Form = read(
            br#" {"items": [{"id": "\u00e4"}], "note": null, "live": "true", "name": "", "mode": "b"} "#,
        )
        .unwrap();
        assert_eq!((form.name.as_str(), form.note), ("", None));
        assert_eq!(form.items[0].0.id, "ä");
        assert_eq!((form.mode.unwrap().0, form.live), (Mode::B, true));
        let form: Form =
            read(br#"{"note": "r", "mode": null, "live": null, "name": "", "items": []}"#).unwrap();
        assert_eq!((form.note.as_deref(), form.live), (Some("r"), false));
    }

    #[test]
    fn what_is_not_json_is_refused_with_its_place_in_characters() {
        err("", "The body is empty. Send a JSON object.");
        err("{\"ä\": x}", "line 1, column 7: the body is not valid JSON: expected value.");
        err(
            "{\n \"name\": \"a\"\n \"b\"}",
            "line 3, column 2: the body is not valid JSON: expected `,` or `}`.",
        );
        err(
            "{\"name\": \"a\"} {}",
            "line 1, column 15: the body is not valid JSON: trailing characters.",
        );
        err(
            "\u{feff}{}",
            "line 1, column 1: the body is not valid JSON: expected value. Send it without a byte order mark.",
        );
        let refusal = read::<Form>(b"{\"name\": \"\xff\"}").map(drop).unwrap_err();
        assert_eq!(refusal.detail(), "The body is not UTF-8 at byte 10.");
    }

    #[test]
    fn a_value_that_is_not_an_object_is_refused() {
        for (body, kind) in [
            ("[]", "an array"),
            ("\"x\"", "a string"),
            ("1", "a number"),
            ("-1", "a number"),
            ("true", "a boolean"),
            ("null", "null"),
        ] {
            err(body, &format!("The body must be a JSON object, not {kind}."));
        }
        // Deep nesting uses no stack.
        let deep = "[".repeat(500_000) + &"]".repeat(500_000);
        err(&deep, "The body must be a JSON object, not an array.");
    }

    #[test]
    fn unknown_repeated_and_missing_inputs_are_named() {
        err(
            r#"{"nmae": 1}"#,
            "line 1, column 10: unknown input `nmae`. This endpoint takes `name`, `note`, `items`, `mode`, `live`.",
        );
        err(
            r#"{"name": "a", "name": "b"}"#,
            "line 1, column 23: `name` is given twice. Leave one out.",
        );
        err(r#"{"items": []}"#, "`name` is required.");
        err(r#"{"name": null}"#, "`name` is required.");
        err(r#"{"name": "a"}"#, "`items` is required.");
        err(r#"{"name": "a", "items": [{"id": "b"}, {}]}"#, "`items[1].id` is required.");
    }

    #[test]
    fn a_wrong_type_is_named_with_its_place_and_nothing_is_converted() {
        err("{\n  \"name\": 5}", "line 2, column 11: `name` must be a string, not a number.");
        err(
            r#"{"name": "a", "note": true}"#,
            "line 1, column 23: `note` must be a string, not a boolean.",
        );
        err(
            r#"{"name": "a", "items": {}}"#,
            "line 1, column 24: `items` must be an array of objects, not an object.",
        );
        err(
            r#"{"name": "a", "items": ["b"]}"#,
            "line 1, column 25: `items[0]` must be an object, not a string.",
        );
        err(r#"{"name": "a", "items": [{"id": "b"}, {"id": null}]}"#, "`items[1].id` is required.");
        err(
            r#"{"name": "a", "items": [{"id": "b", "x": 1}]}"#,
            "line 1, column 42: `items[0]` has no `x`; it has `id`.",
        );
        err(
            r#"{"name": "a", "items": [["b"]]}"#,
            "line 1, column 25: `items[0]` must be an object, not an array.",
        );
        err(
            r#"{"name": "a", "items": [], "mode": "x"}"#,
            "line 1, column 36: `mode` must be `a`, `b` or `c`.",
        );
        err(
            r#"{"name": "a", "items": [], "mode": {"a": null}}"#,
            "line 1, column 36: `mode` must be a string, not an object.",
        );
        err(
            r#"{"name": "a", "items": [], "live": "x"}"#,
            "line 1, column 36: `live` must be true or false.",
        );
        err(r#"{"name": "\ud800"}"#, "line 1, column 10: `name` must be Unicode text.");
    }
}
