//! Responses API: the request.

use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::super::messages::{Item, items};
use super::super::options::Changes;
use super::super::{Members, ProviderConfig, members, raw};
use crate::message::{Message, Role};
use crate::provider::Request;
use crate::request::{ResponseFormat, is_closed};
use crate::round::Round;
use crate::tools::ToolSpec;

pub(super) fn body(config: &ProviderConfig, request: &Request<'_>, _: &Changes) -> Members {
    let (instructions, items) = items(request);
    let instructions = (!instructions.is_empty()).then(|| instructions.join("\n\n"));
    let input = items.iter().flat_map(|item| match item {
        Item::Message(message) => vec![self::message(message)],
        Item::Round(round) => self::round(round, request.provider),
    });
    let input: Vec<_> = input.collect();
    let (sampling, tools) = (request.sampling, request.tools);
    let text = sampling.response_format.as_ref().map(response_format);
    let text = text.map(|format| json!({"format": format}));
    let specs = tools.map_or(&[][..], |offer| offer.specs);
    let choice = tools.map(|offer| if offer.forbidden { "none" } else { "auto" });
    let summary = request.show_reasoning.then_some("auto");
    let reasoning = members([("effort", raw(&config.effort)), ("summary", raw(&summary))]);
    let reasoning = Some(reasoning).filter(|reasoning| !reasoning.is_empty());
    let mut body = members([
        ("model", raw(&request.model)),
        ("instructions", raw(&instructions)),
        ("input", raw(&input)),
        ("max_output_tokens", raw(&request.max_output_tokens)),
        ("reasoning", raw(&reasoning)),
        ("include", raw(&["reasoning.encrypted_content"])),
        ("temperature", raw(&sampling.temperature)),
        ("top_p", raw(&sampling.top_p)),
        ("text", raw(&text)),
        ("stream", raw(&true)),
        ("tools", raw(&specs.iter().map(tool).collect::<Vec<_>>())),
        ("tool_choice", raw(&choice)),
    ]);
    body.insert("store".to_owned(), raw(&false));
    body
}

fn message(message: &Message) -> Box<RawValue> {
    if message.role == Role::Assistant || message.images.is_empty() {
        return raw(&json!({"role": message.role, "content": message.content}));
    }
    let text = Some(&message.content).filter(|text| !text.trim().is_empty());
    let text = text.map(|text| json!({"type": "input_text", "text": text}));
    let images = message.images.iter();
    let images = images.map(|image| json!({"type": "input_image", "image_url": image.to_url()}));
    let parts: Vec<Value> = text.into_iter().chain(images).collect();
    raw(&json!({"role": message.role, "content": parts}))
}

fn response_format(format: &ResponseFormat) -> Value {
    match format {
        ResponseFormat::JsonObject => json!({"type": "json_object"}),
        ResponseFormat::JsonSchema { name, schema } => json!({
            "type": "json_schema", "name": name, "schema": schema, "strict": is_closed(schema),
        }),
    }
}

/// A tool. Not strict, which is the default here but forbids optional inputs.
fn tool(spec: &ToolSpec) -> Value {
    json!({
        "type": "function",
        "name": spec.name,
        "description": spec.description,
        "parameters": spec.input_schema,
        "strict": false,
    })
}

/// A tool round: the model's items, and one for each result.
fn round(round: &Round, own: &str) -> Vec<Box<RawValue>> {
    // This provider's own items are sent back unchanged.
    let history = round.history_of(own);
    let known = history.and_then(|history| serde_json::from_str(history.get()).ok());
    let is_own = known.is_some();
    let mut items: Vec<Box<RawValue>> = known.unwrap_or_else(|| foreign(round));
    items.extend(round.calls.iter().map(|run| {
        let own_id = run.call.id.as_ref().filter(|_| is_own);
        let id = own_id.unwrap_or(&run.id);
        raw(&json!({"type": "function_call_output", "call_id": id, "output": run.content()}))
    }));
    items
}

/// Another provider's round: only text and calls.
fn foreign(round: &Round) -> Vec<Box<RawValue>> {
    let text = Some(&round.text).filter(|text| !text.trim().is_empty());
    let text = text.map(|text| raw(&json!({"role": "assistant", "content": text})));
    let calls = round.calls.iter().map(|run| {
        raw(&json!({
            "type": "function_call",
            "call_id": run.id,
            "name": run.call.name,
            "arguments": run.call.arguments,
        }))
    });
    text.into_iter().chain(calls).collect()
}
