//! MCP tool list: built once, from the list in `toolkit-core`.
//!
//! Standard: MCP 2026-07-28, "Tools", and the schemas of the revisions before it.

use std::sync::{Arc, LazyLock};

use data_encoding::BASE64;
use rmcp::model::{Icon, JsonObject, Tool, ToolAnnotations};
use serde_json::Value as Json;
use toolkit_core::input::Surface;
use toolkit_core::registry::mcp_tools;
use toolkit_core::{DynTool, Mcp, schema};

/// A tool offered over MCP.
#[derive(Clone, Copy)]
pub(crate) struct Offered {
    pub(crate) tool: &'static dyn DynTool,
    pub(crate) mcp: &'static Mcp,
    /// Its index in the list.
    pub(crate) index: usize,
}

impl Offered {
    /// All of them, in the order of the list.
    pub(crate) fn all() -> impl Iterator<Item = Self> {
        mcp_tools()
            .enumerate()
            .map(|(index, (tool, mcp))| Self { tool, mcp, index })
    }

    pub(crate) fn find(name: &str) -> Option<Self> {
        Self::all().find(|offered| offered.mcp.name == name)
    }

    /// The inputs that it accepts over MCP.
    pub(crate) fn accepted(self) -> Surface {
        Surface::Mcp(self.mcp.inputs)
    }

    fn describe(self) -> Tool {
        let input = schema::mcp_input(self.tool, self.mcp);
        let mut output = schema::answer(self.tool, self.accepted());
        schema::portable(&mut output);
        strip_descriptions(&mut output);
        let annotations = ToolAnnotations::new()
            .read_only(true)
            .destructive(false)
            .idempotent(self.mcp.idempotent)
            .open_world(false);
        let mut tool = Tool::new(self.mcp.name, self.mcp.description, object(input));
        tool.title = Some(self.mcp.title.to_owned());
        tool.output_schema = Some(object(output));
        tool.annotations = Some(annotations);
        tool
    }
}

/// Levels of properties that are described, counted from the result: deeper names are
/// self-explanatory.
const DESCRIBED_LEVELS: usize = 3;

/// Removes parts of a result schema that are useless to a model: a client may send the list to its
/// model on every turn.
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
    // Without a type, the bound shows the type of the non-null value.
    if members.contains_key("type") {
        for bound in ["minimum", "maximum", "minLength", "multipleOf"] {
            members.remove(bound);
        }
    }
    if level > DESCRIBED_LEVELS {
        members.remove("description");
    }
    if let Some(Json::Object(properties)) = members.get_mut("properties") {
        let inner = properties.values_mut();
        inner.for_each(|property| strip_level(property, level + 1));
    }
    for inner in ["items", "additionalProperties"] {
        let inner = members.get_mut(inner).into_iter();
        inner.for_each(|inner| strip_level(inner, level));
    }
}

/// The response to `tools/list`, constant while the process runs.
pub(crate) static LISTED: LazyLock<Vec<Tool>> =
    LazyLock::new(|| Offered::all().map(Offered::describe).collect());

/// The names of all tools, for an error.
pub(crate) fn names() -> String {
    Offered::all()
        .map(|offered| offered.mcp.name)
        .collect::<Vec<_>>()
        .join(", ")
}

/// The icons of the server: one that every client must support, and one for any size.
pub(crate) fn icons() -> Vec<Icon> {
    vec![
        icon("image/png", include_bytes!("../assets/icon.png"), "48x48"),
        icon("image/svg+xml", include_bytes!("../assets/icon.svg"), "any"),
    ]
}

/// An icon as a `data:` URL: clients need no further request for it.
fn icon(media_type: &str, picture: &[u8], size: &str) -> Icon {
    Icon::new(format!(
        "data:{media_type};base64,{}",
        BASE64.encode(picture)
    ))
    .with_mime_type(media_type)
    .with_sizes(vec![size.to_owned()])
}

fn object(schema: Json) -> Arc<JsonObject> {
    match schema {
        Json::Object(members) => Arc::new(members),
        _ => Arc::default(),
    }
}
