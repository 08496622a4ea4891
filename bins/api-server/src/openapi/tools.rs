//! Paths of the tool runs.

use serde_json::{Map, Value as Json, json};
use toolkit_catalog::Entry;
use toolkit_core::input::Surface;
use toolkit_core::{DynTool, Example, schema};

use super::parts::{Operation, json_response, response_ref};

/// The path of any tool: responses to unknown and browser-only slugs.
pub(super) fn any_tool() -> Json {
    let mut responses = body_errors();
    responses.insert("404".into(), response_ref("NotFound"));
    responses.insert("501".into(), response_ref("BrowserOnly"));
    let answer = json!({"type": "object", "description": "See the path of the tool."});
    responses.insert(
        "200".into(),
        json_response("The tool's answer.", &answer, None),
    );
    let operation = Operation {
        id: "runTool",
        tag: "run",
        summary: "Run a tool",
        description: "Each server-side tool has its own inputs and answer: see its own path.",
        responses,
    };
    let body = json!({"content": {"application/json": {"schema": {"type": "object"}}}});
    let slug = json!({
        "name": "slug",
        "in": "path",
        "required": true,
        "description": "The slug of a tool in the catalog.",
        "schema": {"type": "string"},
        "example": "uuid-generator",
    });
    json!({"parameters": [slug], "post": operation.with_body(body).0})
}

/// The path of one tool.
pub(super) fn one_tool(entry: &Entry, tool: &dyn DynTool) -> Json {
    let spec = tool.spec();
    let mut responses = body_errors();
    responses.insert("200".into(), answer(entry, tool));
    let id = format!("run-{}", entry.slug);
    let operation = Operation {
        id: &id,
        tag: "run",
        summary: entry.name,
        description: spec.summary,
        responses,
    };
    let examples: Map<String, Json> = spec
        .examples
        .iter()
        .map(|example| {
            (
                key(example),
                json!({"summary": example.title, "value": parsed(example.input)}),
            )
        })
        .collect();
    let input = schema::input(tool, Surface::Rest);
    let body = json!({
        "required": input.get("required").is_some(),
        "content": {"application/json": {"schema": input, "examples": examples}},
    });
    json!({"post": operation.with_body(body).0})
}

fn answer(entry: &Entry, tool: &dyn DynTool) -> Json {
    let mut schema = schema::answer(tool);
    schema["properties"]["ok"] = json!({"const": true});
    schema["properties"]["slug"] = json!({"const": entry.slug});
    if let Some(required) = schema["required"].as_array_mut() {
        required.extend([json!("ok"), json!("slug")]);
    }
    let examples: Map<String, Json> = tool
        .spec()
        .examples
        .iter()
        .map(|example| {
            let mut answer = parsed(example.answer);
            answer["ok"] = true.into();
            answer["slug"] = entry.slug.into();
            (
                key(example),
                json!({"summary": example.title, "value": answer}),
            )
        })
        .collect();
    json!({
        "description": "The tool's answer.",
        "content": {"application/json": {"schema": schema, "examples": examples}},
    })
}

/// Responses common to all endpoints with a body.
pub(super) fn body_errors() -> Map<String, Json> {
    [
        ("408", "RequestTimeout"),
        ("413", "TooLarge"),
        ("415", "UnsupportedMediaType"),
        ("422", "Unprocessable"),
        ("429", "TooManyRequests"),
        ("503", "Unavailable"),
    ]
    .into_iter()
    .map(|(status, name)| (status.to_owned(), response_ref(name)))
    .collect()
}

fn key(example: &Example) -> String {
    example
        .title
        .replace(|character: char| !character.is_ascii_alphanumeric(), "-")
}

/// An example is valid JSON: a test of `toolkit-core` runs each.
fn parsed(text: &str) -> Json {
    serde_json::from_str(text).unwrap_or_default()
}
