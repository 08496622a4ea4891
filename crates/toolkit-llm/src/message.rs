//! Messages and replies, independent of the vendor.
//!
//! `Debug` never shows message text: what people write to a model must not reach a log by accident.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::provider::Round;
use crate::tools::ToolRun;

/// Author of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
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
#[non_exhaustive]
pub struct Message {
    /// Author.
    pub role: Role,
    /// Plain text.
    pub content: String,
}

impl Message {
    /// Creates a message.
    pub fn new(role: Role, content: impl Into<String>) -> Self {
        let content = content.into();
        Self { role, content }
    }

    /// Creates a message from the user.
    pub fn user(content: impl Into<String>) -> Self {
        Self::new(Role::User, content)
    }

    /// Creates a message from an earlier reply of the model.
    pub fn assistant(content: impl Into<String>) -> Self {
        Self::new(Role::Assistant, content)
    }

    /// Creates an instruction to the model.
    pub fn system(content: impl Into<String>) -> Self {
        Self::new(Role::System, content)
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

/// Reason why a model stopped, in one vocabulary for all vendors.
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
    /// The model had finished.
    Stop,
    /// The text ends where the output limit or the context was full.
    Length,
    /// The vendor's filter, or the model itself, cut the text short.
    ContentFilter,
    /// The model asked for a tool although none was allowed.
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

/// Token counts of a call, as the provider reports them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Usage {
    /// Tokens of the conversation, including those that the provider had cached.
    pub input_tokens: u64,
    /// Tokens that the model generated, including hidden reasoning.
    pub output_tokens: u64,
    /// Input tokens that the provider read from its cache; 0 if it does not say.
    #[serde(default)]
    pub cached_tokens: u64,
    /// Output tokens of hidden reasoning; 0 if the provider does not say.
    #[serde(default)]
    pub reasoning_tokens: u64,
}

impl Usage {
    /// Creates token counts.
    pub fn new(input_tokens: u64, output_tokens: u64) -> Self {
        Self {
            input_tokens,
            output_tokens,
            cached_tokens: 0,
            reasoning_tokens: 0,
        }
    }

    pub(crate) fn plus(self, other: Self) -> Self {
        Self {
            input_tokens: self.input_tokens.saturating_add(other.input_tokens),
            output_tokens: self.output_tokens.saturating_add(other.output_tokens),
            cached_tokens: self.cached_tokens.saturating_add(other.cached_tokens),
            reasoning_tokens: self.reasoning_tokens.saturating_add(other.reasoning_tokens),
        }
    }
}

/// Reply of a model.
#[derive(Clone, Serialize)]
#[non_exhaustive]
pub struct Reply {
    /// Text of the reply, never empty; untrusted data, to be displayed and never executed. Texts of
    /// several rounds of tools are joined by a blank line.
    pub text: String,
    /// Configured name of the provider; like the next two, that of the last round.
    pub provider: String,
    /// The model, as the provider names it, or the configured name if it does not.
    pub model: String,
    /// Why the text ends.
    pub finish_reason: FinishReason,
    /// Token counts, over all rounds; absent if the provider reports none.
    pub usage: Option<Usage>,
    /// Tools that the model called, in the order in which it asked.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tool_calls: Vec<ToolRun>,
    /// Options left out of the request, in sentences.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// Number of times a model was asked: 1 without tools.
    pub rounds: u32,
    /// Rounds of tools, for [`ChatRequest::rounds`](crate::ChatRequest::rounds) to resume from.
    #[serde(skip)]
    pub tool_rounds: Vec<Round>,
}

impl Reply {
    /// Creates a reply without a finish reason or token counts.
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
            tool_rounds: Vec::new(),
        }
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
