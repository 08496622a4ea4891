//! Gemini API: the request.

use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::super::turns::turns;
use super::super::{Members, raw};
use crate::message::Role;
use crate::provider::{Offer, Request, Round};
use crate::request::ResponseFormat;
use crate::tools::ToolSpec;

/// Placeholder for a thought signature when another vendor's model made the call.
const NO_SIGNATURE: &str = "skip_thought_signature_validator";

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Body<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    system_instruction: Option<BodyContent<'a>>,
    contents: Vec<BodyEntry<'a>>,
    generation_config: GenerationConfig<'a>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tools: Vec<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_config: Option<Value>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum BodyEntry<'a> {
    Said(BodyContent<'a>),
    /// An answer of this provider, as it sent it.
    Own(&'a RawValue),
}

#[derive(Serialize)]
struct BodyContent<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    role: Option<&'static str>,
    parts: Vec<BodyPart<'a>>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum BodyPart<'a> {
    Text {
        text: &'a str,
    },
    #[serde(rename_all = "camelCase")]
    Call {
        function_call: Call<'a>,
        #[serde(skip_serializing_if = "Option::is_none")]
        thought_signature: Option<&'static str>,
    },
    #[serde(rename_all = "camelCase")]
    Result {
        function_response: CallResult<'a>,
    },
}

#[derive(Serialize)]
struct Call<'a> {
    name: &'a str,
    args: Box<RawValue>,
}

#[derive(Serialize)]
struct CallResult<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'a str>,
    name: &'a str,
    response: CallResponse<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum CallResponse<'a> {
    Output(&'a RawValue),
    Error(&'a str),
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct GenerationConfig<'a> {
    max_output_tokens: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    top_p: Option<f64>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    stop_sequences: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    seed: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    response_mime_type: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    response_json_schema: Option<&'a serde_json::Value>,
}

impl<'a> Body<'a> {
    pub(super) fn new(request: &Request<'a>) -> Self {
        let (instructions, turns) = turns(request, |text| BodyPart::Text { text });
        let instructions = Some(instructions).filter(|parts| !parts.is_empty());
        let turns = turns.into_iter().map(|turn| {
            let by_model = turn.role == Role::Assistant;
            let role = Some(if by_model { "model" } else { "user" });
            let parts = turn.parts;
            BodyEntry::Said(BodyContent { role, parts })
        });
        let rounds = request.rounds.iter();
        let rounds = rounds.flat_map(|round| entries(round, request.provider));
        let sampling = request.sampling;
        let format = sampling.response_format.as_ref();
        Self {
            system_instruction: instructions.map(|parts| BodyContent { role: None, parts }),
            contents: turns.chain(rounds).collect(),
            generation_config: GenerationConfig {
                max_output_tokens: request.max_output_tokens,
                temperature: sampling.temperature,
                top_p: sampling.top_p,
                stop_sequences: &sampling.stop,
                seed: sampling.seed,
                response_mime_type: format.map(|_| "application/json"),
                response_json_schema: match format {
                    Some(ResponseFormat::JsonSchema { schema, .. }) => Some(schema),
                    Some(ResponseFormat::JsonObject) | None => None,
                },
            },
            tools: request.tools.iter().map(tools).collect(),
            tool_config: request.tools.map(|offer| {
                let mode = if offer.forbidden { "NONE" } else { "AUTO" };
                json!({"functionCallingConfig": {"mode": mode}})
            }),
        }
    }
}

fn tools(offer: &Offer<'_>) -> Value {
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

/// A round of tools: the model's text and calls, and one content with all results.
fn entries<'a>(round: &'a Round, own: &str) -> [BodyEntry<'a>; 2] {
    let history = round.history.as_deref().filter(|_| round.provider == own);
    let said = |role, parts| {
        let role = Some(role);
        BodyEntry::Said(BodyContent { role, parts })
    };
    let results = round.calls.iter().map(|run| BodyPart::Result {
        function_response: CallResult {
            id: run.call.id.as_deref().filter(|_| history.is_some()),
            name: &run.call.name,
            response: match run.outcome.result() {
                Some(result) => CallResponse::Output(result),
                None => CallResponse::Error(run.content()),
            },
        },
    });
    [
        history.map_or_else(|| said("model", foreign(round)), BodyEntry::Own),
        said("user", results.collect()),
    ]
}

/// A round of another provider: only text and calls.
fn foreign(round: &Round) -> Vec<BodyPart<'_>> {
    let text = Some(round.text.as_str()).filter(|text| !text.trim().is_empty());
    let calls = round.calls.iter().enumerate();
    let calls = calls.map(|(index, run)| BodyPart::Call {
        function_call: Call {
            name: &run.call.name,
            args: run.arguments().unwrap_or_else(|| raw(&Members::new())),
        },
        thought_signature: (index == 0).then_some(NO_SIGNATURE),
    });
    text.map(|text| BodyPart::Text { text })
        .into_iter()
        .chain(calls)
        .collect()
}
