//! Chat Completions: the response, and what its stream has in common with it.

use std::fmt;

use serde::de::value::SeqAccessDeserializer;
use serde::de::{SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
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

pub(super) enum Content {
    Text(String),
    Parts(Vec<Part>),
}

impl<'de> Deserialize<'de> for Content {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ContentVisitor)
    }
}

/// Distinguishes text from parts. An untagged enum would do, but reads each text twice.
struct ContentVisitor;

impl<'de> Visitor<'de> for ContentVisitor {
    type Value = Content;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("text or parts")
    }

    fn visit_str<E>(self, text: &str) -> Result<Content, E> {
        Ok(Content::Text(text.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<Content, A::Error> {
        Vec::deserialize(SeqAccessDeserializer::new(list)).map(Content::Parts)
    }
}

#[derive(Deserialize)]
pub(super) struct Part {
    #[serde(rename = "type")]
    kind: String,
    #[serde(default, deserialize_with = "lenient")]
    text: Option<String>,
}

#[derive(Deserialize)]
pub(super) struct CompletionUsage {
    prompt_tokens: u64,
    completion_tokens: u64,
}

impl From<CompletionUsage> for Usage {
    fn from(usage: CompletionUsage) -> Self {
        Self::new(usage.prompt_tokens, usage.completion_tokens)
    }
}

impl Content {
    /// Returns the text; parts that hold a model's reasoning are left out.
    pub(super) fn into_text(self) -> String {
        match self {
            Self::Text(text) => text,
            Self::Parts(parts) => {
                let said = parts.into_iter().filter(|part| part.kind == "text");
                said.filter_map(|part| part.text).collect()
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
