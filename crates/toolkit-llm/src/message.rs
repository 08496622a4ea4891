//! What goes to a model and what comes back, in words of no vendor.
//!
//! `Debug` never shows a text: what people write to a model must not reach a log by accident.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Who speaks in a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// The person who asks.
    User,
    /// The model, in an earlier reply.
    Assistant,
    /// Instructions to the model.
    System,
}

impl Role {
    /// The role as it is written in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Assistant => "assistant",
            Self::System => "system",
        }
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// One message of a conversation.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Message {
    /// Who speaks.
    pub role: Role,
    /// What is said, as plain text.
    pub content: String,
}

impl Message {
    /// A message of the person who asks.
    pub fn user(content: impl Into<String>) -> Self {
        Self {
            role: Role::User,
            content: content.into(),
        }
    }

    /// An earlier reply of the model.
    pub fn assistant(content: impl Into<String>) -> Self {
        Self {
            role: Role::Assistant,
            content: content.into(),
        }
    }

    /// An instruction to the model.
    pub fn system(content: impl Into<String>) -> Self {
        Self {
            role: Role::System,
            content: content.into(),
        }
    }
}

impl fmt::Debug for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Message")
            .field("role", &self.role)
            .field("content_bytes", &self.content.len())
            .finish()
    }
}

/// Why a model stopped, in one vocabulary for all vendors.
///
/// | here | OpenAI and compatible | Anthropic | Gemini |
/// |---|---|---|---|
/// | `stop` | `stop`, `eos`, `eos_token`, `end_turn`, `stop_sequence` | `end_turn`, `stop_sequence` | `STOP` |
/// | `length` | `length`, `max_tokens`, `model_length` | `max_tokens`, `model_context_window_exceeded` | `MAX_TOKENS` |
/// | `content_filter` | `content_filter`, a `refusal` | `refusal` | `SAFETY`, `RECITATION`, `BLOCKLIST`, `PROHIBITED_CONTENT`, `SPII` |
/// | `tool_calls` | `tool_calls`, `function_call` | `tool_use` | – |
/// | `other` | anything else, or nothing | the same | the same |
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum FinishReason {
    /// The model had said what it wanted to say.
    Stop,
    /// The text ends where the output or the context was full.
    Length,
    /// The vendor's filter, or the model itself, cut the text short.
    ContentFilter,
    /// The model asked for a tool, though none was offered.
    ToolCalls,
    /// Another reason, or none was given.
    Other,
}

impl FinishReason {
    /// The reason as it is written in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Stop => "stop",
            Self::Length => "length",
            Self::ContentFilter => "content_filter",
            Self::ToolCalls => "tool_calls",
            Self::Other => "other",
        }
    }
}

impl fmt::Display for FinishReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// What a call cost, as the provider counted it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// Tokens of the conversation, also those that the provider had cached.
    pub input_tokens: u64,
    /// Tokens that the model made, also those of hidden reasoning.
    pub output_tokens: u64,
}

/// What a model answered.
#[derive(Clone, PartialEq, Eq, Serialize)]
pub struct Reply {
    /// The answer, never empty; data from outside, to be shown and never to be run.
    pub text: String,
    /// The name under which the provider was set up.
    pub provider: String,
    /// The model that answered, as the provider names it; the configured name where it does not.
    pub model: String,
    /// Why the text ends where it ends.
    pub finish_reason: FinishReason,
    /// What it cost; absent where the provider does not say.
    pub usage: Option<Usage>,
}

impl fmt::Debug for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reply")
            .field("text_bytes", &self.text.len())
            .field("provider", &self.provider)
            .field("model", &self.model)
            .field("finish_reason", &self.finish_reason)
            .field("usage", &self.usage)
            .finish()
    }
}
