//! MCP tool list: built once, from the list in `toolkit-core`.
//!
//! Standard: MCP 2026-07-28, "Tools", and the schemas of the revisions before it.

use std::fmt;
use std::sync::{Arc, LazyLock};

use data_encoding::BASE64;
use rmcp::model::{Icon, JsonObject, Tool, ToolAnnotations};
use serde_json::Value as Json;
use toolkit_core::input::Surface;
use toolkit_core::registry::mcp_tools;
use toolkit_core::{DynTool, Mcp, schema};

/// A tool that MCP offers.
#[derive(Clone, Copy)]
pub(crate) struct Offered {
    pub(crate) tool: &'static dyn DynTool,
    pub(crate) mcp: &'static Mcp,
    /// Its place in the list.
    pub(crate) index: usize,
}

impl fmt::Debug for Offered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.mcp.name)
    }
}

impl Offered {
    /// Every one of them, in the order of the list.
    pub(crate) fn all() -> impl Iterator<Item = Self> {
        mcp_tools()
            .enumerate()
            .map(|(index, (tool, mcp))| Self { tool, mcp, index })
    }

    pub(crate) fn find(name: &str) -> Option<Self> {
        Self::all().find(|offered| offered.mcp.name == name)
    }

    /// The inputs that it takes over MCP.
    pub(crate) fn accepted(self) -> Surface {
        Surface::Mcp(self.mcp.inputs)
    }

    fn describe(self) -> Tool {
        let input = schema::mcp_input(self.tool, self.mcp);
        let mut output = schema::answer(self.tool);
        schema::portable(&mut output);
        slim(&mut output);
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

/// Levels of properties, from the answer on, that are described: the names below them speak for
/// themselves.
const DESCRIBED_LEVELS: usize = 3;

/// Takes out of the schema of an answer what tells a model nothing: a client may put the list
/// before its model on every turn.
fn slim(answer: &mut Json) {
    for name in ["type", "warnings"] {
        let member = answer.pointer_mut(&format!("/properties/{name}"));
        if let Some(members) = member.and_then(Json::as_object_mut) {
            members.remove("description");
        }
    }
    slim_level(answer, 0);
}

fn slim_level(schema: &mut Json, level: usize) {
    let Json::Object(members) = schema else {
        return;
    };
    // Where there is no type, the bound says what the value is when it is not null.
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
        inner.for_each(|property| slim_level(property, level + 1));
    }
    for inner in ["items", "additionalProperties"] {
        let inner = members.get_mut(inner).into_iter();
        inner.for_each(|inner| slim_level(inner, level));
    }
}

/// The answer to `tools/list`: it is the same for as long as the process lives.
pub(crate) static LISTED: LazyLock<Vec<Tool>> =
    LazyLock::new(|| Offered::all().map(Offered::describe).collect());

/// The names of all tools, for a message.
pub(crate) fn names() -> String {
    Offered::all()
        .map(|offered| offered.mcp.name)
        .collect::<Vec<_>>()
        .join(", ")
}

/// The pictures of the server: one that every client must take, and one for any size.
pub(crate) fn icons() -> Vec<Icon> {
    let svg = icon("image/svg+xml", include_bytes!("../assets/icon.svg"), "any");
    vec![png(), svg]
}

fn png() -> Icon {
    icon("image/png", include_bytes!("../assets/icon.png"), "48x48")
}

/// A picture as a `data:` URL: it needs no address, so it is shown whatever proxy is in front.
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
