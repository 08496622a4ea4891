//! Parser for the JSON bodies of the endpoints that need a key.
//!
//! Standard: RFC 8259. Unknown and duplicate names are refused, `null` for an optional input means
//! that it is absent, and nothing is converted. A refusal names the input, the error, what is
//! accepted, and the position: line and column, from 1, in characters. Values are read in place, so
//! that their positions are known; nothing of a body is copied except the requested strings.

use std::fmt::{self, Display};
use std::str::FromStr;

use serde::Deserializer as _;
use serde::de::{MapAccess, Visitor};
use serde_json::value::RawValue;
use toolkit_core::Position;
use toolkit_core::input::{self, Echo};
use toolkit_server::error_response::HttpError;

use crate::error::ApiError;

/// A request type: an object with these inputs.
pub(crate) trait Input: Sized {
    /// The names of the known inputs, in documented order.
    const NAMES: &'static [&'static str];

    /// Other names, each with the input that it stands for.
    const ALIASES: &'static [(&'static str, &'static str)] = &[];

    /// Reads the inputs from the object.
    ///
    /// # Errors
    ///
    /// 422 naming the first missing or invalid input.
    fn take(object: &Object<'_>) -> Result<Self, HttpError>;
}

/// Reads the body of a request.
///
/// # Errors
///
/// 422 with the error and its position.
pub(crate) fn read<I: Input>(body: &[u8]) -> Result<I, HttpError> {
    let text = str::from_utf8(body).map_err(|error| {
        let offset = error.valid_up_to();
        refuse(format!("The body is not UTF-8 at byte {offset}."))
    })?;
    if text.trim_ascii().is_empty() {
        let names = list(I::NAMES);
        return Err(refuse(format!(
            "The body is empty; send a JSON object with {names}."
        )));
    }
    let value = serde_json::from_str(text).map_err(|error| not_json(text, &error))?;
    object::<I>(text, value, String::new())
}

fn refuse(detail: String) -> HttpError {
    ApiError::InvalidInput(detail).into()
}

fn not_json(text: &str, error: &serde_json::Error) -> HttpError {
    refuse(input::not_json(text.as_bytes(), error).to_string())
}

fn list(names: &[&str]) -> String {
    let names = names.iter().map(|name| format!("`{name}`"));
    names.collect::<Vec<_>>().join(", ")
}

/// Prefix of the names of its inputs: empty, or `messages[0].`.
fn object<I: Input>(text: &str, value: &RawValue, path: String) -> Result<I, HttpError> {
    let mut object = Object {
        text,
        path,
        values: Vec::with_capacity(I::NAMES.len()),
    };
    for (name, value) in object.members(value)? {
        object.put::<I>(&name, value)?;
    }
    I::take(&object)
}

/// The inputs of one object, each with its position.
pub(crate) struct Object<'b> {
    text: &'b str,
    path: String,
    values: Vec<(&'static str, &'b RawValue)>,
}

impl<'b> Object<'b> {
    /// Reads a required string.
    pub(crate) fn text(&self, name: &'static str) -> Result<String, HttpError> {
        self.optional_text(name)?.ok_or_else(|| self.missing(name))
    }

    /// Reads an optional string.
    pub(crate) fn optional_text(&self, name: &'static str) -> Result<Option<String>, HttpError> {
        let Some(value) = self.get(name) else {
            return Ok(None);
        };
        if !value.get().starts_with('"') {
            return Err(self.wrong_type(name, "a string", value));
        }
        // An escaped lone surrogate passes the JSON parser but is not text.
        serde_json::from_str(value.get()).map_err(|_| {
            let place = self.place(value);
            self.refuse(
                name,
                &format!("must be Unicode text; the string at {place} is not"),
            )
        })
    }

    /// Reads an optional boolean, which may also be written as a string.
    pub(crate) fn optional_flag(&self, name: &'static str) -> Result<Option<bool>, HttpError> {
        let Some(value) = self.get(name) else {
            return Ok(None);
        };
        match value.get().trim_matches('"') {
            "true" => Ok(Some(true)),
            "false" => Ok(Some(false)),
            _ if value.get().starts_with('"') => {
                let place = self.place(value);
                let what = format!("must be true or false; the string at {place} is neither");
                Err(self.refuse(name, &what))
            }
            _ => Err(self.wrong_type(name, "a boolean", value)),
        }
    }

    /// Reads a required string of a special form, whose errors read after a name.
    pub(crate) fn parse<T>(&self, name: &'static str) -> Result<T, HttpError>
    where
        T: FromStr<Err: Display>,
    {
        let text = self.text(name)?;
        text.parse()
            .map_err(|error: T::Err| self.refuse(name, &error.to_string()))
    }

    /// Reads a required array of objects.
    pub(crate) fn list<I: Input>(&self, name: &'static str) -> Result<Vec<I>, HttpError> {
        let value = self.get(name).ok_or_else(|| self.missing(name))?;
        if !value.get().starts_with('[') {
            return Err(self.wrong_type(name, "an array of objects", value));
        }
        let items: Vec<&RawValue> =
            serde_json::from_str(value.get()).map_err(|error| not_json(self.text, &error))?;
        let item = |(index, item)| {
            let path = format!("{}{name}[{index}].", self.path);
            object::<I>(self.text, item, path)
        };
        items.into_iter().enumerate().map(item).collect()
    }

    /// Refuses an input with a predicate that follows its name ("must be …").
    pub(crate) fn refuse(&self, name: &str, predicate: &str) -> HttpError {
        refuse(format!("`{}{name}` {predicate}.", self.path))
    }

    fn missing(&self, name: &str) -> HttpError {
        self.refuse(name, "is required")
    }

    fn wrong_type(&self, name: &str, wanted: &str, value: &RawValue) -> HttpError {
        let (kind, place) = (kind(value), self.place(value));
        self.refuse(name, &format!("must be {wanted}, not {kind}, at {place}"))
    }

    fn get(&self, name: &str) -> Option<&'b RawValue> {
        let found = self.values.iter().find(|(known, _)| *known == name);
        found.map(|(_, value)| *value)
    }

    fn members(&self, value: &'b RawValue) -> Result<Vec<(String, &'b RawValue)>, HttpError> {
        if !value.get().starts_with('{') {
            let (kind, place) = (kind(value), self.place(value));
            return Err(match self.path.strip_suffix('.') {
                Some(name) => refuse(format!(
                    "`{name}` must be an object, not {kind}, at {place}."
                )),
                None => refuse(format!("The body must be a JSON object, not {kind}.")),
            });
        }
        let mut reader = serde_json::Deserializer::from_str(value.get());
        reader.deserialize_map(Members(Vec::new())).map_err(|_| {
            let place = self.place(value);
            refuse(format!(
                "A name in the object at {place} is not Unicode text."
            ))
        })
    }

    fn put<I: Input>(&mut self, given: &str, value: &'b RawValue) -> Result<(), HttpError> {
        let place = self.place(value);
        let alias = I::ALIASES.iter().find(|(alias, _)| *alias == given);
        let name = alias.map_or(given, |(_, name)| name);
        let Some(name) = I::NAMES.iter().copied().find(|known| *known == name) else {
            let (name, known) = (Echo(given), list(I::NAMES));
            return Err(refuse(match self.path.strip_suffix('.') {
                Some(path) => {
                    format!("`{path}` has no {name}, as given at {place}; it has {known}.")
                }
                None => {
                    format!(
                        "There is no input {name}, as given at {place}; the inputs are {known}."
                    )
                }
            }));
        };
        if value.get() == "null" {
            return Ok(());
        }
        if self.get(name).is_some() {
            let alias = I::ALIASES.iter().find(|(_, of)| *of == name);
            let hint = alias.map_or_else(String::new, |(alias, _)| {
                format!("; `{alias}` is another name of it")
            });
            let twice = format!("is given twice, again at {place}{hint}");
            return Err(self.refuse(name, &twice));
        }
        self.values.push((name, value));
        Ok(())
    }

    /// Position of a value in the body.
    fn place(&self, value: &RawValue) -> Position {
        let offset = (value.get().as_ptr().addr()).saturating_sub(self.text.as_ptr().addr());
        Position::line_column(self.text, offset)
    }
}

/// Names and values. A serde map would keep only the last of several members with one name.
struct Members<'b>(Vec<(String, &'b RawValue)>);

impl<'b> Visitor<'b> for Members<'b> {
    type Value = Vec<(String, &'b RawValue)>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'b>>(mut self, mut map: A) -> Result<Self::Value, A::Error> {
        while let Some(member) = map.next_entry()? {
            self.0.push(member);
        }
        Ok(self.0)
    }
}

/// The type of a value, in words.
fn kind(value: &RawValue) -> &'static str {
    match value.get().bytes().next() {
        Some(b'{') => "an object",
        Some(b'[') => "an array",
        Some(b'"') => "a string",
        Some(b't' | b'f') => "a boolean",
        Some(b'n') => "null",
        _ => "a number",
    }
}

#[cfg(test)]
mod tests {
    use actix_web::http::StatusCode;

    use super::*;

    #[derive(Debug, PartialEq)]
    struct Form {
        name: String,
        note: Option<String>,
        items: Vec<Item>,
    }

    #[derive(Debug, PartialEq)]
    struct Item(String);

    impl Input for Form {
        const NAMES: &'static [&'static str] = &["name", "note", "items"];
        const ALIASES: &'static [(&'static str, &'static str)] = &[("remark", "note")];

        fn take(object: &Object<'_>) -> Result<Self, HttpError> {
            Ok(Self {
                name: object.text("name")?,
                note: object.optional_text("note")?,
                items: object.list("items")?,
            })
        }
    }

    impl Input for Item {
        const NAMES: &'static [&'static str] = &["id"];

        fn take(object: &Object<'_>) -> Result<Self, HttpError> {
            object.text("id").map(Self)
        }
    }

    #[track_caller]
    fn err(body: &str, detail: &str) {
        let refusal = read::<Form>(body.as_bytes()).unwrap_err();
        assert_eq!(refusal.status(), StatusCode::UNPROCESSABLE_ENTITY, "{body}");
        assert_eq!(refusal.detail(), detail, "{body}");
    }

    #[test]
    fn an_object_is_read_in_any_order_and_null_is_absent() {
        let form = read::<Form>(
            br#" {"items": [{"id": "\u00e4"}], "note": null, "remark": "r", "name": ""} "#,
        );
        let expected = Form {
            name: String::new(),
            note: Some("r".to_owned()),
            items: vec![Item("ä".to_owned())],
        };
        assert_eq!(form.unwrap(), expected);
    }

    #[test]
    fn what_is_not_json_is_refused_with_its_place_in_characters() {
        err(
            "",
            "The body is empty; send a JSON object with `name`, `note`, `items`.",
        );
        err(
            "{\"ä\": x}",
            "The body is not valid JSON: expected value at line 1, column 7.",
        );
        err(
            "{\n \"name\": \"a\"\n \"b\"}",
            "The body is not valid JSON: expected `,` or `}` at line 3, column 2.",
        );
        err(
            "{\"name\": \"a\"} {}",
            "The body is not valid JSON: trailing characters at line 1, column 15.",
        );
        err(
            "\u{feff}{}",
            "The body is not valid JSON: expected value at line 1, column 1; send it without a byte order mark.",
        );
        let refusal = read::<Form>(b"{\"name\": \"\xff\"}").unwrap_err();
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
            err(
                body,
                &format!("The body must be a JSON object, not {kind}."),
            );
        }
        // Deep nesting uses no stack.
        let deep = "[".repeat(500_000) + &"]".repeat(500_000);
        err(&deep, "The body must be a JSON object, not an array.");
    }

    #[test]
    fn unknown_repeated_and_missing_inputs_are_named() {
        err(
            r#"{"nmae": 1}"#,
            "There is no input `nmae`, as given at line 1, column 10; the inputs are `name`, `note`, `items`.",
        );
        err(
            r#"{"name": "a", "name": "b"}"#,
            "`name` is given twice, again at line 1, column 23.",
        );
        err(
            r#"{"note": "a", "remark": "b"}"#,
            "`note` is given twice, again at line 1, column 25; `remark` is another name of it.",
        );
        err(r#"{"items": []}"#, "`name` is required.");
        err(r#"{"name": null}"#, "`name` is required.");
        err(r#"{"name": "a"}"#, "`items` is required.");
    }

    #[test]
    fn a_wrong_type_is_named_with_its_place_and_nothing_is_converted() {
        err(
            "{\n  \"name\": 5}",
            "`name` must be a string, not a number, at line 2, column 11.",
        );
        err(
            r#"{"name": "a", "note": true}"#,
            "`note` must be a string, not a boolean, at line 1, column 23.",
        );
        err(
            r#"{"name": "a", "items": {}}"#,
            "`items` must be an array of objects, not an object, at line 1, column 24.",
        );
        err(
            r#"{"name": "a", "items": ["b"]}"#,
            "`items[0]` must be an object, not a string, at line 1, column 25.",
        );
        err(
            r#"{"name": "a", "items": [{"id": "b"}, {"id": null}]}"#,
            "`items[1].id` is required.",
        );
        err(
            r#"{"name": "a", "items": [{"id": "b", "x": 1}]}"#,
            "`items[0]` has no `x`, as given at line 1, column 42; it has `id`.",
        );
        err(
            r#"{"name": "\ud800"}"#,
            "`name` must be Unicode text; the string at line 1, column 10 is not.",
        );
    }
}
