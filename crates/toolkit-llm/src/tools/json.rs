//! Arguments of a call: a JSON object, validated and without white space between tokens, but
//! otherwise as the model wrote it, with every digit and in its order.

use serde::de::IgnoredAny;
use serde_json::value::RawValue;

/// Error: arguments are not a JSON object. Worded for the model.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ArgumentsError(String);

pub(super) fn object(text: &str) -> Result<Box<RawValue>, ArgumentsError> {
    serde_json::from_str::<IgnoredAny>(text).map_err(|error| not_json(text, &error))?;
    if let Some(other) = kind(text) {
        let (line, column) = position(text, text.len() - text.trim_ascii_start().len());
        return Err(ArgumentsError(format!(
            "The arguments must be a JSON object, not {other}, at line {line}, column {column}."
        )));
    }
    RawValue::from_string(compact(text)).map_err(|error| not_json(text, &error))
}

fn not_json(text: &str, error: &serde_json::Error) -> ArgumentsError {
    let said = error.to_string();
    let reason = said
        .rsplit_once(" at line ")
        .map_or(said.as_str(), |(reason, _)| reason);
    let line = error.line().max(1);
    let start: usize = text
        .split_inclusive('\n')
        .take(line - 1)
        .map(str::len)
        .sum();
    let (line, column) = position(text, start + error.column().saturating_sub(1));
    ArgumentsError(format!(
        "The arguments are not valid JSON: {reason} at line {line}, column {column}; \
         send a JSON object."
    ))
}

/// Line and column of a byte offset, both from 1; columns count characters.
fn position(text: &str, offset: usize) -> (usize, usize) {
    let before = text.get(..offset.min(text.len())).unwrap_or(text);
    let line = before.matches('\n').count() + 1;
    let last = before.rsplit('\n').next().unwrap_or_default();
    (line, last.chars().count() + 1)
}

/// Names the type of a JSON value, unless it is an object.
fn kind(text: &str) -> Option<&'static str> {
    match text.trim_ascii_start().bytes().next() {
        Some(b'{') => None,
        Some(b'[') => Some("an array"),
        Some(b'"') => Some("a string"),
        Some(b't' | b'f') => Some("a boolean"),
        Some(b'n') => Some("null"),
        _ => Some("a number"),
    }
}

/// Removes the white space between the tokens of valid JSON.
fn compact(text: &str) -> String {
    let (mut in_string, mut escaped) = (false, false);
    text.chars()
        .filter(|&character| {
            if in_string {
                let ends = character == '"' && !escaped;
                escaped = character == '\\' && !escaped;
                in_string = !ends;
                return true;
            }
            in_string = character == '"';
            !character.is_ascii_whitespace()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_object_keeps_its_order_and_digits_and_loses_only_white_space() {
        let text = " {\"b\" : [1.0, 1E400 ],\r\n\t\"a\\\" \\\\\": \" x \", \"b\": null } ";
        assert_eq!(
            object(text).unwrap().get(),
            r#"{"b":[1.0,1E400],"a\" \\":" x ","b":null}"#
        );
    }

    #[test]
    fn anything_else_is_refused_with_its_place() {
        for (text, words) in [
            (
                "[1]",
                "must be a JSON object, not an array, at line 1, column 1.",
            ),
            ("\n \"x\"", "not a string, at line 2, column 2."),
            ("7", "not a number"),
            ("null", "not null"),
            ("true", "not a boolean"),
        ] {
            let said = object(text).unwrap_err().to_string();
            assert!(said.contains(words), "{said}");
        }
        for (text, place) in [
            ("{\"ä\": x}", "line 1, column 7;"),
            ("{\"a\":\n1", "line 2, column 1;"),
            ("{} {}", "line 1, column 4;"),
            ("", "line 1, column 1;"),
        ] {
            let said = object(text).unwrap_err().to_string();
            assert!(
                said.starts_with("The arguments are not valid JSON: "),
                "{said}"
            );
            assert!(said.contains(place), "{text}: {said}");
        }
        let deep = format!("{{\"a\":{}", "[".repeat(15_000));
        assert!(object(&deep).is_err());
    }
}
