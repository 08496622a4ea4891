//! Messages API: the request.

use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::super::turns::turns;
use super::super::{Members, members, raw};
use crate::message::Role;
use crate::provider::{Request, Round};
use crate::tools::{ToolSpec, call_id};

pub(super) fn body(model: &str, request: &Request<'_>) -> Members {
    let (system, turns) = turns(request, text_block);
    let turns = turns.into_iter();
    let turns = turns.map(|turn| message(turn.role, raw(&turn.parts)));
    let rounds = request.rounds.iter().enumerate();
    let rounds = rounds.flat_map(|(index, round)| messages(index + 1, round, request.provider));
    let messages: Vec<_> = turns.chain(rounds).collect();
    let (sampling, tools) = (request.sampling, request.tools);
    let specs = tools.map_or(&[][..], |offer| offer.specs);
    let choice = |forbidden| json!({"type": if forbidden { "none" } else { "auto" }});
    members([
        ("model", raw(model)),
        ("max_tokens", raw(&request.max_output_tokens)),
        ("system", raw(&system)),
        ("messages", raw(&messages)),
        ("temperature", raw(&sampling.temperature)),
        ("top_p", raw(&sampling.top_p)),
        ("stop_sequences", raw(&sampling.stop)),
        ("stream", raw(&request.streamed)),
        ("tools", raw(&specs.iter().map(tool).collect::<Vec<_>>())),
        (
            "tool_choice",
            raw(&tools.map(|offer| choice(offer.forbidden))),
        ),
    ])
}

fn message(role: Role, content: Box<RawValue>) -> Members {
    members([("role", raw(&role)), ("content", content)])
}

fn text_block(text: &str) -> Box<RawValue> {
    raw(&json!({"type": "text", "text": text}))
}

fn tool(spec: &ToolSpec) -> Value {
    json!({
        "name": spec.name,
        "description": spec.description,
        "input_schema": spec.input_schema,
    })
}

/// A round of tools: the model's text and calls, and one message with all results.
fn messages(number: usize, round: &Round, own: &str) -> [Members; 2] {
    // Blocks of an answer of this provider are sent back as it sent them.
    let history = round.history.as_ref().filter(|_| round.provider == own);
    let said = history.cloned();
    let said = said.unwrap_or_else(|| raw(&foreign(number, round)));
    let results = round.calls.iter().enumerate().map(|(index, run)| {
        let own_id = run.call.id.clone().filter(|_| history.is_some());
        members([
            ("type", raw("tool_result")),
            (
                "tool_use_id",
                raw(&own_id.unwrap_or_else(|| call_id(number, index))),
            ),
            ("content", raw(run.content())),
            ("is_error", raw(&run.outcome.result().is_none())),
        ])
    });
    let results: Vec<_> = results.collect();
    [
        message(Role::Assistant, said),
        message(Role::User, raw(&results)),
    ]
}

/// A round of another provider: only text and calls.
fn foreign(number: usize, round: &Round) -> Vec<Box<RawValue>> {
    let text = Some(round.text.as_str()).filter(|text| !text.trim().is_empty());
    let calls = round.calls.iter().enumerate().map(|(index, run)| {
        raw(&members([
            ("type", raw("tool_use")),
            ("id", raw(&call_id(number, index))),
            ("name", raw(&run.call.name)),
            (
                "input",
                run.arguments().unwrap_or_else(|| raw(&Members::new())),
            ),
        ]))
    });
    text.map(text_block).into_iter().chain(calls).collect()
}
