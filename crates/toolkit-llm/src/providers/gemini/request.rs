//! Gemini API: the request.

use std::collections::BTreeMap;

use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::super::config::Effort;
use super::super::messages::{Turn, turns};
use super::super::options::Changes;
use super::super::{Members, ProviderConfig, members, raw};
use crate::message::{Image, Role};
use crate::provider::{Offer, Request};
use crate::request::ResponseFormat;
use crate::round::Round;
use crate::tools::ToolSpec;

/// Placeholder for a thought signature when another vendor's model made the call.
const NO_SIGNATURE: &str = "skip_thought_signature_validator";

pub(super) fn body(provider: &ProviderConfig, request: &Request<'_>, _: &Changes) -> Members {
    let (instructions, turns) = turns(request, text_part, image_part);
    let contents = turns.iter().flat_map(|turn| match turn {
        Turn::Message(Role::Assistant, parts) => vec![content("model", parts)],
        Turn::Message(_, parts) => vec![content("user", parts)],
        Turn::Round(round) => contents(round, request.provider).into(),
    });
    let contents: Vec<_> = contents.collect();
    let (sampling, tools) = (request.sampling, request.tools);
    let format = sampling.response_format.as_ref();
    let schema = format.and_then(|format| match format {
        ResponseFormat::JsonSchema { schema, .. } => Some(schema),
        ResponseFormat::JsonObject => None,
    });
    let effort = provider.effort.map(|effort| match effort {
        Effort::None => Effort::Minimal,
        Effort::Xhigh => Effort::High,
        effort => effort,
    });
    let thinking = members([
        ("thinkingLevel", raw(&effort)),
        ("includeThoughts", raw(&request.show_reasoning)),
    ]);
    let thinking = Some(thinking).filter(|thinking| !thinking.is_empty());
    let config = members([
        ("thinkingConfig", raw(&thinking)),
        ("maxOutputTokens", raw(&request.max_output_tokens)),
        ("temperature", raw(&sampling.temperature)),
        ("topP", raw(&sampling.top_p)),
        ("stopSequences", raw(&sampling.stop)),
        ("seed", raw(&sampling.seed)),
        ("responseMimeType", raw(&format.map(|_| "application/json"))),
        ("responseJsonSchema", raw(&schema)),
    ]);
    let instructions = (!instructions.is_empty()).then(|| members([("parts", raw(&instructions))]));
    let tool_config = tools.map(|offer| {
        let mode = if offer.forbidden { "NONE" } else { "AUTO" };
        json!({"functionCallingConfig": {"mode": mode}})
    });
    members([
        ("systemInstruction", raw(&instructions)),
        ("contents", raw(&contents)),
        ("generationConfig", raw(&config)),
        ("tools", raw(&tools.iter().map(declared).collect::<Vec<_>>())),
        ("toolConfig", raw(&tool_config)),
    ])
}

fn content(role: &str, parts: &[Box<RawValue>]) -> Box<RawValue> {
    raw(&members([("role", raw(role)), ("parts", raw(parts))]))
}

fn text_part(text: &str) -> Box<RawValue> {
    raw(&json!({"text": text}))
}

fn image_part(image: &Image) -> Box<RawValue> {
    raw(&match image {
        Image::Data { media_type, base64 } => {
            json!({"inlineData": {"mimeType": media_type, "data": base64}})
        }
        Image::Url(url) => json!({"fileData": {"fileUri": url}}),
    })
}

fn declared(offer: &Offer<'_>) -> Value {
    let declaration = |spec: &ToolSpec| {
        json!({
            "name": spec.name,
            "description": spec.description,
            "parametersJsonSchema": spec.input_schema,
        })
    };
    let declarations: Vec<Value> = offer.specs.iter().map(declaration).collect();
    json!({"functionDeclarations": declarations})
}

/// A tool round: the model's text and calls, and one content with all results.
fn contents(round: &Round, own: &str) -> [Box<RawValue>; 2] {
    // This provider's own answers are sent back unchanged.
    let history = round.history_of(own);
    let results = round.calls.iter().map(|run| {
        let response = match run.outcome.result() {
            Some(result) => BTreeMap::from([("output", result.to_owned())]),
            None => BTreeMap::from([("error", raw(&run.content()))]),
        };
        let result = members([
            ("id", raw(&run.call.id.as_deref().filter(|_| history.is_some()))),
            ("name", raw(&run.call.name)),
            ("response", raw(&response)),
        ]);
        raw(&members([("functionResponse", raw(&result))]))
    });
    let results: Vec<_> = results.collect();
    let said = history.map(ToOwned::to_owned);
    [said.unwrap_or_else(|| content("model", &foreign(round))), content("user", &results)]
}

/// Another provider's round: only text and calls.
fn foreign(round: &Round) -> Vec<Box<RawValue>> {
    let text = Some(round.text.as_str()).filter(|text| !text.trim().is_empty());
    let calls = round.calls.iter().enumerate().map(|(index, run)| {
        let call = members([
            ("name", raw(&run.call.name)),
            ("args", run.arguments().unwrap_or_else(|| raw(&Members::new()))),
        ]);
        let signature = (index == 0).then_some(NO_SIGNATURE);
        raw(&members([("functionCall", raw(&call)), ("thoughtSignature", raw(&signature))]))
    });
    text.map(text_part).into_iter().chain(calls).collect()
}
