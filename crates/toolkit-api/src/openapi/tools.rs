//! Paths of the tool runs.

use serde_json::{Map, Value as Json, json};
use toolkit_catalog::Entry;
use toolkit_core::input::Surface;
use toolkit_core::{DynTool, Example, schema};

use super::parts::{BODY, responses};

/// The path of any tool, with the responses for unknown and browser-only slugs.
pub(super) fn any_tool() -> Json {
    let answer = json!({
        "description": "The tool's answer.",
        "content": {"application/json": {
            "schema": {"type": "object", "description": "See the path of the tool."},
        }},
    });
    let of_slugs = &[("404", "NotFound"), ("501", "BrowserOnly")];
    let slug = json!({
        "name": "slug",
        "in": "path",
        "required": true,
        "description": "The slug of a tool in the catalog.",
        "schema": {"type": "string"},
        "example": "uuid-generator",
    });
    json!({"parameters": [slug], "post": {
        "operationId": "runTool",
        "tags": ["run"],
        "summary": "Run a tool",
        "description": "Each server-side tool has its own inputs and answer. See its own path.",
        "requestBody": {"content": {"application/json": {"schema": {"type": "object"}}}},
        "responses": responses(answer, &[BODY, of_slugs]),
        "security": [],
    }})
}

/// The path of one tool.
pub(super) fn one_tool(entry: &Entry, tool: &dyn DynTool) -> Json {
    let input = schema::input(tool, Surface::Rest);
    let examples = examples(tool, |example| parsed(example.input));
    json!({"post": {
        "operationId": format!("run-{}", entry.slug),
        "tags": ["run"],
        "summary": entry.name,
        "description": tool.spec().summary,
        "requestBody": {
            "required": input.get("required").is_some(),
            "content": {"application/json": {"schema": input, "examples": examples}},
        },
        "responses": responses(answer(entry, tool), &[BODY]),
        "security": [],
    }})
}

fn answer(entry: &Entry, tool: &dyn DynTool) -> Json {
    let mut schema = schema::answer(tool, Surface::Rest);
    schema["properties"]["ok"] = json!({"const": true});
    schema["properties"]["slug"] = json!({"const": entry.slug});
    if let Some(required) = schema["required"].as_array_mut() {
        required.extend([json!("ok"), json!("slug")]);
    }
    let examples = examples(tool, |example| {
        let answer = tool.demonstrate(example.input, Surface::Rest);
        let mut answer = parsed(&answer.unwrap_or_default());
        answer["ok"] = true.into();
        answer["slug"] = entry.slug.into();
        answer
    });
    json!({
        "description": "The tool's answer.",
        "content": {"application/json": {"schema": schema, "examples": examples}},
    })
}

/// A value for each of a tool's examples, by title.
fn examples(tool: &dyn DynTool, value: impl Fn(&Example) -> Json) -> Map<String, Json> {
    let described = |example: &Example| {
        let title = example.title;
        let key = title.replace(|character: char| !character.is_ascii_alphanumeric(), "-");
        (key, json!({"summary": title, "value": value(example)}))
    };
    tool.spec().examples.iter().map(described).collect()
}

/// Examples are valid JSON. A test in `toolkit-core` runs each.
fn parsed(text: &str) -> Json {
    serde_json::from_str(text).unwrap_or_default()
}
