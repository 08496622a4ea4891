//! Chat Completions: the request.

use std::borrow::Cow;

use serde::Serialize;
use serde_json::value::RawValue;

use super::LimitName;
use crate::message::Role;
use crate::provider::{Offer, Request, Round};
use crate::request::ResponseFormat;
use crate::tools::{ToolCall, ToolSpec, call_id};

#[derive(Serialize)]
pub(super) struct Body<'a> {
    model: &'a str,
    messages: Vec<BodyMessage<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_tokens: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_completion_tokens: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    top_p: Option<f64>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    stop: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    seed: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    response_format: Option<BodyFormat<'a>>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    stream: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) stream_options: Option<StreamOptions>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tools: Vec<Tool<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_choice: Option<&'static str>,
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum BodyFormat<'a> {
    JsonObject,
    JsonSchema { json_schema: NamedSchema<'a> },
}

#[derive(Serialize)]
struct NamedSchema<'a> {
    name: &'a str,
    schema: &'a serde_json::Value,
}

impl<'a> From<&'a ResponseFormat> for BodyFormat<'a> {
    fn from(format: &'a ResponseFormat) -> Self {
        match format {
            ResponseFormat::JsonObject => Self::JsonObject,
            ResponseFormat::JsonSchema { name, schema } => Self::JsonSchema {
                json_schema: NamedSchema { name, schema },
            },
        }
    }
}

/// Asks for the usage of a stream.
#[derive(Serialize)]
pub(super) struct StreamOptions {
    include_usage: bool,
}

#[derive(Serialize)]
#[serde(untagged)]
enum BodyMessage<'a> {
    Said {
        role: Role,
        content: &'a str,
    },
    /// An answer of this provider, as it sent it.
    Own(&'a RawValue),
    Calls {
        role: Role,
        content: Option<&'a str>,
        tool_calls: Vec<Call<'a>>,
    },
    Result {
        role: &'static str,
        tool_call_id: Cow<'a, str>,
        content: &'a str,
    },
}

#[derive(Serialize)]
struct Call<'a> {
    id: String,
    r#type: &'static str,
    function: CalledFunction<'a>,
}

#[derive(Serialize)]
struct CalledFunction<'a> {
    name: &'a str,
    arguments: &'a str,
}

#[derive(Serialize)]
struct Tool<'a> {
    r#type: &'static str,
    function: Function<'a>,
}

#[derive(Serialize)]
struct Function<'a> {
    name: &'a str,
    description: &'a str,
    parameters: &'a serde_json::Value,
}

impl<'a> Body<'a> {
    pub(super) fn new(model: &'a str, limit_name: LimitName, request: &Request<'a>) -> Self {
        let prompt = request.system_prompt.map(|content| BodyMessage::Said {
            role: Role::System,
            content,
        });
        let said = request.conversation.messages().iter();
        let said = said.map(|message| BodyMessage::Said {
            role: message.role,
            content: &message.content,
        });
        let rounds = request.rounds.iter().enumerate();
        let rounds = rounds.flat_map(|(index, round)| messages(index + 1, round, request.provider));
        let limit = |name| (limit_name == name).then_some(request.max_output_tokens);
        let sampling = request.sampling;
        let specs = request.tools.map_or(&[][..], |offer| offer.specs);
        let tool_choice = |offer: Offer<'_>| if offer.forbidden { "none" } else { "auto" };
        Self {
            model,
            messages: prompt.into_iter().chain(said).chain(rounds).collect(),
            max_tokens: limit(LimitName::MaxTokens),
            max_completion_tokens: limit(LimitName::MaxCompletionTokens),
            temperature: sampling.and_then(|sampling| sampling.temperature),
            top_p: sampling.and_then(|sampling| sampling.top_p),
            stop: sampling.map_or(&[], |sampling| &sampling.stop),
            seed: sampling.and_then(|sampling| sampling.seed),
            response_format: sampling
                .and_then(|sampling| sampling.response_format.as_ref())
                .map(BodyFormat::from),
            stream: request.streamed,
            stream_options: request.streamed.then_some(StreamOptions {
                include_usage: true,
            }),
            tools: specs.iter().map(tool).collect(),
            tool_choice: request.tools.map(tool_choice),
        }
    }
}

fn tool(spec: &ToolSpec) -> Tool<'_> {
    Tool {
        r#type: "function",
        function: Function {
            name: &spec.name,
            description: &spec.description,
            parameters: &spec.input_schema,
        },
    }
}

/// A round of tools: the model's text and calls, and a message for each result.
fn messages<'a>(number: usize, round: &'a Round, own: &str) -> Vec<BodyMessage<'a>> {
    let history = round.history.as_deref().filter(|_| round.provider == own);
    let calls = || round.calls.iter().enumerate();
    let first = history.map_or_else(
        || BodyMessage::Calls {
            role: Role::Assistant,
            content: Some(round.text.as_str()).filter(|text| !text.trim().is_empty()),
            tool_calls: calls()
                .map(|(index, run)| call(&run.call, call_id(number, index)))
                .collect(),
        },
        BodyMessage::Own,
    );
    let results = calls().map(|(index, run)| BodyMessage::Result {
        role: "tool",
        tool_call_id: match &run.call.id {
            Some(id) if history.is_some() => Cow::Borrowed(id),
            _ => Cow::Owned(call_id(number, index)),
        },
        content: run.content(),
    });
    std::iter::once(first).chain(results).collect()
}

fn call(call: &ToolCall, id: String) -> Call<'_> {
    Call {
        id,
        r#type: "function",
        function: CalledFunction {
            name: &call.name,
            arguments: &call.arguments,
        },
    }
}
