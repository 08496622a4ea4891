//! Messages and replies, independent of the vendor.
//!
//! `Debug` never shows a text: what people write to a model must not reach a log by accident.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::tools::ToolRun;

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
    /// The model asked for a tool, though it could not have one.
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
#[non_exhaustive]
pub struct Usage {
    /// Tokens of the conversation, also those that the provider had cached.
    pub input_tokens: u64,
    /// Tokens that the model made, also those of hidden reasoning.
    pub output_tokens: u64,
}

impl Usage {
    /// So many tokens.
    pub fn new(input_tokens: u64, output_tokens: u64) -> Self {
        Self {
            input_tokens,
            output_tokens,
        }
    }

    pub(crate) fn plus(self, other: Self) -> Self {
        Self {
            input_tokens: self.input_tokens.saturating_add(other.input_tokens),
            output_tokens: self.output_tokens.saturating_add(other.output_tokens),
        }
    }
}

/// What a model answered.
#[derive(Clone, Serialize)]
#[non_exhaustive]
pub struct Reply {
    /// The answer, never empty; data from outside, to be shown and never to be run. Texts of
    /// several rounds of tools are joined by a blank line.
    pub text: String,
    /// The name under which the provider was set up; of the last round, as are the next two.
    pub provider: String,
    /// The model that answered, as the provider names it; the configured name where it does not.
    pub model: String,
    /// Why the text ends where it ends.
    pub finish_reason: FinishReason,
    /// What it cost, over all rounds; absent where the provider does not say.
    pub usage: Option<Usage>,
    /// The tools that the model called, in the order in which it asked.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tool_calls: Vec<ToolRun>,
    /// What was left out of the request, in sentences.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// How often a model was asked for it: 1 without tools.
    pub rounds: u32,
}

impl Reply {
    /// A reply that says nothing of its end or cost.
    pub fn new(
        text: impl Into<String>,
        provider: impl Into<String>,
        model: impl Into<String>,
    ) -> Self {
        Self {
            text: text.into(),
            provider: provider.into(),
            model: model.into(),
            finish_reason: FinishReason::Other,
            usage: None,
            tool_calls: Vec::new(),
            warnings: Vec::new(),
            rounds: 1,
        }
    }

    /// Says why the text ends where it ends.
    #[must_use]
    pub fn with_finish_reason(mut self, finish_reason: FinishReason) -> Self {
        self.finish_reason = finish_reason;
        self
    }

    /// Says what it cost.
    #[must_use]
    pub fn with_usage(mut self, usage: Option<Usage>) -> Self {
        self.usage = usage;
        self
    }
}

impl fmt::Debug for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reply")
            .field("text_bytes", &self.text.len())
            .field("provider", &self.provider)
            .field("model", &self.model)
            .field("finish_reason", &self.finish_reason)
            .field("usage", &self.usage)
            .field("rounds", &self.rounds)
            .finish_non_exhaustive()
    }
}
