//! Inputs of a server tool as its page carries them, for "Use from code".

use serde_json::{Value as Json, json};
use toolkit_catalog::Entry;
use toolkit_core::DynTool;
use toolkit_core::input::{Field, Look};

/// Maximum number of values listed as choices.
const CHOICES_MAX: u64 = 20;

/// A tool's inputs as the content of a script element, from which the page makes the call.
pub(crate) fn json(entry: &Entry, tool: &dyn DynTool) -> String {
    let fields = tool.fields().iter().map(field);
    let call = json!({"slug": entry.slug, "fields": fields.collect::<Vec<_>>()});
    // Prevents the content from ending the element or starting a comment.
    call.to_string().replace('<', "\\u003c")
}

fn field(field: &Field) -> Json {
    let schema = Json::Object((field.schema)());
    let of = |key| schema.get(key).and_then(Json::as_array);
    let choices = of("enum").cloned().or_else(|| of("anyOf").and_then(choices));
    let kind = match &choices {
        Some(_) => "enum",
        None => schema.get("type").and_then(Json::as_str).unwrap_or("string"),
    };
    let mut described = json!({
        "name": field.name,
        "kind": kind,
        "choices": choices,
        "required": field.required.then_some(true),
        "default": schema.get("default"),
        "secret": (field.look == Look::Secret).then_some(true),
    });
    if let Json::Object(described) = &mut described {
        // Every page carries this.
        described.retain(|_, value| !value.is_null());
    }
    described
}

/// All values, if the alternatives are words or small ranges of numbers.
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
    fn fields_are_in_the_order_of_declaration() {
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
            let declared: Vec<_> =
                tool.fields().iter().map(|field| Json::from(field.name)).collect();
            assert_eq!(names, declared);
        }
    }

    #[test]
    fn a_field_has_what_the_call_depends_on() {
        for (slug, name, expected) in [
            ("hash-generator", "text", json!({"kind": "string", "required": true})),
            ("hash-generator", "key", json!({"kind": "string", "secret": true})),
            ("uuid-generator", "count", json!({"kind": "integer", "default": 1})),
            (
                "uuid-generator",
                "version",
                json!({"kind": "enum", "choices": ["v4", "v7"], "default": "v4"}),
            ),
            ("json-formatter", "sort_keys", json!({"kind": "boolean", "default": false})),
            (
                "json-formatter",
                "indent",
                json!({"kind": "enum", "choices": [0, 1, 2, 3, 4, 5, 6, 7, 8, "tab"], "default": 2}),
            ),
            ("base64-encoder", "url_safe", json!({"kind": "boolean"})),
            ("timestamp-converter", "value", json!({"kind": "string"})),
        ] {
            let mut found = field(&of(slug), name).clone();
            assert_eq!(found.as_object_mut().unwrap().remove("name"), Some(name.into()));
            assert_eq!(found, expected, "{slug}, {name}");
        }
    }

    #[test]
    fn a_range_of_up_to_twenty_numbers_is_a_list_of_choices() {
        let range = |maximum: u64| vec![json!({"minimum": 0, "maximum": maximum})];
        assert_eq!(choices(&range(19)).map(|all| all.len()), Some(20));
        assert_eq!(choices(&range(20)), None);
    }
}
