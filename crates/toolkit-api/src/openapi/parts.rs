//! Recurring parts of the document: bodies, responses and schemas.

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value as Json, json};

/// Statuses of an operation, each with the name of the shared response.
pub(super) type Statuses = [(&'static str, &'static str)];

/// An operation without a body can only refuse an oversized head.
pub(super) const READ: &Statuses = &[("431", "HeadTooLarge")];

/// Shared by all operations with a body.
pub(super) const BODY: &Statuses = &[
    ("408", "RequestTimeout"),
    ("413", "TooLarge"),
    ("415", "UnsupportedMediaType"),
    ("422", "Unprocessable"),
    ("429", "TooManyRequests"),
    ("503", "Unavailable"),
];

/// The responses of an operation: its own 200, and shared ones.
pub(super) fn responses(own: Json, shared: &[&Statuses]) -> Map<String, Json> {
    let shared = shared.iter().copied().flatten();
    let shared = shared.chain(&[("500", "Internal")]).map(|(status, name)| {
        let reference = json!({"$ref": format!("#/components/responses/{name}")});
        ((*status).to_owned(), reference)
    });
    shared.chain([("200".to_owned(), own)]).collect()
}

/// A required JSON body.
pub(super) fn body(schema: &str, example: Json) -> Json {
    let content = json!({"schema": schema_ref(schema), "example": example});
    json!({"required": true, "content": {"application/json": content}})
}

/// A JSON response.
pub(super) fn json_response(description: &str, schema: &str, example: Option<Json>) -> Json {
    let mut content = json!({"schema": schema_ref(schema)});
    if let Some(example) = example {
        content["example"] = example;
    }
    json!({"description": description, "content": {"application/json": content}})
}

/// The schema of every error body.
pub(super) fn error_schema() -> Json {
    json!({
        "type": "object",
        "properties": {
            "detail": {"type": "string", "description": "What is wrong, in a plain sentence."},
        },
        "required": ["detail"],
        "additionalProperties": false,
    })
}

pub(super) fn schema_ref(name: &str) -> Json {
    json!({"$ref": format!("#/components/schemas/{name}")})
}

/// The schema of a request or response type.
pub(super) fn schema_of<T: JsonSchema>() -> Json {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.inline_subschemas = true;
        settings.meta_schema = None;
    });
    let mut schema = settings.into_generator().into_root_schema_for::<T>();
    schema.remove("title");
    schema.into()
}
