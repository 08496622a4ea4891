//! Portable schemas: the subset that every MCP client accepts.
//!
//! Standard: JSON Schema, draft 2020-12, of which many clients and models support only a part: some
//! refuse the whole list of tools because of one union type, `$ref` or number format. This subset
//! has one scalar `type`, `enum`, `properties`, `items`, and bounds.

use serde_json::{Map, Value as Json, json};

use super::one_line;

/// Reduces a schema to what every MCP client accepts.
///
/// A value that may be `null`, or of several types, gets no `type`, since clients check answers
/// against the schema; its bounds are kept, and imply its type when it is not null.
pub fn portable(schema: &mut Json) {
    let Json::Object(members) = schema else {
        return;
    };
    members.remove("format");
    members.remove("$schema");
    let mut kinds = take(members, "type");
    take_alternatives(members, &mut kinds);
    name_kinds(members, kinds);
    if let Some(Json::String(description)) = members.get_mut("description") {
        *description = one_line(description);
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

/// Removes and returns what a keyword lists: the types of a value, or its words.
fn take(members: &mut Map<String, Json>, keyword: &str) -> Vec<Json> {
    match members.remove(keyword) {
        Some(Json::Array(listed)) => listed,
        single => single.into_iter().collect(),
    }
}

/// Merges alternatives: their types, their enum values, and their other keywords.
fn take_alternatives(members: &mut Map<String, Json>, kinds: &mut Vec<Json>) {
    for name in ["anyOf", "oneOf"] {
        let Some(Json::Array(alternatives)) = members.remove(name) else {
            continue;
        };
        for alternative in alternatives {
            let Json::Object(mut alternative) = alternative else {
                continue;
            };
            kinds.extend(take(&mut alternative, "type"));
            take_alternatives(&mut alternative, kinds);
            take_words(&mut alternative, members);
            for (keyword, value) in alternative {
                members.entry(keyword).or_insert(value);
            }
        }
    }
}

/// Moves the enum values of an alternative to those of the whole.
fn take_words(alternative: &mut Map<String, Json>, members: &mut Map<String, Json>) {
    let mut words = take(alternative, "enum");
    words.extend(alternative.remove("const"));
    if words.is_empty() {
        return;
    }
    if let Json::Array(known) = members.entry("enum").or_insert_with(|| json!([])) {
        known.extend(words);
    }
}

/// Writes the type, if there is exactly one; if there are several, makes sure that some keyword
/// remains.
fn name_kinds(members: &mut Map<String, Json>, mut kinds: Vec<Json>) {
    kinds.dedup();
    if let [kind] = kinds.as_slice() {
        members.insert("type".to_owned(), kind.clone());
        return;
    }
    let null = json!("null");
    if let Some(Json::Array(words)) = members.get_mut("enum") {
        if kinds.contains(&null) && !words.contains(&Json::Null) {
            words.push(Json::Null);
        }
        return;
    }
    for kind in kinds {
        match kind.as_str() {
            Some("boolean") => members.insert("enum".to_owned(), json!([true, false, null])),
            // These only constrain values of their own type.
            Some("integer") => members.insert("multipleOf".to_owned(), json!(1)),
            Some("string") => members.insert("minLength".to_owned(), json!(0)),
            _ => None,
        };
    }
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
        assert_eq!(
            reduced(schema),
            json!({"type": "integer", "description": "The version."})
        );
    }

    #[test]
    fn described_words_become_a_plain_list() {
        let schema = json!({"oneOf": [
            {"type": "string", "const": "a", "description": "First."},
            {"type": "string", "const": "b", "description": "Second."},
        ], "description": "Both."});
        let expected = json!({"type": "string", "enum": ["a", "b"], "description": "Both."});
        assert_eq!(reduced(schema), expected);
    }

    #[test]
    fn nullable_values_have_no_type_but_other_keywords() {
        for (schema, expected) in [
            (json!({"type": ["string", "null"]}), json!({"minLength": 0})),
            (
                json!({"type": ["integer", "null"], "minimum": 1}),
                json!({"minimum": 1, "multipleOf": 1}),
            ),
            (
                json!({"type": ["boolean", "null"]}),
                json!({"enum": [true, false, null]}),
            ),
            (
                json!({"anyOf": [{"type": "string", "enum": ["a"]}, {"type": "null"}]}),
                json!({"enum": ["a", null]}),
            ),
            (
                json!({"anyOf": [{"type": "object", "properties": {}}, {"type": "null"}]}),
                json!({"properties": {}}),
            ),
        ] {
            assert_eq!(reduced(schema), expected);
        }
    }

    #[test]
    fn a_number_that_may_be_a_string_keeps_the_bounds_of_both() {
        let schema = json!({"anyOf": [
            {"type": "integer", "minimum": 0},
            {"type": "string", "pattern": "^[0-9]+$"},
        ]});
        let expected =
            json!({"minimum": 0, "multipleOf": 1, "pattern": "^[0-9]+$", "minLength": 0});
        assert_eq!(reduced(schema), expected);
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
