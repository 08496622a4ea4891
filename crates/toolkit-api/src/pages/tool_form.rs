//! Form of a server tool, derived from the declared inputs.

use maud::{Markup, html};
use serde_json::{Value as Json, json};
use toolkit_catalog::Entry;
use toolkit_core::input::Field;
use toolkit_core::{DynTool, schema};

use super::prose::{capitalized, prose};
use super::schema as show;

/// Most numbers shown as a list of choices.
const CHOICES_MAX: u64 = 20;
/// Words of names that are written in capitals.
const CAPITALS: [&str; 2] = ["cidr", "url"];
/// Choices whose words for a person differ from the value by more than a capital letter.
const CHOICE_LABELS: [(&str, &str); 23] = [
    ("auto", "Automatic"),
    ("base64", "Base64"),
    ("base64url", "Base64url"),
    ("component", "Part of a URL"),
    ("form", "HTML form value"),
    ("hex", "Hexadecimal"),
    ("json", "JSON"),
    ("md5", "MD5"),
    ("ms", "Milliseconds"),
    ("ns", "Nanoseconds"),
    ("pretty", "Pretty-print"),
    ("s", "Seconds"),
    ("sha1", "SHA-1"),
    ("sha256", "SHA-256"),
    ("sha384", "SHA-384"),
    ("sha512", "SHA-512"),
    ("uri", "Whole URL"),
    ("us", "Microseconds"),
    ("utf8", "UTF-8 text"),
    ("v4", "UUID version 4 (random)"),
    ("v7", "UUID version 7 (sorts by time)"),
    ("xml", "XML"),
    ("yaml", "YAML"),
];

/// The description of a tool as the content of a script element.
pub(crate) fn json(entry: &Entry, tool: &dyn DynTool) -> String {
    let spec = tool.spec();
    let examples = spec.examples.iter().map(|example| {
        let values: Json = serde_json::from_str(example.input).unwrap_or_default();
        json!({"title": example.title, "values": values})
    });
    let form = json!({
        "slug": entry.slug,
        "fields": tool.fields().iter().map(field).collect::<Vec<_>>(),
        "examples": examples.collect::<Vec<_>>(),
    });
    // Nothing in it can end the element or start a comment.
    form.to_string().replace('<', "\\u003c")
}

fn field(field: &Field) -> Json {
    let schema = Json::Object((field.schema)());
    let mut described = json!({
        "name": field.name,
        "label": label(field.name),
        "help": schema::one_line(field.description),
        "required": field.required.then_some(true),
        "default": schema.get("default"),
        "look": Some(field.look.word()).filter(|look| *look != "line"),
    });
    if let (Json::Object(described), Json::Object(kind)) = (&mut described, kind(&schema)) {
        described.extend(kind);
        // Every page carries this: what a form assumes anyway is left out.
        described.retain(|_, value| !value.is_null());
    }
    described
}

/// The kind of control, with its bounds.
fn kind(schema: &Json) -> Json {
    let of = |key| schema.get(key).and_then(Json::as_array);
    if let Some(values) = of("enum").cloned().or_else(|| of("anyOf").and_then(choices)) {
        let choices: Vec<_> = values.iter().map(choice).collect();
        return json!({"kind": "enum", "choices": choices});
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

/// A value that is sent and, unless it is shown as it is, its label.
fn choice(value: &Json) -> Json {
    let Some(word) = value.as_str() else {
        return json!([value]);
    };
    let known = CHOICE_LABELS.iter().find(|(known, _)| *known == word);
    let text = known.map_or_else(|| label(word), |(_, text)| (*text).to_owned());
    json!([value, text])
}

/// `sort_keys` as a label.
fn label(name: &str) -> String {
    let words = name.split('_').map(|word| {
        if CAPITALS.contains(&word) { word.to_ascii_uppercase() } else { word.to_owned() }
    });
    capitalized(&words.collect::<Vec<_>>().join(" "))
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
            assert!(!form["examples"].as_array().unwrap().is_empty(), "{slug}");
        }
    }

    #[test]
    fn strings_look_as_they_are_declared() {
        let form = of("hash-generator");
        assert_eq!(field(&form, "text")["look"], "text");
        assert_eq!(field(&form, "key")["look"], "secret");
        assert_eq!(field(&of("cidr-calculator"), "cidr")["look"], Json::Null);
        assert_eq!(field(&of("regex-tester"), "pattern")["look"], Json::Null);
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
        assert_eq!(field(&base64, "url_safe")["label"], "URL safe");
        assert_eq!(field(&json, "sort_keys")["label"], "Sort keys");
        assert_eq!(field(&of("timestamp-converter"), "value")["kind"], "string");
    }

    #[test]
    fn a_range_of_up_to_twenty_numbers_is_a_list_of_choices() {
        let range = |maximum: u64| vec![json!({"minimum": 0, "maximum": maximum})];
        assert_eq!(choices(&range(19)).map(|all| all.len()), Some(20));
        assert_eq!(choices(&range(20)), None);
    }

    #[test]
    fn choices_have_labels_for_people() {
        let id = of("uuid-generator");
        let versions =
            json!([["v4", "UUID version 4 (random)"], ["v7", "UUID version 7 (sorts by time)"]]);
        assert_eq!(field(&id, "version")["choices"], versions);
        let json = of("json-formatter");
        let indents = field(&json, "indent")["choices"].as_array().unwrap();
        assert_eq!(indents[2], json!([2]));
        assert_eq!(indents.last(), Some(&json!(["tab", "Tab"])));
    }

    #[test]
    fn no_choice_or_example_is_shown_as_the_interface_writes_it() {
        let tools = registry::TOOLS.iter().filter_map(|tool| tool.spec().slug);
        let mut used = Vec::new();
        for slug in tools {
            let form = of(slug);
            for field in form["fields"].as_array().unwrap() {
                for choice in field["choices"].as_array().into_iter().flatten() {
                    let Some(value) = choice[0].as_str() else {
                        continue;
                    };
                    let text = choice[1].as_str().unwrap();
                    assert!(text.starts_with(|first: char| first.is_ascii_uppercase()));
                    assert!(text.len() >= 3, "{slug}: {value} is shown as {text}");
                    used.push(value.to_owned());
                }
            }
            for example in form["examples"].as_array().unwrap() {
                let title = example["title"].as_str().unwrap();
                assert!(!title.starts_with(|first: char| first.is_lowercase()), "{title}");
            }
        }
        for (value, _) in CHOICE_LABELS {
            assert!(used.iter().any(|one| one == value), "{value} is a choice of no tool");
        }
    }
}
