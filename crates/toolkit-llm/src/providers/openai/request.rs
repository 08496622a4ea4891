//! Chat Completions: the request.

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
    // Many models' templates accept one system message, at the front.
    let (instructions, items) = items(request);
    let system = (!instructions.is_empty())
        .then(|| raw(&json!({"role": Role::System, "content": instructions.join("\n\n")})));
    let others = items.iter().flat_map(|item| match item {
        Item::Message(message) => vec![self::message(message)],
        Item::Round(round) => self::round(round, request.provider),
    });
    let messages: Vec<_> = system.into_iter().chain(others).collect();
    let (sampling, tools) = (request.sampling, request.tools);
    let format = sampling.response_format.as_ref().map(response_format);
    let specs = tools.map_or(&[][..], |offer| offer.specs);
    let choice = tools.map(|offer| if offer.forbidden { "none" } else { "auto" });
    members([
        ("model", raw(&request.model)),
        ("messages", raw(&messages)),
        ("max_tokens", raw(&request.max_output_tokens)),
        ("reasoning_effort", raw(&config.effort)),
        ("temperature", raw(&sampling.temperature)),
        ("top_p", raw(&sampling.top_p)),
        ("stop", raw(&sampling.stop)),
        ("seed", raw(&sampling.seed)),
        ("response_format", raw(&format)),
        ("stream", raw(&true)),
        ("stream_options", raw(&json!({"include_usage": true}))),
        ("tools", raw(&specs.iter().map(tool).collect::<Vec<_>>())),
        ("tool_choice", raw(&choice)),
    ])
}

fn message(message: &Message) -> Box<RawValue> {
    if message.images.is_empty() {
        return raw(&json!({"role": message.role, "content": message.content}));
    }
    let text = Some(&message.content).filter(|text| !text.trim().is_empty());
    let text = text.map(|text| json!({"type": "text", "text": text}));
    let images = message.images.iter();
    let images =
        images.map(|image| json!({"type": "image_url", "image_url": {"url": image.to_url()}}));
    let parts: Vec<Value> = text.into_iter().chain(images).collect();
    raw(&json!({"role": message.role, "content": parts}))
}

fn response_format(format: &ResponseFormat) -> Value {
    match format {
        ResponseFormat::JsonObject => json!({"type": "json_object"}),
        ResponseFormat::JsonSchema { name, schema } => json!({
            "type": "json_schema",
            "json_schema": {"name": name, "schema": schema, "strict": is_closed(schema)},
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

/// A tool round: the model's text and calls, and a message for each result.
fn round(round: &Round, own: &str) -> Vec<Box<RawValue>> {
    // This provider's own answers are sent back unchanged.
    let history = round.history_of(own);
    let first = history.map_or_else(|| foreign(round), ToOwned::to_owned);
    let results = round.calls.iter().map(|run| {
        let own_id = run.call.id.as_ref().filter(|_| history.is_some());
        let id = own_id.unwrap_or(&run.id);
        raw(&json!({"role": "tool", "tool_call_id": id, "content": run.content()}))
    });
    std::iter::once(first).chain(results).collect()
}

/// Another provider's round: only text and calls.
fn foreign(round: &Round) -> Box<RawValue> {
    let text = Some(round.text.as_str()).filter(|text| !text.trim().is_empty());
    let calls = round.calls.iter().map(|run| {
        json!({
            "id": run.id,
            "type": "function",
            "function": {"name": run.call.name, "arguments": run.call.arguments},
        })
    });
    let calls: Vec<Value> = calls.collect();
    raw(&json!({"role": "assistant", "content": text, "tool_calls": calls}))
}
