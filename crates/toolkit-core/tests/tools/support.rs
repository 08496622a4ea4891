//! Tool calls as their callers see them.

use serde_json::{Value as Json, json};
use toolkit_core::input::Surface;
use toolkit_core::{Context, registry};

/// Runs a tool, named by its slug or its MCP name, at 2023-11-14T22:13:20Z.
pub(crate) fn call(tool: &str, input: &Json) -> Result<Json, String> {
    call_in(&mut Context::fixed(), tool, input)
}

/// A refusal of an input: a detail that begins with its place names the input itself.
pub(crate) fn about(field: &str, detail: &str) -> String {
    if detail.starts_with("offset ") {
        return detail.to_owned();
    }
    format!("`{field}` {detail}")
}

/// Runs a tool in a context.
pub(crate) fn call_in(ctx: &mut Context, tool: &str, input: &Json) -> Result<Json, String> {
    let found = registry::by_slug(tool).or_else(|| registry::by_mcp_name(tool));
    let tool = found.unwrap_or_else(|| panic!("there is no tool {tool}"));
    let mut out = b"{".to_vec();
    tool.run_json(input.to_string().as_bytes(), Surface::Rest, ctx, &mut out)
        .map_err(|refusal| refusal.to_string())?;
    out.push(b'}');
    let mut answer: Json = serde_json::from_slice(&out).unwrap();
    answer["warnings"] = json!(ctx.warnings.sentences());
    Ok(answer)
}
