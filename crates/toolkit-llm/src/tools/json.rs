//! Call arguments: a JSON object, validated and without white space between tokens, but otherwise
//! as the model wrote it, with every digit and in its order.

use std::collections::BTreeMap;

use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

/// Error: arguments are not a JSON object, or not the expected one. Worded for the model.
#[derive(Debug, thiserror::Error)]
#[error("The arguments are invalid: {}. Send a JSON object.", reason(.0))]
pub struct ArgumentsError(#[from] serde_json::Error);

fn reason(error: &serde_json::Error) -> String {
    match error.to_string() {
        _ if error.is_eof() && (error.line(), error.column()) == (1, 0) => {
            "they are empty".to_owned()
        }
        text if text.contains(", expected a map at ") => "they are not an object".to_owned(),
        text => text,
    }
}

pub(super) fn parse<T: DeserializeOwned>(text: &str) -> Result<T, ArgumentsError> {
    Ok(serde_json::from_str(text)?)
}

pub(super) fn object(text: &str) -> Result<Box<RawValue>, ArgumentsError> {
    parse::<BTreeMap<String, Box<RawValue>>>(text)?;
    Ok(RawValue::from_string(compact(text))?)
}

/// Removes the white space between the tokens of valid JSON. A line break would end an event stream
/// line.
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
        assert_eq!(object(text).unwrap().get(), r#"{"b":[1.0,1E400],"a\" \\":" x ","b":null}"#);
    }

    #[test]
    fn anything_else_is_refused_with_its_place() {
        for (text, words) in [
            ("[1]", "they are not an object."),
            ("\n \"x\"", "they are not an object."),
            ("7", "they are not an object."),
            ("null", "they are not an object."),
            ("true", "they are not an object."),
            ("{\"a\": x}", "line 1 column 7."),
            ("{\"a\":\n1", "line 2 column 1."),
            ("{} {}", "line 1 column 4."),
            ("", "they are empty."),
        ] {
            let said = object(text).unwrap_err().to_string();
            assert!(said.starts_with("The arguments are invalid: "), "{said}");
            assert!(said.contains(words), "{text}: {said}");
        }
        let deep = format!("{{\"a\":{}", "[".repeat(15_000));
        assert!(object(&deep).is_err());
    }
}
