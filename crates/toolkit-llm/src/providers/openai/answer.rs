//! Chat Completions: the parts of an answer.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

use super::super::{Members, lenient};
use crate::error::ProviderError;
use crate::message::{FinishReason, Usage};

/// A message, or a part of one.
#[derive(Deserialize)]
pub(super) struct ChoiceMessage {
    pub(super) content: Option<Content>,
    #[serde(default, deserialize_with = "lenient")]
    pub(super) refusal: Option<String>,
    #[serde(default, deserialize_with = "lenient")]
    pub(super) tool_calls: Option<Vec<Members>>,
    /// Reasoning has two names: vLLM, `LocalAI` and `OpenRouter` say `reasoning`.
    #[serde(default, deserialize_with = "lenient")]
    pub(super) reasoning_content: Option<String>,
    #[serde(default, deserialize_with = "lenient")]
    pub(super) reasoning: Option<String>,
    #[serde(default, deserialize_with = "lenient")]
    pub(super) reasoning_details: Option<Vec<Box<RawValue>>>,
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
    prompt_tokens_details: Option<UsageDetails>,
    #[serde(default, deserialize_with = "lenient")]
    completion_tokens_details: Option<UsageDetails>,
}

/// Breakdown of a token count.
#[derive(Deserialize)]
pub(crate) struct UsageDetails {
    #[serde(default)]
    pub(crate) cached_tokens: u64,
    #[serde(default)]
    pub(crate) reasoning_tokens: u64,
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
    /// Returns the text without parts that hold reasoning.
    pub(super) fn into_text(self) -> String {
        match self {
            Self::Text(text) => text,
            Self::Parts(parts) => {
                let said = parts.into_iter().filter(|part| part.kind == "text");
                said.filter_map(|part| part.text?.as_str().map(str::to_owned)).collect()
            }
        }
    }
}

/// An assistant's message with calls, in its history form.
#[derive(Serialize)]
pub(super) struct Assistant<'a> {
    pub(super) role: &'static str,
    pub(super) content: Option<&'a str>,
    pub(super) tool_calls: Vec<Members>,
    #[serde(skip_serializing_if = "str::is_empty")]
    pub(super) reasoning_content: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    pub(super) reasoning: &'a str,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub(super) reasoning_details: &'a [Box<RawValue>],
}

pub(super) fn finish_reason(word: Option<&str>) -> Result<FinishReason, ProviderError> {
    Ok(match word.unwrap_or_default() {
        "stop" | "eos" | "eos_token" | "end_turn" | "stop_sequence" => FinishReason::Stop,
        "length" | "max_tokens" | "model_length" => FinishReason::Length,
        "content_filter" => FinishReason::ContentFilter,
        "tool_calls" | "function_call" => FinishReason::ToolCalls,
        // The model's server failed: OpenRouter, DeepSeek, vLLM, Zhipu.
        "error" | "insufficient_system_resource" | "abort" | "network_error" => {
            return Err(ProviderError::unusable("cut by an error of the model's server"));
        }
        _ => FinishReason::Other,
    })
}
