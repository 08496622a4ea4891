//! Gemini API: a response. A stream is a sequence of them.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::super::decode::Output;
use super::super::decode::{HISTORY_BYTES_MAX, parse};
use super::super::{lenient, raw};
use crate::error::ProviderError;
use crate::message::{FinishReason, Usage};
use crate::tools::ToolCall;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Content {
    #[serde(default)]
    pub(super) candidates: Vec<Candidate>,
    #[serde(default, deserialize_with = "lenient")]
    prompt_feedback: Option<PromptFeedback>,
    #[serde(default, deserialize_with = "lenient")]
    usage_metadata: Option<UsageMetadata>,
    #[serde(default, deserialize_with = "lenient")]
    pub(super) model_version: Option<String>,
    pub(super) error: Option<serde_json::Value>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct PromptFeedback {
    block_reason: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Candidate {
    /// Absent if a filter removed everything.
    content: Option<CandidateContent>,
    #[serde(default, deserialize_with = "lenient")]
    pub(super) finish_reason: Option<String>,
}

#[derive(Deserialize)]
struct CandidateContent {
    #[serde(default)]
    parts: Vec<Box<RawValue>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Part {
    text: Option<String>,
    /// Whether this is reasoning rather than part of the answer.
    #[serde(default)]
    thought: bool,
    function_call: Option<FunctionCall>,
}

#[derive(Deserialize)]
struct FunctionCall {
    #[serde(default, deserialize_with = "lenient")]
    id: Option<String>,
    #[serde(default)]
    name: String,
    args: Option<Box<RawValue>>,
}

/// Zero counts are omitted, but a prompt always has tokens.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
#[expect(clippy::struct_field_names, reason = "the names of the wire format")]
struct UsageMetadata {
    prompt_token_count: u64,
    #[serde(default)]
    candidates_token_count: u64,
    #[serde(default)]
    thoughts_token_count: u64,
    #[serde(default)]
    cached_content_token_count: u64,
}

/// Text and calls collected from the parts of an answer.
#[derive(Default)]
pub(super) struct Parts {
    calls: Vec<ToolCall>,
    /// All parts, as they arrived.
    kept: Vec<Box<RawValue>>,
    kept_bytes: usize,
}

impl Parts {
    /// Adds a candidate's parts, and passes on their text.
    pub(super) fn take(
        &mut self,
        candidate: Candidate,
        keeps: bool,
        output: &mut Output,
    ) -> Result<(), ProviderError> {
        let content = candidate.content.map(|content| content.parts);
        for part in content.unwrap_or_default() {
            let read: Part = parse(part.get())?;
            if let Some(call) = read.function_call {
                let arguments = call.args.map(|args| args.get().to_owned());
                let call = ToolCall::new(call.name, arguments.unwrap_or_default()).with_id(call.id);
                self.calls.push(call);
            }
            let text = read.text.unwrap_or_default();
            if read.thought {
                output.reasoning.push_str(&text);
            } else {
                output.text.push_str(&text);
            }
            self.kept_bytes += part.get().len();
            let fits = self.kept_bytes <= HISTORY_BYTES_MAX;
            if !fits && !self.calls.is_empty() {
                return Err(ProviderError::unusable("a round longer than the limit"));
            }
            if keeps && fits {
                self.kept.push(part);
            }
        }
        Ok(())
    }

    /// Returns the calls, and all parts in their history form.
    pub(super) fn finish(self) -> (Vec<ToolCall>, Option<Box<RawValue>>) {
        #[derive(Serialize)]
        struct History {
            role: &'static str,
            parts: Vec<Box<RawValue>>,
        }
        let history = (!self.calls.is_empty() && !self.kept.is_empty())
            .then(|| raw(&History { role: "model", parts: self.kept }));
        (self.calls, history)
    }
}

impl Content {
    pub(super) fn usage(&mut self) -> Option<Usage> {
        self.usage_metadata.take().map(Usage::from)
    }

    /// Whether the prompt was blocked.
    pub(super) fn is_blocked(&self) -> bool {
        let feedback = self.prompt_feedback.as_ref();
        feedback.is_some_and(|feedback| !feedback.block_reason.is_empty())
    }
}

impl From<UsageMetadata> for Usage {
    fn from(usage: UsageMetadata) -> Self {
        let thoughts = usage.thoughts_token_count;
        let output = usage.candidates_token_count.saturating_add(thoughts);
        Self {
            cached_tokens: usage.cached_content_token_count,
            reasoning_tokens: thoughts,
            ..Self::new(usage.prompt_token_count, output)
        }
    }
}

pub(super) fn finish_reason(word: Option<&str>) -> Result<FinishReason, ProviderError> {
    Ok(match word.unwrap_or_default() {
        "STOP" => FinishReason::Stop,
        "MAX_TOKENS" => FinishReason::Length,
        "SAFETY" | "RECITATION" | "BLOCKLIST" | "PROHIBITED_CONTENT" | "SPII" => {
            FinishReason::ContentFilter
        }
        "MALFORMED_FUNCTION_CALL"
        | "MALFORMED_RESPONSE"
        | "UNEXPECTED_TOOL_CALL"
        | "TOO_MANY_TOOL_CALLS"
        | "MISSING_THOUGHT_SIGNATURE" => {
            return Err(ProviderError::unusable("a call that the vendor could not read"));
        }
        _ => FinishReason::Other,
    })
}
