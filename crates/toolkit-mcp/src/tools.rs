//! MCP tool list: built once from the list in `toolkit-core`.
//!
//! Standard: MCP 2026-07-28, "Tools", and the schemas of the revisions before it.

use std::sync::LazyLock;

use data_encoding::BASE64;
use rmcp::model::{Icon, ToolAnnotations};
use serde::{Serialize, Serializer};
use serde_json::{Map, Value as Json};
use toolkit_core::input::Surface;
use toolkit_core::registry::mcp_tools;
use toolkit_core::{DynTool, Mcp, schema};

/// A tool in the list.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Listed {
    name: &'static str,
    title: &'static str,
    description: &'static str,
    input_schema: InputSchema,
    output_schema: Json,
    annotations: ToolAnnotations,
}

/// An input schema in its own order. A map would be sorted alphabetically.
#[derive(Serialize)]
struct InputSchema {
    #[serde(flatten)]
    members: Map<String, Json>,
    #[serde(serialize_with = "in_order")]
    properties: Vec<(String, Json)>,
}

fn in_order<S: Serializer>(pairs: &[(String, Json)], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(pairs.iter().map(|(name, schema)| (name, schema)))
}

fn describe(tool: &dyn DynTool, mcp: &'static Mcp) -> Listed {
    let mut output_schema = schema::answer(tool, Surface::Mcp(mcp.inputs));
    schema::portable(&mut output_schema);
    strip_descriptions(&mut output_schema);
    Listed {
        name: mcp.name,
        title: mcp.title,
        description: mcp.description,
        input_schema: input_schema(tool, mcp),
        output_schema,
        annotations: ToolAnnotations::new()
            .read_only(true)
            .destructive(false)
            .idempotent(mcp.idempotent)
            .open_world(false),
    }
}

fn input_schema(tool: &dyn DynTool, mcp: &'static Mcp) -> InputSchema {
    let object = |schema| match schema {
        Some(Json::Object(members)) => members,
        _ => Map::new(),
    };
    let mut members = object(Some(schema::mcp_input(tool, mcp)));
    let mut sorted = object(members.remove("properties"));
    let names = mcp.inputs.iter().map(|name| name.trim_end_matches('?'));
    let properties = names.filter_map(|name| sorted.remove_entry(name)).collect();
    InputSchema { members, properties }
}

/// Levels of properties described, counted from the result. Deeper names are self-explanatory.
const DESCRIBED_LEVELS: usize = 3;

/// Removes parts of a result schema that are useless to a model, since clients may send the list on
/// every turn.
fn strip_descriptions(answer: &mut Json) {
    for name in ["type", "warnings"] {
        let member = answer.pointer_mut(&format!("/properties/{name}"));
        if let Some(members) = member.and_then(Json::as_object_mut) {
            members.remove("description");
        }
    }
    strip_level(answer, 0);
}

fn strip_level(schema: &mut Json, level: usize) {
    let Json::Object(members) = schema else {
        return;
    };
    for bound in ["minimum", "maximum", "pattern"] {
        members.remove(bound);
    }
    if level > DESCRIBED_LEVELS {
        members.remove("description");
    }
    if let Some(Json::Object(properties)) = members.get_mut("properties") {
        let inner = properties.values_mut();
        inner.for_each(|property| strip_level(property, level + 1));
    }
    if let Some(Json::Array(alternatives)) = members.get_mut("anyOf") {
        let alternatives = alternatives.iter_mut();
        alternatives.for_each(|alternative| strip_level(alternative, level));
    }
    for inner in ["items", "additionalProperties"] {
        let inner = members.get_mut(inner).into_iter();
        inner.for_each(|inner| strip_level(inner, level));
    }
}

/// The list as JSON, constant while the process runs.
pub(crate) static LISTED: LazyLock<String> = LazyLock::new(|| {
    let listed = mcp_tools().map(|(tool, mcp)| describe(tool, mcp));
    // Writing plain data to memory cannot fail.
    serde_json::to_string(&listed.collect::<Vec<_>>()).unwrap_or_default()
});

/// The names of all tools, for an error.
pub(crate) fn names() -> String {
    let names: Vec<_> = mcp_tools().map(|(_, mcp)| mcp.name).collect();
    names.join(", ")
}

/// The server's icons: one that every client must support, and one for any size.
pub(crate) fn icons() -> Vec<Icon> {
    vec![
        icon("image/png", include_bytes!("../assets/icon.png"), "48x48"),
        icon("image/svg+xml", include_bytes!("../assets/icon.svg"), "any"),
    ]
}

/// An icon as a `data:` URL, which needs no further request.
fn icon(media_type: &str, picture: &[u8], size: &str) -> Icon {
    Icon::new(format!("data:{media_type};base64,{}", BASE64.encode(picture)))
        .with_mime_type(media_type)
        .with_sizes(vec![size.to_owned()])
}
