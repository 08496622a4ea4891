//! Provider: the interface that a chain needs.

use std::pin::Pin;
use std::time::Duration;

use async_trait::async_trait;
use futures_core::Stream;
use serde_json::value::RawValue;

use crate::conversation::Conversation;
use crate::error::ProviderError;
use crate::message::{FinishReason, Message, Reply, Usage};
use crate::pull::Pull;
use crate::request::{RESPONSE_FORMAT, SEED, Sampling, UNSET};
use crate::round::Round;
use crate::tools::{ToolCall, ToolSpec};

/// Request to a provider.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Request<'a> {
    /// The conversation so far.
    pub conversation: &'a Conversation,
    /// The operator's instructions, placed before those in the conversation.
    pub system_prompt: Option<&'a str>,
    /// Maximum length of the reply, in the provider's tokens.
    pub max_output_tokens: u32,
    /// Sampling options; none by default.
    pub sampling: &'a Sampling,
    /// The model, instead of the configured one.
    pub model: Option<&'a str>,
    /// Whether to return the model's reasoning.
    pub show_reasoning: bool,
    /// Tools that the model may call, if any.
    pub tools: Option<Offer<'a>>,
    /// Tool rounds of this request so far, which follow the conversation.
    pub rounds: &'a [Round],
    /// Name of the provider asked, which identifies its own rounds.
    pub provider: &'a str,
}

impl<'a> Request<'a> {
    /// Creates a request without instructions, sampling options and tools.
    pub fn new(conversation: &'a Conversation, max_output_tokens: u32) -> Self {
        Self {
            conversation,
            system_prompt: None,
            max_output_tokens,
            sampling: &UNSET,
            model: None,
            show_reasoning: false,
            tools: None,
            rounds: &[],
            provider: "",
        }
    }

    /// Bytes of its texts.
    pub(crate) fn bytes(&self) -> usize {
        let messages = self.conversation.messages().iter().map(Message::text_bytes);
        let specs = self.tools.iter().flat_map(|offer| offer.specs).map(ToolSpec::bytes);
        let parts = messages.chain(self.rounds.iter().map(Round::bytes)).chain(specs);
        parts.sum::<usize>() + self.system_prompt.map_or(0, str::len)
    }
}

/// Tools offered to a model.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Offer<'a> {
    /// Their definitions.
    pub specs: &'a [ToolSpec],
    /// Whether further calls are forbidden. The tools are still described, because earlier rounds
    /// contain calls.
    pub forbidden: bool,
}

impl<'a> Offer<'a> {
    /// Offers tools that may be called.
    pub fn new(specs: &'a [ToolSpec]) -> Self {
        Self { specs, forbidden: false }
    }
}

/// A part of an answer.
#[derive(Clone)]
#[non_exhaustive]
pub enum Piece {
    /// No content, but a sign that the provider is alive.
    Alive,
    /// The answering model. Sent at most once, before any text.
    Model(String),
    /// Reasoning as it arrives, written before the answer.
    Reasoning(String),
    /// Text, as it arrives.
    Text(String),
    /// End of a complete answer. Without it, an answer is incomplete.
    End(Box<AnswerEnd>),
}

/// End of a complete answer.
#[derive(Clone)]
#[non_exhaustive]
pub struct AnswerEnd {
    /// Reason the answer ends.
    pub finish_reason: FinishReason,
    /// Token counts, if the provider reports them.
    pub usage: Option<Usage>,
    /// Calls that the model asks for.
    pub calls: Vec<ToolCall>,
    /// The answer in the provider's format, to send back with the results.
    pub history: Option<Box<RawValue>>,
}

impl AnswerEnd {
    /// Creates an end without calls.
    pub fn new(finish_reason: FinishReason) -> Self {
        Self { finish_reason, usage: None, calls: Vec::new(), history: None }
    }
}

/// An answer as it arrives. Dropping it closes the connection.
pub type Answer = Pin<Box<dyn Stream<Item = Result<Piece, ProviderError>> + Send>>;

/// A service that answers conversations.
///
/// A provider makes one attempt, without deadlines, retries or rests. A chain ends an attempt by
/// dropping the future, so nothing may keep running.
#[async_trait]
pub trait Provider: Send + Sync {
    /// The configured name, shown in replies, statuses and logs.
    fn name(&self) -> &str;

    /// Maximum silence, before and during the answer. If `None`, the chain divides its deadline
    /// evenly for the time before.
    fn timeout(&self) -> Option<Duration> {
        None
    }

    /// Whether the provider supports tools. If not, it is asked without them, and the reply says
    /// so.
    fn takes_tools(&self) -> bool {
        false
    }

    /// Names of the options in `sampling` that this provider is not sent. The reply lists them.
    fn unsupported(&self, sampling: &Sampling) -> Vec<&'static str> {
        let options = sampling.options().into_iter();
        options.filter(|name| matches!(*name, SEED | RESPONSE_FORMAT)).collect()
    }

    /// Makes one call for a streamed answer, with the tools that the request offers.
    ///
    /// # Errors
    ///
    /// A failed call. The kind decides whether the chain retries, moves on or gives up. An error after
    /// the first piece is an item of the stream and ends it.
    async fn stream(&self, request: Request<'_>) -> Result<Answer, ProviderError>;
}

impl Reply {
    /// Makes the answer of a provider that does not stream.
    pub fn into_answer(self) -> Answer {
        let end = AnswerEnd { usage: self.usage, ..AnswerEnd::new(self.finish_reason) };
        Box::pin(Pull::new(|sender| async move {
            sender.send(Ok(Piece::Model(self.model))).await;
            sender.send(Ok(Piece::Text(self.text))).await;
            sender.send(Ok(Piece::End(Box::new(end)))).await;
        }))
    }
}
