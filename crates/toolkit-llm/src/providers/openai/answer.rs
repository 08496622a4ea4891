//! Chat Completions: the response, and what its stream has in common with it.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

use super::super::{Found, Members, lenient, raw};
use super::calls::Calls;
use crate::error::ProviderError;
use crate::message::{FinishReason, Usage};
use crate::provider::AnswerEnd;

#[derive(Deserialize)]
pub(super) struct Completion {
    #[serde(default)]
    choices: Vec<Choice>,
    #[serde(default, deserialize_with = "lenient")]
    model: Option<String>,
    #[serde(default, deserialize_with = "lenient")]
    usage: Option<CompletionUsage>,
    /// Gateways report a failure of the model's server this way, with status 200.
    error: Option<serde::de::IgnoredAny>,
}

#[derive(Deserialize)]
struct Choice {
    message: ChoiceMessage<Box<RawValue>>,
    #[serde(default, deserialize_with = "lenient")]
    finish_reason: Option<String>,
}

/// A message, or a part of one; `C` are its calls.
#[derive(Deserialize)]
pub(super) struct ChoiceMessage<C> {
    pub(super) content: Option<Content>,
    #[serde(default, deserialize_with = "lenient")]
    pub(super) refusal: Option<String>,
    pub(super) tool_calls: Option<C>,
    pub(super) reasoning_content: Option<Box<RawValue>>,
    pub(super) reasoning_details: Option<Box<RawValue>>,
}

#[derive(Deserialize)]
#[serde(untagged)]
pub(super) enum Content {
    Text(String),
    Parts(Vec<Part>),
}

#[derive(Deserialize)]
pub(super) struct Part {
    #[serde(rename = "type")]
    kind: String,
    text: Option<Value>,
}

#[derive(Deserialize)]
pub(super) struct CompletionUsage {
    prompt_tokens: u64,
    completion_tokens: u64,
    #[serde(default, deserialize_with = "lenient")]
    prompt_tokens_details: Option<Details>,
    #[serde(default, deserialize_with = "lenient")]
    completion_tokens_details: Option<Details>,
}

#[derive(Deserialize)]
struct Details {
    #[serde(default)]
    cached_tokens: u64,
    #[serde(default)]
    reasoning_tokens: u64,
}

impl From<CompletionUsage> for Usage {
    fn from(usage: CompletionUsage) -> Self {
        let cached = usage.prompt_tokens_details;
        let reasoning = usage.completion_tokens_details;
        Self {
            cached_tokens: cached.map_or(0, |details| details.cached_tokens),
            reasoning_tokens: reasoning.map_or(0, |details| details.reasoning_tokens),
            ..Self::new(usage.prompt_tokens, usage.completion_tokens)
        }
    }
}

impl Content {
    /// Returns the text; parts that hold a model's reasoning are left out.
    pub(super) fn into_text(self) -> String {
        match self {
            Self::Text(text) => text,
            Self::Parts(parts) => {
                let said = parts.into_iter().filter(|part| part.kind == "text");
                said.filter_map(|part| part.text?.as_str().map(str::to_owned))
                    .collect()
            }
        }
    }
}

/// An assistant's message with calls, as it goes into the history.
#[derive(Serialize)]
pub(super) struct Assistant<'a> {
    pub(super) role: &'static str,
    pub(super) content: Option<&'a str>,
    pub(super) tool_calls: Vec<Members>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) reasoning_content: Option<Box<RawValue>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) reasoning_details: Option<Box<RawValue>>,
}

impl Completion {
    pub(super) fn found(self, round: usize) -> Result<Found, ProviderError> {
        if self.error.is_some() {
            return Err(ProviderError::unusable("an error with a successful status"));
        }
        let Some(choice) = self.choices.into_iter().next() else {
            return Err(ProviderError::unusable("no choices"));
        };
        let message = choice.message;
        let mut text = message.content.map(Content::into_text).unwrap_or_default();
        let mut finish_reason = finish_reason(choice.finish_reason.as_deref())?;
        if text.is_empty()
            && let Some(refusal) = message.refusal
        {
            text = refusal;
            finish_reason = FinishReason::ContentFilter;
        }
        let (calls, tool_calls) = calls(message.tool_calls.as_deref())?.finish(round);
        let history = (!calls.is_empty()).then(|| {
            raw(&Assistant {
                role: "assistant",
                content: Some(text.as_str()).filter(|text| !text.is_empty()),
                tool_calls,
                reasoning_content: message.reasoning_content,
                reasoning_details: message.reasoning_details,
            })
        });
        Ok(Found {
            text,
            model: self.model,
            end: AnswerEnd {
                finish_reason,
                usage: self.usage.map(Usage::from),
                calls,
                history,
            },
        })
    }
}

/// Reads an array of calls; anything else counts as none.
pub(super) fn calls(list: Option<&RawValue>) -> Result<Calls, ProviderError> {
    let list = list.and_then(|list| serde_json::from_str::<Vec<Members>>(list.get()).ok());
    let mut calls = Calls::default();
    for (index, mut call) in list.unwrap_or_default().into_iter().enumerate() {
        // In a whole answer each element is a separate call.
        call.insert("index".to_owned(), raw(&index));
        calls.add(call)?;
    }
    Ok(calls)
}

pub(super) fn finish_reason(word: Option<&str>) -> Result<FinishReason, ProviderError> {
    Ok(match word.unwrap_or_default() {
        "stop" | "eos" | "eos_token" | "end_turn" | "stop_sequence" => FinishReason::Stop,
        "length" | "max_tokens" | "model_length" => FinishReason::Length,
        "content_filter" => FinishReason::ContentFilter,
        "tool_calls" | "function_call" => FinishReason::ToolCalls,
        // OpenRouter: the model's own server broke off in the middle.
        "error" => {
            return Err(ProviderError::unusable(
                "cut by an error of the model's server",
            ));
        }
        _ => FinishReason::Other,
    })
}
