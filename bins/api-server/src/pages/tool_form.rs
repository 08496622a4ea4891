//! Form of a server tool: what its page draws, derived from the declared inputs.

use maud::{Markup, html};
use serde_json::{Value as Json, json};
use toolkit_catalog::Entry;
use toolkit_core::input::Field;
use toolkit_core::{DynTool, schema};

use super::prose::prose;
use super::schema as show;

/// The most numbers that a list to choose from shows.
const CHOICES_MAX: u64 = 20;

/// The description of a tool as the text of a script element.
pub(crate) fn json(entry: &Entry, tool: &dyn DynTool) -> String {
    let spec = tool.spec();
    let examples = spec.examples.iter().map(|example| {
        let values: Json = serde_json::from_str(example.input).unwrap_or_default();
        json!({"title": example.title, "values": values})
    });
    let form = json!({
        "slug": entry.slug,
        "name": entry.name,
        "mcp": spec.mcp.as_ref().map(|mcp| mcp.name),
        "fields": tool.fields().iter().map(field).collect::<Vec<_>>(),
        "examples": examples.collect::<Vec<_>>(),
    });
    // Nothing in it can end the element or begin a comment.
    form.to_string().replace('<', "\\u003c")
}

fn field(field: &Field) -> Json {
    let schema = Json::Object((field.schema)());
    let mut described = json!({
        "name": field.name,
        "label": label(field.name),
        "help": schema::one_line(field.description),
        "required": field.required,
        "default": schema.get("default").cloned().unwrap_or_default(),
        "look": field.look.word(),
    });
    if let (Json::Object(described), Json::Object(kind)) = (&mut described, kind(&schema)) {
        described.extend(kind);
    }
    described
}

/// The kind of control, with what bounds it.
fn kind(schema: &Json) -> Json {
    if let Some(words) = schema.get("enum") {
        return json!({"kind": "enum", "choices": words});
    }
    if let Some(choices) = schema
        .get("anyOf")
        .and_then(Json::as_array)
        .and_then(choices)
    {
        return json!({"kind": "enum", "choices": choices, "automatic": true});
    }
    match schema.get("type").and_then(Json::as_str) {
        Some("boolean") => json!({"kind": "boolean"}),
        Some("integer") => json!({
            "kind": "integer",
            "minimum": schema.get("minimum"),
            "maximum": schema.get("maximum"),
        }),
        _ => json!({"kind": "string"}),
    }
}

/// All values of alternatives that are words or small ranges of numbers.
fn choices(alternatives: &Vec<Json>) -> Option<Vec<Json>> {
    let mut choices = Vec::new();
    for alternative in alternatives {
        let bound = |name: &str| alternative.get(name).and_then(Json::as_u64);
        if let Some(words) = alternative.get("enum").and_then(Json::as_array) {
            choices.extend(words.iter().cloned());
        } else {
            let (minimum, maximum) = (bound("minimum")?, bound("maximum")?);
            if maximum.checked_sub(minimum)? >= CHOICES_MAX {
                return None;
            }
            choices.extend((minimum..=maximum).map(Json::from));
        }
    }
    Some(choices)
}

/// `url_safe` as a person writes it.
fn label(name: &str) -> String {
    let words = name.replace('_', " ");
    let mut letters = words.chars();
    let first = letters.next().map(|first| first.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}

/// The inputs as a list to read.
pub(crate) fn list(tool: &dyn DynTool) -> Markup {
    html! {
        dl.fields {
            @for field in tool.fields() {
                div {
                    dt {
                        code { (field.name) } " "
                        span.type { (show::kind(&Json::Object((field.schema)()))) }
                        @if field.required { " " span.badge { "required" } }
                    }
                    dd { (prose(&schema::one_line(field.description))) }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use toolkit_core::registry;

    use super::*;

    fn of(slug: &str) -> Json {
        let entry = toolkit_catalog::find(slug).unwrap();
        let text = json(entry, registry::by_slug(slug).unwrap());
        assert!(!text.contains('<'), "{text}");
        serde_json::from_str(&text).unwrap()
    }

    fn field<'a>(form: &'a Json, name: &str) -> &'a Json {
        let fields = form.get("fields").and_then(Json::as_array).unwrap();
        fields.iter().find(|field| field["name"] == name).unwrap()
    }

    #[test]
    fn fields_stand_in_the_order_of_declaration() {
        for tool in registry::TOOLS {
            let Some(slug) = tool.spec().slug else {
                continue;
            };
            let form = of(slug);
            let names: Vec<_> = form["fields"]
                .as_array()
                .unwrap()
                .iter()
                .map(|field| field["name"].clone())
                .collect();
            let declared: Vec<_> = tool
                .fields()
                .iter()
                .map(|field| Json::from(field.name))
                .collect();
            assert_eq!(names, declared);
            assert!(!form["examples"].as_array().unwrap().is_empty(), "{slug}");
        }
    }

    #[test]
    fn strings_look_as_they_are_declared() {
        let form = of("hash-generator");
        assert_eq!(field(&form, "text")["look"], "text");
        assert_eq!(field(&form, "key")["look"], "secret");
        assert_eq!(field(&of("cidr-calculator"), "cidr")["look"], "line");
        assert_eq!(field(&of("regex-tester"), "pattern")["look"], "line");
    }

    #[test]
    fn a_schema_becomes_the_control_that_fits_it() {
        let id = of("uuid-generator");
        assert_eq!(field(&id, "count")["kind"], "integer");
        assert_eq!(field(&id, "count")["minimum"], 1);
        assert_eq!(field(&id, "version")["kind"], "enum");
        let json = of("json-formatter");
        assert_eq!(field(&json, "sort_keys")["kind"], "boolean");
        assert_eq!(field(&json, "indent")["kind"], "enum");
        assert_eq!(field(&json, "indent")["default"], 2);
        let base64 = of("base64-encoder");
        assert_eq!(field(&base64, "url_safe")["default"], Json::Null);
        assert_eq!(field(&base64, "url_safe")["label"], "Url safe");
        assert_eq!(field(&of("timestamp-converter"), "value")["kind"], "string");
    }
}
