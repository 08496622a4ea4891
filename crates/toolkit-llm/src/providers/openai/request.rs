//! Chat Completions: the request.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::message::Role;
use crate::provider::{Request, Round};
use crate::request::ResponseFormat;
use crate::tools::{ToolSpec, call_id};

#[derive(Serialize)]
pub(super) struct Body<'a> {
    model: &'a str,
    messages: Vec<BodyMessage<'a>>,
    #[serde(flatten)]
    limit: BTreeMap<&'static str, u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    top_p: Option<f64>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    stop: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    seed: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    response_format: Option<Value>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    stream: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) stream_options: Option<Value>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tools: Vec<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_choice: Option<&'static str>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum BodyMessage<'a> {
    Said {
        role: Role,
        content: Cow<'a, str>,
    },
    /// An answer of this provider, as it sent it.
    Own(&'a RawValue),
    /// A round of tools.
    Round(Value),
}

impl<'a> Body<'a> {
    pub(super) fn new(model: &'a str, limit_name: &'static str, request: &Request<'a>) -> Self {
        // Templates of many models accept one system message, at the front.
        let (instructions, others): (Vec<_>, Vec<_>) = request
            .conversation
            .messages()
            .iter()
            .partition(|message| message.role == Role::System);
        let instructions = instructions.iter().map(|message| message.content.as_str());
        let instructions: Vec<&str> = request
            .system_prompt
            .into_iter()
            .chain(instructions)
            .collect();
        let said = |role, content| BodyMessage::Said { role, content };
        let system = (!instructions.is_empty())
            .then(|| said(Role::System, instructions.join("\n\n").into()));
        let messages = others
            .into_iter()
            .map(|message| said(message.role, message.content.as_str().into()));
        let rounds = request.rounds.iter().enumerate();
        let rounds =
            rounds.flat_map(|(index, round)| self::round(index + 1, round, request.provider));
        let sampling = request.sampling;
        let specs = request.tools.map_or(&[][..], |offer| offer.specs);
        Self {
            model,
            messages: system.into_iter().chain(messages).chain(rounds).collect(),
            limit: BTreeMap::from([(limit_name, request.max_output_tokens)]),
            temperature: sampling.temperature,
            top_p: sampling.top_p,
            stop: &sampling.stop,
            seed: sampling.seed,
            response_format: sampling.response_format.as_ref().map(response_format),
            stream: request.streamed,
            stream_options: request.streamed.then(|| json!({"include_usage": true})),
            tools: specs.iter().map(tool).collect(),
            tool_choice: request
                .tools
                .map(|offer| if offer.forbidden { "none" } else { "auto" }),
        }
    }
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
fn round<'a>(number: usize, round: &'a Round, own: &str) -> Vec<BodyMessage<'a>> {
    let history = round.history.as_deref().filter(|_| round.provider == own);
    let calls = || round.calls.iter().enumerate();
    let first = history.map_or_else(
        || {
            let text = Some(round.text.as_str()).filter(|text| !text.trim().is_empty());
            let calls = calls().map(|(index, run)| {
                json!({
                    "id": call_id(number, index),
                    "type": "function",
                    "function": {"name": run.call.name, "arguments": run.call.arguments},
                })
            });
            let calls: Vec<Value> = calls.collect();
            BodyMessage::Round(json!({"role": "assistant", "content": text, "tool_calls": calls}))
        },
        BodyMessage::Own,
    );
    let results = calls().map(|(index, run)| {
        let own_id = run.call.id.clone().filter(|_| history.is_some());
        let id = own_id.unwrap_or_else(|| call_id(number, index));
        BodyMessage::Round(json!({"role": "tool", "tool_call_id": id, "content": run.content()}))
    });
    std::iter::once(first).chain(results).collect()
}
