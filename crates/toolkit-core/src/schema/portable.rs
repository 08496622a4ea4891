//! Portable schemas: the subset that every MCP client accepts.
//!
//! Standard: JSON Schema, draft 2020-12. Many clients and models support only parts: some refuse
//! the whole list of tools because of one union type, `$ref` or number format among the inputs.
//! Inputs use one scalar `type`, `enum`, and bounds. Answers, which clients only check and derive
//! types from, also use `properties`, `items` and `anyOf` of one type each.

use serde_json::{Map, Value as Json, json};

use super::one_line;

/// Reduces the schema of an answer to what every MCP client accepts.
///
/// A value that may be `null`, or of several types, is an alternative of these.
pub fn portable(schema: &mut Json) {
    let Json::Object(members) = schema else {
        return;
    };
    members.remove("format");
    members.remove("$schema");
    if let Some(Json::String(description)) = members.get_mut("description") {
        *description = one_line(description);
    }
    split_kinds(members);
    if let Some(Json::Array(alternatives)) = members.get_mut("anyOf") {
        alternatives.iter_mut().for_each(portable);
    }
    if let Some(Json::Object(properties)) = members.get_mut("properties") {
        properties.values_mut().for_each(portable);
    }
    for inner in ["items", "additionalProperties"] {
        members.get_mut(inner).into_iter().for_each(portable);
    }
}

/// Reduces the schema of a tool's inputs to what every MCP client accepts.
///
/// An input accepted as several types can be written as a string, and is declared as one.
pub fn portable_input(schema: &mut Json) {
    let properties = schema.get_mut("properties").and_then(Json::as_object_mut);
    for property in properties.into_iter().flat_map(Map::values_mut) {
        if let Json::Object(members) = property
            && !members.get("type").is_some_and(Json::is_string)
        {
            members.remove("anyOf");
            members.remove("oneOf");
            members.insert("type".to_owned(), json!("string"));
        }
    }
    portable(schema);
}

/// Writes several types as alternatives with one each, under the original description.
fn split_kinds(members: &mut Map<String, Json>) {
    let Some(Json::Array(kinds)) = members.get("type").cloned() else {
        return;
    };
    let description = members.remove_entry("description");
    let whole = std::mem::take(members);
    let alternative = |kind: Json| {
        let mut alternative = if kind == "null" { Map::new() } else { whole.clone() };
        alternative.insert("type".to_owned(), kind);
        Json::Object(alternative)
    };
    let alternatives: Vec<_> = kinds.into_iter().map(alternative).collect();
    members.insert("anyOf".to_owned(), alternatives.into());
    members.extend(description);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reduced(mut schema: Json) -> Json {
        portable(&mut schema);
        schema
    }

    #[test]
    fn formats_and_dialects_are_left_out_and_descriptions_are_one_line() {
        let schema = json!({
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "type": "integer", "format": "uint8", "description": "The\n  version.",
        });
        assert_eq!(reduced(schema), json!({"type": "integer", "description": "The version."}));
    }

    #[test]
    fn nullable_values_are_alternatives_of_one_type_each() {
        let nothing = json!({"type": "null"});
        for (schema, expected) in [
            (
                json!({"type": ["string", "null"], "description": "A\n name."}),
                json!({"anyOf": [{"type": "string"}, nothing], "description": "A name."}),
            ),
            (
                json!({"type": ["integer", "null"], "format": "int64", "minimum": 1}),
                json!({"anyOf": [{"type": "integer", "minimum": 1}, nothing]}),
            ),
            (
                json!({"type": ["object", "null"], "additionalProperties": {"type": ["string", "null"]}}),
                json!({"anyOf": [
                    {"type": "object", "additionalProperties": {"anyOf": [{"type": "string"}, nothing]}},
                    nothing,
                ]}),
            ),
            (
                json!({"anyOf": [{"type": "integer", "format": "int64"}, {"type": "string"}]}),
                json!({"anyOf": [{"type": "integer"}, {"type": "string"}]}),
            ),
        ] {
            assert_eq!(reduced(schema), expected);
        }
    }

    #[test]
    fn an_input_of_several_types_is_shown_as_a_string() {
        for union in [
            json!({"type": ["number", "string"]}),
            json!({"anyOf": [{"type": "number"}, {"type": "string"}]}),
        ] {
            let mut schema = json!({"type": "object", "properties": {"value": union}});
            portable_input(&mut schema);
            let expected = json!({"type": "object", "properties": {"value": {"type": "string"}}});
            assert_eq!(schema, expected);
        }
    }

    #[test]
    fn a_property_may_have_the_name_of_a_keyword() {
        let schema = json!({"type": "object", "properties": {
            "format": {"type": "string", "format": "x"},
            "anyOf": {"type": "array", "items": {"type": "integer", "format": "int64"}},
        }});
        let expected = json!({"type": "object", "properties": {
            "format": {"type": "string"},
            "anyOf": {"type": "array", "items": {"type": "integer"}},
        }});
        assert_eq!(reduced(schema), expected);
    }
}
