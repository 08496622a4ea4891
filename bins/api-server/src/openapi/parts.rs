//! Recurring parts of the document: operations, bodies and responses.

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value as Json, json};

/// One operation of a path.
pub(super) struct Operation<'a> {
    pub(super) id: &'a str,
    pub(super) tag: &'a str,
    pub(super) summary: &'a str,
    pub(super) description: &'a str,
    pub(super) responses: Map<String, Json>,
}

impl Operation<'_> {
    /// An operation without a body, which can only refuse an oversized head.
    pub(super) fn into_read(mut self) -> Json {
        self.responses
            .insert("431".into(), response_ref("HeadTooLarge"));
        self.into_json()
    }

    /// The operation without a key, with the response to an internal error, common to all.
    pub(super) fn into_json(mut self) -> Json {
        self.responses
            .insert("500".into(), response_ref("Internal"));
        json!({
            "operationId": self.id,
            "tags": [self.tag],
            "summary": self.summary,
            "description": self.description,
            "responses": self.responses,
            "security": [],
        })
    }

    /// The same with a request body.
    pub(super) fn with_body(self, body: Json) -> Keyable {
        let mut operation = self.into_json();
        operation["requestBody"] = body;
        Keyable(operation)
    }
}

/// An operation with a body, which may need a key.
pub(super) struct Keyable(pub(super) Json);

impl Keyable {
    /// The same for callers with a key.
    pub(super) fn with_key(mut self) -> Json {
        self.0["security"] = json!([{"ApiKey": []}]);
        self.0
    }
}

/// A required JSON body.
pub(super) fn body(schema: &Json, example: Json) -> Json {
    json!({
        "required": true,
        "content": {"application/json": {"schema": schema, "example": example}},
    })
}

/// A JSON response.
pub(super) fn json_response(description: &str, schema: &Json, example: Option<Json>) -> Json {
    let mut content = json!({"schema": schema});
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

pub(super) fn response_ref(name: &str) -> Json {
    json!({"$ref": format!("#/components/responses/{name}")})
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
