//! JSON Schema as a list of fields.

use maud::{Markup, html};
use serde_json::Value as Json;

use super::prose::prose;

/// Direction of a value, which decides how its presence is described.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Side {
    /// Request: some values are required.
    Input,
    /// Response: some values are optional.
    Answer,
}

/// The properties of an object schema, required ones first, each with type and meaning.
pub(crate) fn fields(schema: &Json, side: Side) -> Markup {
    let Some(properties) = schema.get("properties").and_then(Json::as_object) else {
        return html! {};
    };
    let required = schema.get("required").and_then(Json::as_array);
    let is_required =
        |name: &String| required.is_some_and(|names| names.iter().any(|known| known == name));
    let (first, then): (Vec<_>, Vec<_>) =
        properties.iter().partition(|(name, _)| is_required(name));
    html! {
        dl.fields {
            @for (name, property) in first { (field(name, true, property, side)) }
            @for (name, property) in then { (field(name, false, property, side)) }
        }
    }
}

/// One named value: an input, a response member, or a path parameter.
pub(crate) fn field(name: &str, is_required: bool, schema: &Json, side: Side) -> Markup {
    let description = schema.get("description").and_then(Json::as_str);
    let default = schema.get("default").filter(|default| !default.is_null());
    let default = default.filter(|_| !description.is_some_and(|text| text.contains("default")));
    let kind = kind(schema);
    let badge = match (side, is_required) {
        (Side::Input, true) => Some("required"),
        // A nullable member is present, as null.
        (Side::Answer, false) if !kind.contains("null") => Some("optional"),
        _ => None,
    };
    let inner = [Some(schema), schema.get("items")]
        .into_iter()
        .flatten()
        .find(|inner| inner.get("properties").is_some());
    html! {
        div {
            dt {
                code { (name) } " " span.type { (kind) }
                @if let Some(badge) = badge { " " span.badge { (badge) } }
            }
            dd {
                @if let Some(description) = description { (prose(description)) }
                @if let Some(default) = default { " Default: " code { (default.to_string()) } "." }
                @if let Some(inner) = inner {
                    details {
                        summary { "Fields of " code { (name) } }
                        (fields(inner, side))
                    }
                }
            }
        }
    }
}

/// The type of a value, with its bounds.
pub(crate) fn kind(schema: &Json) -> String {
    if let Some(value) = schema.get("const") {
        return value.to_string();
    }
    if let Some(values) = schema.get("enum").and_then(Json::as_array) {
        return joined(values, " | ", Json::to_string);
    }
    let alternatives = schema.get("anyOf").or_else(|| schema.get("oneOf")).and_then(Json::as_array);
    if let Some(alternatives) = alternatives {
        return joined(alternatives, " or ", kind);
    }
    let kind = match schema.get("type") {
        Some(Json::String(kind)) => kind.clone(),
        Some(Json::Array(kinds)) => {
            joined(kinds, " or ", |kind| kind.as_str().unwrap_or_default().to_owned())
        }
        _ => "any".to_owned(),
    };
    if kind == "array" {
        let items = schema.get("items").map_or_else(|| "any".to_owned(), self::kind);
        return format!("array of {items}");
    }
    match (schema.get("minimum"), schema.get("maximum")) {
        (Some(minimum), Some(maximum)) => format!("{kind}, {minimum} to {maximum}"),
        _ => kind,
    }
}

fn joined(values: &[Json], separator: &str, show: impl Fn(&Json) -> String) -> String {
    values.iter().map(show).collect::<Vec<_>>().join(separator)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_input_says_when_it_is_required_and_a_member_of_a_response_when_it_may_be_missing() {
        let badge = |is_required, kind: Json, side| {
            let html = field("a", is_required, &json!({ "type": kind }), side).into_string();
            let badges = ["required", "optional"];
            badges.map(|badge| html.contains(&format!("<span class=\"badge\">{badge}</span>")))
        };
        for (is_required, kind, side, expected) in [
            (true, json!("string"), Side::Input, [true, false]),
            (false, json!("string"), Side::Input, [false, false]),
            (true, json!("string"), Side::Answer, [false, false]),
            (false, json!("string"), Side::Answer, [false, true]),
            // It is present, as null.
            (false, json!(["string", "null"]), Side::Answer, [false, false]),
        ] {
            assert_eq!(badge(is_required, kind.clone(), side), expected, "{kind}");
        }
    }

    #[test]
    fn a_type_is_shown_with_its_values_and_bounds() {
        for (schema, expected) in [
            (json!({}), "any"),
            (json!({"type": "string"}), "string"),
            (json!({"type": ["string", "null"]}), "string or null"),
            (json!({"const": "a"}), "\"a\""),
            (json!({"enum": ["a", 1]}), "\"a\" | 1"),
            (json!({"type": "array"}), "array of any"),
            (json!({"type": "array", "items": {"type": "integer"}}), "array of integer"),
            (json!({"type": "integer", "minimum": 1, "maximum": 9}), "integer, 1 to 9"),
            (json!({"type": "integer", "minimum": 1}), "integer"),
            (json!({"anyOf": [{"type": "string"}, {"const": 5}]}), "string or 5"),
            (json!({"oneOf": [{"type": "boolean"}]}), "boolean"),
        ] {
            assert_eq!(kind(&schema), expected, "{schema}");
        }
    }

    #[test]
    fn required_fields_come_first_and_a_default_is_shown_unless_the_text_has_it() {
        let schema = json!({
            "required": ["z"],
            "properties": {
                "a": {"type": "integer", "default": 7, "description": "A number."},
                "b": {"type": "integer", "default": 8, "description": "The default is 8."},
                "c": {"type": "integer", "default": null},
                "z": {"type": "object", "properties": {"inner": {"type": "string"}}},
            },
        });
        let html = fields(&schema, Side::Input).into_string();
        let place = |name: &str| html.find(&format!("<code>{name}</code>")).unwrap();
        assert!(place("z") < place("a") && place("a") < place("b") && place("b") < place("c"));
        assert!(place("inner") < place("a"), "below its object");
        assert_eq!(html.matches("Default: ").count(), 1);
        assert!(html.contains("Default: <code>7</code>."));
        assert_eq!(html.matches("<summary>").count(), 1);
    }
}
