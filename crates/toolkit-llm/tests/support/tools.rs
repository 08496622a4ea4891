//! Tools for tests: one echoes, one refuses, one returns a long result, one fails.

use serde_json::json;
use toolkit_llm::{ToolCall, ToolOutcome, ToolSpec, Tools, tools};

pub(crate) fn specs() -> Vec<ToolSpec> {
    let schema = json!({"type": "object", "properties": {"text": {"type": "string"}}});
    ["echo", "refuse", "much", "fail"]
        .map(|name| ToolSpec::new(name, format!("The tool {name}."), schema.clone()))
        .to_vec()
}

pub(crate) fn tools() -> impl Tools + 'static {
    tools::from_fn(specs(), |call: ToolCall| async move { run(&call) })
}

fn run(call: &ToolCall) -> ToolOutcome {
    match call.name.as_str() {
        "echo" => ToolOutcome::Done(call.object().unwrap()),
        "refuse" => ToolOutcome::refused("`text` is refused."),
        "much" => ToolOutcome::done(&"x".repeat(80_118)),
        _ => ToolOutcome::Failed("The tool failed.".to_owned()),
    }
}
