//! Messages API: the request.

use std::borrow::Cow;

use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::super::turns::turns;
use super::super::{Members, raw};
use crate::message::Role;
use crate::provider::{Request, Round};
use crate::tools::{ToolSpec, call_id};

#[derive(Serialize)]
pub(super) struct Body<'a> {
    model: &'a str,
    max_tokens: u32,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    system: Vec<Block<'a>>,
    messages: Vec<BodyMessage<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    top_p: Option<f64>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    stop_sequences: &'a [String],
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    stream: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tools: Vec<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_choice: Option<Value>,
}

#[derive(Serialize)]
struct BodyMessage<'a> {
    role: Role,
    content: BodyContent<'a>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum BodyContent<'a> {
    Blocks(Vec<Block<'a>>),
    /// Blocks of an answer of this provider, as it sent them.
    Own(&'a RawValue),
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Block<'a> {
    Text {
        text: &'a str,
    },
    ToolUse {
        id: String,
        name: &'a str,
        input: Box<RawValue>,
    },
    ToolResult {
        tool_use_id: Cow<'a, str>,
        content: &'a str,
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        is_error: bool,
    },
}

impl<'a> Body<'a> {
    pub(super) fn new(model: &'a str, request: &Request<'a>) -> Self {
        let (system, turns) = turns(request, |text| Block::Text { text });
        let turns = turns.into_iter().map(|turn| BodyMessage {
            role: turn.role,
            content: BodyContent::Blocks(turn.parts),
        });
        let rounds = request.rounds.iter().enumerate();
        let rounds = rounds.flat_map(|(index, round)| messages(index + 1, round, request.provider));
        let sampling = request.sampling;
        let specs = request.tools.map_or(&[][..], |offer| offer.specs);
        Self {
            model,
            max_tokens: request.max_output_tokens,
            system,
            messages: turns.chain(rounds).collect(),
            temperature: sampling.temperature,
            top_p: sampling.top_p,
            stop_sequences: &sampling.stop,
            stream: request.streamed,
            tools: specs.iter().map(tool).collect(),
            tool_choice: request
                .tools
                .map(|offer| json!({"type": if offer.forbidden { "none" } else { "auto" }})),
        }
    }
}

fn tool(spec: &ToolSpec) -> Value {
    json!({
        "name": spec.name,
        "description": spec.description,
        "input_schema": spec.input_schema,
    })
}

/// A round of tools: the model's text and calls, and one message with all results.
fn messages<'a>(number: usize, round: &'a Round, own: &str) -> [BodyMessage<'a>; 2] {
    let history = round.history.as_deref().filter(|_| round.provider == own);
    let said = history.map_or_else(
        || BodyContent::Blocks(foreign(number, round)),
        BodyContent::Own,
    );
    let results = round.calls.iter().enumerate();
    let results = results.map(|(index, run)| Block::ToolResult {
        tool_use_id: match &run.call.id {
            Some(id) if history.is_some() => Cow::Borrowed(id),
            _ => Cow::Owned(call_id(number, index)),
        },
        content: run.content(),
        is_error: run.outcome.result().is_none(),
    });
    let message = |role, content| BodyMessage { role, content };
    [
        message(Role::Assistant, said),
        message(Role::User, BodyContent::Blocks(results.collect())),
    ]
}

/// A round of another provider: only text and calls.
fn foreign(number: usize, round: &Round) -> Vec<Block<'_>> {
    let text = Some(round.text.as_str()).filter(|text| !text.trim().is_empty());
    let calls = round.calls.iter().enumerate();
    let calls = calls.map(|(index, run)| Block::ToolUse {
        id: call_id(number, index),
        name: &run.call.name,
        input: run.arguments().unwrap_or_else(|| raw(&Members::new())),
    });
    text.map(|text| Block::Text { text })
        .into_iter()
        .chain(calls)
        .collect()
}
