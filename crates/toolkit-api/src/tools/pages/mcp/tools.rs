//! MCP tool reference: inputs, answers and examples of each tool.

use maud::{Markup, html};
use serde_json::{Map, Value as Json};
use toolkit_core::input::Surface;
use toolkit_core::registry::mcp_tools;
use toolkit_core::{DynTool, Mcp, schema};

use crate::tools::pages::code::{example, json};
use crate::tools::pages::layout::Paths;
use crate::tools::pages::prose::prose;
use crate::tools::pages::schema::{Side, fields};

/// A tool offered over MCP.
#[derive(Clone, Copy)]
pub(super) struct Offered {
    tool: &'static dyn DynTool,
    mcp: &'static Mcp,
}

/// All of them, in the server's order.
pub(super) fn offered() -> Vec<Offered> {
    mcp_tools().map(|(tool, mcp)| Offered { tool, mcp }).collect()
}

impl Offered {
    pub(super) fn name(&self) -> &'static str {
        self.mcp.name
    }

    fn accepted(&self) -> Surface {
        Surface::Mcp(self.mcp.inputs)
    }

    pub(super) fn render(&self, paths: &Paths<'_>) -> Markup {
        let name = self.name();
        let mut input = schema::input(self.tool, self.accepted());
        schema::portable_input(&mut input);
        html! {
            section aria-labelledby=(name) {
                h3 id=(name) { code { (name) } " " span.soft { (self.mcp.title) } }
                p {
                    (prose(&schema::one_line(self.mcp.description)))
                    @if let Some(slug) = self.tool.spec().slug {
                        " " a href=(paths.tool(slug)) { "Try it" }
                    }
                }
                h4 { "Arguments" }
                (fields(&input, Side::Input))
                h4 { "Result" }
                (fields(&schema::answer(self.tool, self.accepted()), Side::Answer))
                h4 { "Examples" }
                @if !self.mcp.idempotent {
                    p.soft { "These depend on the time or on chance: yours will differ." }
                }
                @for (title, call, answer) in self.examples() {
                    (example(title, &json(&call), &answer))
                }
            }
        }
    }

    /// Calls valid over MCP, each with a description and the MCP response.
    fn examples(&self) -> impl Iterator<Item = (&'static str, String, String)> {
        let examples = self.tool.spec().examples.iter();
        examples.filter_map(|example| {
            let arguments: Map<String, Json> = serde_json::from_str(example.input).ok()?;
            if !self.accepted().fit(self.tool.fields(), &arguments) {
                return None;
            }
            let answer = self.tool.demonstrate(example.input, self.accepted()).ok()?;
            Some((example.title, self.call(example.input), answer))
        })
    }

    /// A call of the tool, as the parameters of `tools/call`.
    fn call(&self, arguments: &str) -> String {
        format!(r#"{{"name": "{}", "arguments": {arguments}}}"#, self.name())
    }

    /// A call without arguments and its result, if the tool requires arguments.
    pub(super) fn refusal(&self) -> Option<(String, String)> {
        let text = self.tool.demonstrate("{}", self.accepted()).err()?;
        let text = Json::from(text.to_string());
        let result =
            format!(r#"{{"content": [{{"type": "text", "text": {text}}}], "isError": true}}"#);
        Some((self.call("{}"), result))
    }
}
