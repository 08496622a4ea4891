//! Chat Completions: the request.

use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::super::{Members, members, raw};
use crate::message::{Message, Role};
use crate::provider::{Request, Round};
use crate::request::ResponseFormat;
use crate::tools::{ToolSpec, call_id};

pub(super) fn body(model: &str, limit_name: &str, request: &Request<'_>) -> Members {
    // Templates of many models accept one system message, at the front.
    let (instructions, others): (Vec<&Message>, Vec<&Message>) = request
        .conversation
        .messages()
        .iter()
        .partition(|message| message.role == Role::System);
    let instructions = instructions.iter().map(|message| message.content.as_str());
    let prompt = request.system_prompt.into_iter();
    let instructions: Vec<&str> = prompt.chain(instructions).collect();
    let said = |role: Role, content: &str| raw(&json!({"role": role, "content": content}));
    let system = (!instructions.is_empty()).then(|| said(Role::System, &instructions.join("\n\n")));
    let others = others.into_iter();
    let others = others.map(|message| said(message.role, &message.content));
    let rounds = request.rounds.iter().enumerate();
    let rounds = rounds.flat_map(|(index, round)| self::round(index + 1, round, request.provider));
    let messages: Vec<_> = system.into_iter().chain(others).chain(rounds).collect();
    let (sampling, tools) = (request.sampling, request.tools);
    let format = sampling.response_format.as_ref().map(response_format);
    let specs = tools.map_or(&[][..], |offer| offer.specs);
    let choice = tools.map(|offer| if offer.forbidden { "none" } else { "auto" });
    let stream_options = request.streamed.then(|| json!({"include_usage": true}));
    members([
        ("model", raw(model)),
        ("messages", raw(&messages)),
        (limit_name, raw(&request.max_output_tokens)),
        ("temperature", raw(&sampling.temperature)),
        ("top_p", raw(&sampling.top_p)),
        ("stop", raw(&sampling.stop)),
        ("seed", raw(&sampling.seed)),
        ("response_format", raw(&format)),
        ("stream", raw(&request.streamed)),
        ("stream_options", raw(&stream_options)),
        ("tools", raw(&specs.iter().map(tool).collect::<Vec<_>>())),
        ("tool_choice", raw(&choice)),
    ])
}

fn response_format(format: &ResponseFormat) -> Value {
    match format {
        ResponseFormat::JsonObject => json!({"type": "json_object"}),
        ResponseFormat::JsonSchema { name, schema } => json!({
            "type": "json_schema",
            "json_schema": {"name": name, "schema": schema},
        }),
    }
}

fn tool(spec: &ToolSpec) -> Value {
    json!({
        "type": "function",
        "function": {
            "name": spec.name,
            "description": spec.description,
            "parameters": spec.input_schema,
        },
    })
}

/// A round of tools: the model's text and calls, and a message for each result.
fn round(number: usize, round: &Round, own: &str) -> Vec<Box<RawValue>> {
    // An answer of this provider is sent back as it sent it.
    let history = round.history.as_ref().filter(|_| round.provider == own);
    let calls = || round.calls.iter().enumerate();
    let first = history.cloned().unwrap_or_else(|| {
        let text = Some(round.text.as_str()).filter(|text| !text.trim().is_empty());
        let calls = calls().map(|(index, run)| {
            json!({
                "id": call_id(number, index),
                "type": "function",
                "function": {"name": run.call.name, "arguments": run.call.arguments},
            })
        });
        let calls: Vec<Value> = calls.collect();
        raw(&json!({"role": "assistant", "content": text, "tool_calls": calls}))
    });
    let results = calls().map(|(index, run)| {
        let own_id = run.call.id.clone().filter(|_| history.is_some());
        let id = own_id.unwrap_or_else(|| call_id(number, index));
        raw(&json!({"role": "tool", "tool_call_id": id, "content": run.content()}))
    });
    std::iter::once(first).chain(results).collect()
}
