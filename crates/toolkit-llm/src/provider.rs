//! Provider: the interface that a chain needs.

use std::pin::Pin;
use std::time::Duration;

use async_trait::async_trait;
use futures_core::Stream;
use serde_json::value::RawValue;

use crate::conversation::Conversation;
use crate::error::ProviderError;
use crate::message::{FinishReason, Reply, Usage};
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
    /// The operator's instructions, which precede those in the conversation.
    pub system_prompt: Option<&'a str>,
    /// Maximum length of the reply, in the provider's tokens.
    pub max_output_tokens: u32,
    /// Sampling options; none by default.
    pub sampling: &'a Sampling,
    /// The model, instead of the configured one.
    pub model: Option<&'a str>,
    /// Whether the model's reasoning is wanted.
    pub show_reasoning: bool,
    /// Tools that the model may call, if any.
    pub tools: Option<Offer<'a>>,
    /// Rounds of tools that this request has had so far, after the conversation.
    pub rounds: &'a [Round],
    /// Name under which the provider is asked: it identifies the rounds that are its own.
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
}

/// Tools that are offered to a model.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Offer<'a> {
    /// Their definitions.
    pub specs: &'a [ToolSpec],
    /// Whether further calls are forbidden. The tools are described all the same, because earlier
    /// rounds hold calls.
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
    /// Something without content: the provider is alive.
    Alive,
    /// The model that answers; at most once and before any text.
    Model(String),
    /// Reasoning, as it arrives: what a model writes before its answer.
    Reasoning(String),
    /// Text, as it arrives.
    Text(String),
    /// End of a complete answer. An answer without it is incomplete.
    End(Box<AnswerEnd>),
}

/// End of a complete answer.
#[derive(Clone)]
#[non_exhaustive]
pub struct AnswerEnd {
    /// Why the answer ends.
    pub finish_reason: FinishReason,
    /// Token counts, if the provider reports them.
    pub usage: Option<Usage>,
    /// Calls that the model asks for.
    pub calls: Vec<ToolCall>,
    /// The answer as the provider gave it, to be sent back with the results.
    pub history: Option<Box<RawValue>>,
}

impl AnswerEnd {
    /// Creates an end without calls.
    pub fn new(finish_reason: FinishReason) -> Self {
        Self { finish_reason, usage: None, calls: Vec::new(), history: None }
    }
}

/// An answer as it arrives; dropping it closes the connection.
pub type Answer = Pin<Box<dyn Stream<Item = Result<Piece, ProviderError>> + Send>>;

/// A service that answers conversations.
///
/// A provider makes one attempt and knows nothing of deadlines, retries and rests. A chain ends an
/// attempt by dropping the future, so nothing may be left running.
#[async_trait]
pub trait Provider: Send + Sync {
    /// The configured name, which appears in replies, statuses and logs.
    fn name(&self) -> &str;

    /// Maximum silence, before the answer and in it; if `None`, the chain shares its deadline evenly
    /// for the time before.
    fn timeout(&self) -> Option<Duration> {
        None
    }

    /// Whether the provider supports tools. If not, it is asked without, and the reply says so.
    fn takes_tools(&self) -> bool {
        false
    }

    /// Names of the options in `sampling` that are not sent to this provider; the reply says so.
    fn unsupported(&self, sampling: &Sampling) -> Vec<&'static str> {
        let options = sampling.options().into_iter();
        options.filter(|name| matches!(*name, SEED | RESPONSE_FORMAT)).collect()
    }

    /// Asks for a reply, once.
    ///
    /// # Errors
    ///
    /// A failed call; the kind decides whether the chain retries, moves on or gives up.
    async fn reply(&self, request: Request<'_>) -> Result<Reply, ProviderError>;

    /// Asks for an answer, once, as a stream and with the tools that the request offers.
    ///
    /// By default it is the reply, in one piece.
    ///
    /// # Errors
    ///
    /// As for a reply. An error after the first piece is an item of the stream, and ends it.
    async fn stream(&self, request: Request<'_>) -> Result<Answer, ProviderError> {
        let reply = self.reply(request).await?;
        let end = AnswerEnd { usage: reply.usage, ..AnswerEnd::new(reply.finish_reason) };
        Ok(Box::pin(Pull::new(|sender| async move {
            sender.send(Ok(Piece::Model(reply.model))).await;
            sender.send(Ok(Piece::Text(reply.text))).await;
            sender.send(Ok(Piece::End(Box::new(end)))).await;
        })))
    }
}
