//! Gemini API: the request.

use serde::Serialize;
use serde_json::value::RawValue;

use super::super::raw;
use super::super::turns::{Turn, Turns};
use crate::provider::{Offer, Request, Round};
use crate::request::ResponseFormat;
use crate::tools::{ToolRun, ToolSpec};

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
    tools: Vec<Tools<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_config: Option<ToolConfig>,
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

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Tools<'a> {
    function_declarations: Vec<Declaration<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Declaration<'a> {
    name: &'a str,
    description: &'a str,
    parameters_json_schema: &'a serde_json::Value,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ToolConfig {
    function_calling_config: CallingConfig,
}

#[derive(Serialize)]
struct CallingConfig {
    mode: &'static str,
}

impl<'a> Body<'a> {
    pub(super) fn new(request: &Request<'a>) -> Self {
        let Turns {
            instructions,
            turns,
        } = Turns::new(request);
        let instructions = Some(instructions).filter(|texts| !texts.is_empty());
        let turns = turns.into_iter().map(|turn| BodyEntry::Said(turn.into()));
        let rounds = request.rounds.iter();
        let rounds = rounds.flat_map(|round| entries(round, request.provider));
        let sampling = request.sampling;
        let format = sampling.and_then(|sampling| sampling.response_format.as_ref());
        Self {
            system_instruction: instructions.map(|texts| BodyContent {
                role: None,
                parts: parts(texts),
            }),
            contents: turns.chain(rounds).collect(),
            generation_config: GenerationConfig {
                max_output_tokens: request.max_output_tokens,
                temperature: sampling.and_then(|sampling| sampling.temperature),
                top_p: sampling.and_then(|sampling| sampling.top_p),
                stop_sequences: sampling.map_or(&[], |sampling| &sampling.stop),
                seed: sampling.and_then(|sampling| sampling.seed),
                response_mime_type: format.map(|_| "application/json"),
                response_json_schema: match format {
                    Some(ResponseFormat::JsonSchema { schema, .. }) => Some(schema),
                    Some(ResponseFormat::JsonObject) | None => None,
                },
            },
            tools: request.tools.iter().map(tools).collect(),
            tool_config: request.tools.map(|offer| ToolConfig {
                function_calling_config: CallingConfig {
                    mode: if offer.forbidden { "NONE" } else { "AUTO" },
                },
            }),
        }
    }
}

impl<'a> From<Turn<'a>> for BodyContent<'a> {
    fn from(turn: Turn<'a>) -> Self {
        let role = if turn.by_model { "model" } else { "user" };
        Self {
            role: Some(role),
            parts: parts(turn.texts),
        }
    }
}

fn parts(texts: Vec<&str>) -> Vec<BodyPart<'_>> {
    texts
        .into_iter()
        .map(|text| BodyPart::Text { text })
        .collect()
}

fn tools<'a>(offer: &Offer<'a>) -> Tools<'a> {
    let declaration = |spec: &'a ToolSpec| Declaration {
        name: &spec.name,
        description: &spec.description,
        parameters_json_schema: &spec.input_schema,
    };
    Tools {
        function_declarations: offer.specs.iter().map(declaration).collect(),
    }
}

/// A round of tools: the model's text and calls, and one content with all results.
fn entries<'a>(round: &'a Round, own: &str) -> [BodyEntry<'a>; 2] {
    let history = round.history.as_deref().filter(|_| round.provider == own);
    let said = history.map_or_else(
        || {
            BodyEntry::Said(BodyContent {
                role: Some("model"),
                parts: foreign(round),
            })
        },
        BodyEntry::Own,
    );
    let is_own = history.is_some();
    let results = round.calls.iter().map(|run| BodyPart::Result {
        function_response: result(run, is_own),
    });
    let results = BodyContent {
        role: Some("user"),
        parts: results.collect(),
    };
    [said, BodyEntry::Said(results)]
}

fn result(run: &ToolRun, is_own: bool) -> CallResult<'_> {
    CallResult {
        id: run.call.id.as_deref().filter(|_| is_own),
        name: &run.call.name,
        response: match run.outcome.result() {
            Some(result) => CallResponse::Output(result),
            None => CallResponse::Error(run.content()),
        },
    }
}

/// A round of another provider: only text and calls.
fn foreign(round: &Round) -> Vec<BodyPart<'_>> {
    let text = Some(round.text.as_str()).filter(|text| !text.trim().is_empty());
    let calls = round.calls.iter().enumerate();
    let calls = calls.map(|(index, run)| BodyPart::Call {
        function_call: Call {
            name: &run.call.name,
            args: run
                .arguments()
                .unwrap_or_else(|| raw(&serde_json::json!({}))),
        },
        thought_signature: (index == 0).then_some(NO_SIGNATURE),
    });
    text.map(|text| BodyPart::Text { text })
        .into_iter()
        .chain(calls)
        .collect()
}
