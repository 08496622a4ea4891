//! The tools as MCP lists them: made once, from the list in `toolkit-core`.

use std::sync::{Arc, LazyLock};

use rmcp::model::{Icon, JsonObject, Tool, ToolAnnotations};
use serde_json::Value as Json;
use toolkit_core::input::Accepted;
use toolkit_core::registry::TOOLS;
use toolkit_core::{DynTool, Mcp, schema};

/// A tool that MCP offers.
#[derive(Clone, Copy)]
pub(crate) struct Offered {
    pub(crate) tool: &'static dyn DynTool,
    pub(crate) mcp: &'static Mcp,
}

impl Offered {
    /// Every one of them, in the order of the list.
    pub(crate) fn all() -> impl Iterator<Item = Self> {
        TOOLS.iter().filter_map(|tool| {
            Some(Self {
                tool: *tool,
                mcp: tool.spec().mcp.as_ref()?,
            })
        })
    }

    pub(crate) fn find(name: &str) -> Option<Self> {
        Self::all().find(|offered| offered.mcp.name == name)
    }

    /// The inputs that it takes over MCP.
    pub(crate) fn accepted(self) -> Accepted {
        Accepted::Only(self.mcp.inputs)
    }

    fn describe(self) -> Tool {
        let mut input = schema::input(self.tool, self.accepted());
        let mut output = schema::answer(self.tool);
        schema::portable(&mut input);
        schema::portable(&mut output);
        let annotations = ToolAnnotations::with_title(self.mcp.title)
            .read_only(true)
            .destructive(false)
            .idempotent(self.mcp.idempotent)
            .open_world(false);
        let mut tool = Tool::new(self.mcp.name, self.mcp.description, object(input));
        tool.title = Some(self.mcp.title.to_owned());
        tool.output_schema = Some(object(output));
        tool.annotations = Some(annotations);
        tool.icons = Some(vec![icon()]);
        tool
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

/// The picture of the server and its tools. It needs no address, so it shows behind any proxy.
pub(crate) fn icon() -> Icon {
    let mut icon = Icon::new(ICON);
    icon.mime_type = Some("image/svg+xml".to_owned());
    icon.sizes = Some(vec!["any".to_owned()]);
    icon
}

/// A wrench-like bracket pair: `{ }` on a rounded square.
const ICON: &str = "data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciIHZpZXdCb3g9IjAgMCA2NCA2NCI+PHJlY3Qgd2lkdGg9IjY0IiBoZWlnaHQ9IjY0IiByeD0iMTIiIGZpbGw9IiMwYjU3ZDAiLz48cGF0aCBkPSJNMjYgMTRjLTYgMC04IDMtOCA4djRjMCA0LTIgNi01IDYgMyAwIDUgMiA1IDZ2NGMwIDUgMiA4IDggOE0zOCAxNGM2IDAgOCAzIDggOHY0YzAgNCAyIDYgNSA2LTMgMC01IDItNSA2djRjMCA1LTIgOC04IDgiIGZpbGw9Im5vbmUiIHN0cm9rZT0iI2ZmZiIgc3Ryb2tlLXdpZHRoPSI1IiBzdHJva2UtbGluZWNhcD0icm91bmQiLz48L3N2Zz4=";

fn object(schema: Json) -> Arc<JsonObject> {
    match schema {
        Json::Object(members) => Arc::new(members),
        _ => Arc::default(),
    }
}
