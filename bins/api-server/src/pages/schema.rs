//! A JSON Schema as a table that a person reads.

use maud::{Markup, html};
use serde_json::Value as Json;

/// The properties of an object's schema, a row each.
pub(crate) fn properties(schema: &Json) -> Markup {
    let Some(properties) = schema.get("properties").and_then(Json::as_object) else {
        return html! {};
    };
    let required = schema.get("required").and_then(Json::as_array);
    let is_required =
        |name: &str| required.is_some_and(|names| names.iter().any(|known| known == name));
    html! {
        div.scroll {
            table {
                thead { tr { th scope="col" { "Name" } th scope="col" { "Type" } th scope="col" { "Meaning" } } }
                tbody {
                    @for (name, property) in properties {
                        tr {
                            td { code { (name) } @if is_required(name) { " " span.soft { "required" } } }
                            td { (kind(property)) }
                            td { (meaning(property)) }
                        }
                    }
                }
            }
        }
    }
}

/// The type of a value, with what bounds it.
fn kind(schema: &Json) -> String {
    if let Some(value) = schema.get("const") {
        return value.to_string();
    }
    if let Some(values) = schema.get("enum").and_then(Json::as_array) {
        return values
            .iter()
            .map(Json::to_string)
            .collect::<Vec<_>>()
            .join(" | ");
    }
    let alternatives = schema
        .get("anyOf")
        .or_else(|| schema.get("oneOf"))
        .and_then(Json::as_array);
    if let Some(alternatives) = alternatives {
        return alternatives
            .iter()
            .map(kind)
            .collect::<Vec<_>>()
            .join(" or ");
    }
    let kind = match schema.get("type") {
        Some(Json::String(kind)) => kind.clone(),
        Some(Json::Array(kinds)) => kinds
            .iter()
            .filter_map(Json::as_str)
            .collect::<Vec<_>>()
            .join(" or "),
        _ => "any".to_owned(),
    };
    if kind == "array" {
        let items = schema
            .get("items")
            .map_or_else(|| "any".to_owned(), self::kind);
        return format!("array of {items}");
    }
    match (schema.get("minimum"), schema.get("maximum")) {
        (Some(minimum), Some(maximum)) => format!("{kind}, {minimum} to {maximum}"),
        _ => kind,
    }
}

fn meaning(schema: &Json) -> Markup {
    let description = schema
        .get("description")
        .and_then(Json::as_str)
        .unwrap_or_default();
    let default = schema.get("default").filter(|default| !default.is_null());
    let inner = [Some(schema), schema.get("items")]
        .into_iter()
        .flatten()
        .find(|inner| inner.get("properties").is_some());
    html! {
        (description)
        @if let Some(default) = default { " Default: " code { (default.to_string()) } "." }
        @if let Some(inner) = inner {
            details { summary { "Fields" } (properties(inner)) }
        }
    }
}
