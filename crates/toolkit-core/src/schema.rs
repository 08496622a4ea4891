//! JSON Schemas (draft 2020-12) of tool inputs and answers.

mod portable;

use serde_json::{Map, Value as Json, json};

pub use self::portable::{portable, portable_input};

use crate::input::{self, Surface};
use crate::tool::{DynTool, Mcp};

/// Schema of the object with a tool's inputs.
pub fn input(tool: &dyn DynTool, accepted: Surface) -> Json {
    let fields = accepted.of(tool.fields());
    let required: Vec<_> =
        fields.iter().filter(|(_, required)| *required).map(|(field, _)| field.name).collect();
    let properties: Map<String, Json> = fields
        .iter()
        .map(|(field, required)| {
            let mut schema = (field.schema)();
            schema.insert("description".to_owned(), one_line(field.description).into());
            if *required {
                schema.remove("default");
            }
            (field.name.to_owned(), schema.into())
        })
        .collect();
    let mut schema = input::schema([
        ("type", "object".into()),
        ("properties", properties.into()),
        ("additionalProperties", false.into()),
    ]);
    if !required.is_empty() {
        schema.insert("required".to_owned(), required.into());
    }
    schema.into()
}

/// Schema of the inputs that a tool accepts from a model, in the portable form.
pub fn mcp_input(tool: &dyn DynTool, mcp: &Mcp) -> Json {
    let mut schema = input(tool, Surface::Mcp(mcp.inputs));
    portable_input(&mut schema);
    schema
}

/// A keyword of members of a result that only REST has.
const REST_ONLY: &str = "x-rest-only";
/// A keyword with the schema that a member of a result has over MCP.
const MCP_FORM: &str = "x-mcp";

/// Schema of a tool's answer: `result` and `type`, with `count` if the result is an array and
/// `warnings` if there are any.
pub fn answer(tool: &dyn DynTool, surface: Surface) -> Json {
    let mut result = tool.result_schema();
    select(&mut result, surface);
    let is_array = result.get("type") == Some(&json!("array"));
    let kinds = json!({
        "type": "string",
        "enum": tool.spec().kinds,
        "description": "Type of the result.",
    });
    let warnings = json!({
        "type": "array",
        "items": {"type": "string"},
        "description": "Plain sentences: what was tolerated, assumed or changed. Absent when there \
                        is nothing to say.",
    });
    let mut required = vec!["result", "type"];
    let mut properties =
        input::schema([("result", result), ("type", kinds), ("warnings", warnings)]);
    if is_array {
        required.push("count");
        let count = json!({"type": "integer", "description": "The number of items in the result."});
        properties.insert("count".to_owned(), count);
    }
    json!({"type": "object", "properties": properties, "required": required})
}

/// Leaves out the members that a surface lacks.
fn select(schema: &mut Json, surface: Surface) {
    let Json::Object(members) = schema else {
        return;
    };
    if let Some(Json::Object(properties)) = members.get_mut("properties") {
        let mut left_out = Vec::new();
        for (name, property) in properties.iter_mut() {
            let keyword = property.as_object_mut().and_then(|it| it.remove(REST_ONLY));
            if keyword.is_some() && matches!(surface, Surface::Mcp(_)) {
                left_out.push(name.clone());
            }
            let form = property.as_object_mut().and_then(|it| it.remove(MCP_FORM));
            if let (Surface::Mcp(_), Some(Json::Object(mut form))) = (surface, form) {
                let described = property.get("description").cloned().unwrap_or_default();
                form.insert("description".to_owned(), described);
                *property = form.into();
            }
            select(property, surface);
        }
        properties.retain(|name, _| !left_out.contains(name));
        if let Some(Json::Array(required)) = members.get_mut("required") {
            required.retain(|name| !left_out.iter().any(|left_out| name == left_out));
        }
    }
    if let Some(items) = members.get_mut("items") {
        select(items, surface);
    }
}

/// Joins the lines of a doc comment, which is wrapped in the source.
pub fn one_line(description: &str) -> String {
    description.split_whitespace().collect::<Vec<_>>().join(" ")
}
