//! Messages API: the request.

use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::super::config::Effort;
use super::super::messages::{Turn, turns};
use super::super::options::{CACHE_CONTROL, Change, Changes};
use super::super::{Members, ProviderConfig, members, raw};
use crate::message::{Image, Role};
use crate::provider::Request;
use crate::request::{ResponseFormat, Sampling};
use crate::round::Round;
use crate::tools::ToolSpec;

pub(super) fn body(config: &ProviderConfig, request: &Request<'_>, changes: &Changes) -> Members {
    let marks = !changes.has(Change::Drop(CACHE_CONTROL));
    let (system, turns) = turns(request, text_block, image_block);
    let last = turns.len().saturating_sub(1);
    let messages = turns.iter().enumerate().flat_map(|(index, turn)| match turn {
        Turn::Message(role, parts) => vec![message(*role, raw(parts))],
        Turn::Round(round) => self::round(round, request.provider, marks && index == last).into(),
    });
    let messages: Vec<_> = messages.collect();
    let (sampling, tools) = (request.sampling, request.tools);
    let specs = tools.map_or(&[][..], |offer| offer.specs);
    let mut tools_list: Vec<Value> = specs.iter().map(tool).collect();
    // Everything before the mark is the same in every request, so all callers share the cache.
    if let Some(last) = tools_list.last_mut().filter(|_| marks) {
        last["cache_control"] = mark();
    }
    let choice = |forbidden| json!({"type": if forbidden { "none" } else { "auto" }});
    let thinking = (config.effort == Some(Effort::None)).then(|| json!({"type": "disabled"}));
    members([
        ("model", raw(&request.model)),
        ("max_tokens", raw(&request.max_output_tokens)),
        ("thinking", raw(&thinking)),
        ("output_config", raw(&output_config(config, sampling))),
        ("system", raw(&system)),
        ("messages", raw(&messages)),
        ("temperature", raw(&sampling.temperature)),
        ("top_p", raw(&sampling.top_p)),
        ("stop_sequences", raw(&sampling.stop)),
        ("stream", raw(&true)),
        ("tools", raw(&tools_list)),
        ("tool_choice", raw(&tools.map(|offer| choice(offer.forbidden)))),
    ])
}

fn mark() -> Value {
    json!({"type": "ephemeral"})
}

fn output_config(config: &ProviderConfig, sampling: &Sampling) -> Option<Members> {
    let effort = config.effort.filter(|effort| *effort != Effort::None);
    let effort = effort.map(|effort| match effort {
        Effort::Minimal => Effort::Low,
        effort => effort,
    });
    let format = match &sampling.response_format {
        Some(ResponseFormat::JsonSchema { schema, .. }) => {
            Some(json!({"type": "json_schema", "schema": schema}))
        }
        _ => None,
    };
    let config = members([("effort", raw(&effort)), ("format", raw(&format))]);
    Some(config).filter(|config| !config.is_empty())
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

fn image_block(image: &Image) -> Box<RawValue> {
    let source = match image {
        Image::Data { media_type, base64 } => {
            json!({"type": "base64", "media_type": media_type, "data": base64})
        }
        Image::Url(url) => json!({"type": "url", "url": url}),
    };
    raw(&json!({"type": "image", "source": source}))
}

/// A tool round: the model's text and calls, and one message with all results.
fn round(round: &Round, own: &str, marked: bool) -> [Members; 2] {
    // This provider's own blocks are sent back unchanged.
    let history = round.history_of(own);
    let said = history.map_or_else(|| raw(&foreign(round)), ToOwned::to_owned);
    let last = round.calls.len().saturating_sub(1);
    let results = round.calls.iter().enumerate().map(|(index, run)| {
        let own_id = run.call.id.as_ref().filter(|_| history.is_some());
        let mark = (marked && index == last).then(mark);
        members([
            ("type", raw("tool_result")),
            ("tool_use_id", raw(own_id.unwrap_or(&run.id))),
            ("content", raw(&run.content())),
            ("is_error", raw(&run.outcome.result().is_none())),
            ("cache_control", raw(&mark)),
        ])
    });
    let results: Vec<_> = results.collect();
    [message(Role::Assistant, said), message(Role::User, raw(&results))]
}

/// Another provider's round: only text and calls.
fn foreign(round: &Round) -> Vec<Box<RawValue>> {
    let text = Some(round.text.as_str()).filter(|text| !text.trim().is_empty());
    let calls = round.calls.iter().map(|run| {
        raw(&members([
            ("type", raw("tool_use")),
            ("id", raw(&run.id)),
            ("name", raw(&run.call.name)),
            ("input", run.arguments().unwrap_or_else(|| raw(&Members::new()))),
        ]))
    });
    text.map(text_block).into_iter().chain(calls).collect()
}
