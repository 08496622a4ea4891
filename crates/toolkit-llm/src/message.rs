//! Messages and replies, independent of the vendor.
//!
//! `Debug` output contains no message text, so that it does not reach a log by accident.

use serde::{Deserialize, Serialize};

use crate::round::{PendingRound, Round};
use crate::tools::{ToolCall, ToolRun};

/// Author of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, derive_more::Display)]
#[display("{}", self.as_str())]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Role {
    /// The person who asks.
    User,
    /// The model, in an earlier reply.
    Assistant,
    /// Instructions to the model.
    System,
    /// The result of a tool that the caller ran, for a call in an earlier message.
    Tool,
}

impl Role {
    /// The role as written in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Assistant => "assistant",
            Self::System => "system",
            Self::Tool => "tool",
        }
    }
}

/// An image in a message.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Image {
    /// Its bytes.
    #[non_exhaustive]
    Data {
        /// Media type, such as `image/png`.
        media_type: String,
        /// The bytes in Base64 (RFC 4648 §4).
        base64: String,
    },
    /// An address from which the vendor fetches it. Not every vendor does.
    Url(String),
}

impl Image {
    /// Creates an image from its media type and its bytes in Base64.
    pub fn base64(media_type: impl Into<String>, base64: impl Into<String>) -> Self {
        Self::Data { media_type: media_type.into(), base64: base64.into() }
    }

    /// Creates an image that the vendor fetches from an address.
    pub fn url(url: impl Into<String>) -> Self {
        Self::Url(url.into())
    }

    /// The image as a URL. For bytes, a `data:` URL (RFC 2397).
    pub(crate) fn to_url(&self) -> String {
        match self {
            Self::Data { media_type, base64 } => format!("data:{media_type};base64,{base64}"),
            Self::Url(url) => url.clone(),
        }
    }
}

/// One message of a conversation.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, derive_more::Debug)]
#[debug("Message {{ role: {role:?}, content_bytes: {}, images: {}, .. }}", content.len(), images.len())]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Message {
    /// Author.
    pub role: Role,
    /// Plain text.
    pub content: String,
    /// Images after the text. Only the user's are sent.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub images: Vec<Image>,
    /// Tool calls that the model asked for and the caller ran.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tool_calls: Vec<ToolCall>,
    /// ID of the call that a [`Role::Tool`] message answers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool_call_id: Option<String>,
}

impl Message {
    /// Creates a message.
    pub fn new(role: Role, content: impl Into<String>) -> Self {
        Self {
            role,
            content: content.into(),
            images: Vec::new(),
            tool_calls: Vec::new(),
            tool_call_id: None,
        }
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

    /// Creates the result of a call, which follows the message with the call.
    ///
    /// ```
    /// use toolkit_llm::{Conversation, Message, ToolCall};
    ///
    /// let call = ToolCall::new("clock", "{}").with_id(Some("c1".to_owned()));
    /// let conversation = Conversation::new(vec![
    ///     Message::user("What time is it?"),
    ///     Message::assistant("").with_tool_calls(vec![call]),
    ///     Message::tool("c1", "12:00"),
    /// ])?;
    /// # let _ = conversation;
    /// # Ok::<(), toolkit_llm::ConversationError>(())
    /// ```
    pub fn tool(call_id: impl Into<String>, content: impl Into<String>) -> Self {
        Self { tool_call_id: Some(call_id.into()), ..Self::new(Role::Tool, content) }
    }

    /// Adds an image.
    #[must_use]
    pub fn with_image(mut self, image: Image) -> Self {
        self.images.push(image);
        self
    }

    /// Sets the calls that the model asked for.
    #[must_use]
    pub fn with_tool_calls(mut self, calls: Vec<ToolCall>) -> Self {
        self.tool_calls = calls;
        self
    }

    /// Length of the text in bytes, without images.
    pub(crate) fn text_bytes(&self) -> usize {
        let calls = self.tool_calls.iter().map(|call| call.arguments.len());
        self.content.len() + calls.sum::<usize>()
    }
}

/// Reason a model stopped, in one vocabulary for all vendors.
///
/// | here | OpenAI and compatible | Anthropic | Gemini |
/// |---|---|---|---|
/// | `stop` | `stop`, `eos`, `eos_token`, `end_turn`, `stop_sequence`, `completed` | `end_turn`, `stop_sequence` | `STOP` |
/// | `length` | `length`, `max_tokens`, `model_length`, `max_output_tokens` | `max_tokens`, `model_context_window_exceeded` | `MAX_TOKENS` |
/// | `content_filter` | `content_filter`, a `refusal` | `refusal` | `SAFETY`, `RECITATION`, `BLOCKLIST`, `PROHIBITED_CONTENT`, `SPII` |
/// | `tool_calls` | `tool_calls`, `function_call` | `tool_use` | – |
/// | `other` | anything else, or nothing | the same | the same |
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, derive_more::Display)]
#[display("{}", self.as_str())]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum FinishReason {
    /// The model had finished.
    Stop,
    /// The output limit or the context was reached.
    Length,
    /// The vendor's filter, or the model itself, cut the text short.
    ContentFilter,
    /// The model asked for a tool although none was allowed.
    ToolCalls,
    /// Another reason, or none.
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

/// Token counts of a call, as the provider reports them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Usage {
    /// Tokens of the conversation, including cached ones.
    pub input_tokens: u64,
    /// Tokens that the model generated, including hidden reasoning.
    pub output_tokens: u64,
    /// Input tokens read from the provider's cache. 0 if it does not say.
    #[serde(default)]
    pub cached_tokens: u64,
    /// Output tokens of hidden reasoning. 0 if the provider does not say.
    #[serde(default)]
    pub reasoning_tokens: u64,
}

impl Usage {
    /// Creates token counts.
    pub fn new(input_tokens: u64, output_tokens: u64) -> Self {
        Self { input_tokens, output_tokens, cached_tokens: 0, reasoning_tokens: 0 }
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
#[derive(Clone, Serialize, derive_more::Debug)]
#[debug(
    "Reply {{ text_bytes: {}, provider: {provider:?}, model: {model:?}, finish_reason: {finish_reason:?}, \
     usage: {usage:?}, rounds: {rounds}, .. }}",
    text.len()
)]
#[non_exhaustive]
pub struct Reply {
    /// Text of the reply, empty only before calls for the caller. Untrusted data: display it, but
    /// do not execute it. Texts of several tool rounds are joined by a blank line.
    pub text: String,
    /// Configured name of the provider. This and the next two fields are the last round's.
    pub provider: String,
    /// The model as the provider names it, or else the configured name.
    pub model: String,
    /// Why the text ends.
    pub finish_reason: FinishReason,
    /// The model's reasoning, if requested and exposed by the model. As private and untrusted as
    /// the text.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub reasoning: String,
    /// Token counts over all rounds. Absent if the provider reports none.
    pub usage: Option<Usage>,
    /// Tool calls of the model, in the order in which it asked.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tool_calls: Vec<ToolRun>,
    /// Options left out of the request, in sentences.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// Number of model calls. 1 without tools.
    pub rounds: u32,
    /// Tool rounds, for [`ChatRequest::rounds`](crate::ChatRequest::rounds) to resume from.
    #[serde(skip)]
    pub tool_rounds: Vec<Round>,
    /// Calls for the caller to run. See
    /// [`ChatRequest::caller_tools`](crate::ChatRequest::caller_tools). If there are any, the text
    /// may be empty.
    #[serde(skip)]
    pub pending: Option<PendingRound>,
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
            reasoning: String::new(),
            usage: None,
            tool_calls: Vec::new(),
            warnings: Vec::new(),
            rounds: 1,
            tool_rounds: Vec::new(),
            pending: None,
        }
    }
}
