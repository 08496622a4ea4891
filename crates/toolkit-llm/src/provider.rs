//! Provider: the interface that a chain needs.

use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use futures_core::Stream;
use serde_json::value::RawValue;

use crate::conversation::Conversation;
use crate::error::ProviderError;
use crate::message::{FinishReason, Reply, Usage};
use crate::pull::Pull;
use crate::request::Sampling;
use crate::tools::{ToolCall, ToolRun, ToolSpec};

/// What a provider is asked.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Request<'a> {
    /// What was said so far.
    pub conversation: &'a Conversation,
    /// The operator's own instructions, before those in the conversation.
    pub system_prompt: Option<&'a str>,
    /// The longest reply, in the provider's tokens.
    pub max_output_tokens: u32,
    /// What influences which tokens it takes; nothing by default.
    pub sampling: Option<&'a Sampling>,
    /// Whether the answer should come as it is made.
    pub streamed: bool,
    /// The tools that the model may call, if any.
    pub tools: Option<Offer<'a>>,
    /// The rounds of tools that this request has had already, after the conversation.
    pub rounds: &'a [Round],
    /// The name under which the provider is asked: it tells which rounds are its own.
    pub provider: &'a str,
}

impl<'a> Request<'a> {
    /// A request for a whole answer, without instructions and without tools.
    pub fn new(conversation: &'a Conversation, max_output_tokens: u32) -> Self {
        Self {
            conversation,
            system_prompt: None,
            max_output_tokens,
            sampling: None,
            streamed: false,
            tools: None,
            rounds: &[],
            provider: "",
        }
    }

    /// Sets the operator's instructions.
    #[must_use]
    pub fn with_system_prompt(mut self, system_prompt: Option<&'a str>) -> Self {
        self.system_prompt = system_prompt;
        self
    }

    /// Asks for the answer as it is made.
    #[must_use]
    pub fn streamed(mut self) -> Self {
        self.streamed = true;
        self
    }

    /// Offers tools.
    #[must_use]
    pub fn with_tools(mut self, tools: Option<Offer<'a>>) -> Self {
        self.tools = tools;
        self
    }

    /// Sets the rounds of tools so far, and the name of the provider that is asked.
    #[must_use]
    pub fn with_rounds(mut self, rounds: &'a [Round], provider: &'a str) -> Self {
        self.rounds = rounds;
        self.provider = provider;
        self
    }

    /// Whether anything but a conversation and its limits is asked for.
    pub(crate) fn is_plain(&self) -> bool {
        !self.streamed && self.tools.is_none() && self.rounds.is_empty()
    }
}

/// Tools that are offered to a model.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Offer<'a> {
    /// What it is told about them.
    pub specs: &'a [ToolSpec],
    /// Whether it must not call any more. They are described all the same: the rounds before hold
    /// calls.
    pub forbidden: bool,
}

impl<'a> Offer<'a> {
    /// Tools that may be called.
    pub fn new(specs: &'a [ToolSpec]) -> Self {
        Self {
            specs,
            forbidden: false,
        }
    }

    /// The same tools, which must not be called any more.
    #[must_use]
    pub fn forbidden(mut self) -> Self {
        self.forbidden = true;
        self
    }
}

/// A round of tools: what the model said and called, and what came of it.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Round {
    /// The name of the provider that asked for it.
    pub provider: String,
    /// What the model said before its calls; often nothing.
    pub text: String,
    /// Its calls, with what came of them.
    pub calls: Vec<ToolRun>,
    /// The answer as the provider gave it, for this provider alone.
    pub history: Option<Box<RawValue>>,
}

impl Round {
    /// A round without the provider's own form of it.
    pub fn new(
        provider: impl Into<String>,
        text: impl Into<String>,
        calls: Vec<(ToolCall, crate::tools::ToolOutcome)>,
    ) -> Self {
        Self {
            provider: provider.into(),
            text: text.into(),
            calls: calls
                .into_iter()
                .map(|(call, outcome)| ToolRun::new(call, outcome))
                .collect(),
            history: None,
        }
    }
}

/// A part of an answer.
#[derive(Clone)]
#[non_exhaustive]
pub enum Piece {
    /// Something came that says nothing: the provider is alive.
    Alive,
    /// The model that answers, at most once and before any text.
    Model(String),
    /// Text, as it comes.
    Text(String),
    /// The end of a whole answer. An answer without it is not whole.
    End(Box<AnswerEnd>),
}

/// The end of a whole answer.
#[derive(Clone)]
#[non_exhaustive]
pub struct AnswerEnd {
    /// Why it ends here.
    pub finish_reason: FinishReason,
    /// What it cost, where the provider says so.
    pub usage: Option<Usage>,
    /// The calls that the model asks for.
    pub calls: Vec<ToolCall>,
    /// The answer as the provider gave it, to be sent back with the results.
    pub history: Option<Box<RawValue>>,
}

impl AnswerEnd {
    /// An end without calls.
    pub fn new(finish_reason: FinishReason) -> Self {
        Self {
            finish_reason,
            usage: None,
            calls: Vec::new(),
            history: None,
        }
    }

    /// Says what it cost.
    #[must_use]
    pub fn with_usage(mut self, usage: Option<Usage>) -> Self {
        self.usage = usage;
        self
    }

    /// Asks for calls. `history` is the answer in the provider's own form, if it wants it back so.
    #[must_use]
    pub fn with_calls(mut self, calls: Vec<ToolCall>, history: Option<Box<RawValue>>) -> Self {
        self.calls = calls;
        self.history = history;
        self
    }
}

/// An answer as it comes; dropping it ends the exchange.
pub type Answer = Pin<Box<dyn Stream<Item = Result<Piece, ProviderError>> + Send>>;

/// A service that answers conversations.
///
/// A provider makes one attempt and knows nothing of deadlines, retries and rests: dropping the
/// future is how a chain ends an attempt, so it must not leave anything running.
#[async_trait]
pub trait Provider: Send + Sync {
    /// The name under which it was set up; it stands in replies, statuses and logs.
    fn name(&self) -> &str;

    /// The longest that one turn may take, with the whole body and the retry; without one, the
    /// chain shares its deadline evenly.
    fn timeout(&self) -> Option<Duration> {
        None
    }

    /// Whether it can be asked with tools. One that cannot is asked without, and the reply says so.
    fn takes_tools(&self) -> bool {
        false
    }

    /// Whether it takes a seed. One that does not is asked without, and the reply says so.
    fn takes_seed(&self) -> bool {
        false
    }

    /// Whether it takes a response format. One that does not is asked without, and the reply says
    /// so.
    fn takes_response_format(&self) -> bool {
        false
    }

    /// Asks for a reply, once.
    ///
    /// # Errors
    ///
    /// What went wrong; the kind decides whether the chain retries, moves on or gives up.
    async fn reply(&self, request: Request<'_>) -> Result<Reply, ProviderError>;

    /// Asks for an answer, once: as it is made where the request says so, and with the tools that
    /// it offers.
    ///
    /// By default it is the reply, in one piece.
    ///
    /// # Errors
    ///
    /// As for a reply. An error after the first piece comes in the stream, and ends it.
    async fn stream(&self, request: Request<'_>) -> Result<Answer, ProviderError> {
        let reply = self.reply(request).await?;
        let end = AnswerEnd::new(reply.finish_reason).with_usage(reply.usage);
        Ok(whole(Some(reply.model), reply.text, end))
    }
}

/// An answer that is there already.
pub(crate) fn whole(model: Option<String>, text: String, end: AnswerEnd) -> Answer {
    Box::pin(Pull::new(|sender| async move {
        if let Some(model) = model {
            sender.send(Ok(Piece::Model(model))).await;
        }
        sender.send(Ok(Piece::Text(text))).await;
        sender.send(Ok(Piece::End(Box::new(end)))).await;
    }))
}

#[async_trait]
impl<P: Provider + ?Sized> Provider for Arc<P> {
    fn name(&self) -> &str {
        (**self).name()
    }

    fn timeout(&self) -> Option<Duration> {
        (**self).timeout()
    }

    fn takes_tools(&self) -> bool {
        (**self).takes_tools()
    }

    fn takes_seed(&self) -> bool {
        (**self).takes_seed()
    }

    fn takes_response_format(&self) -> bool {
        (**self).takes_response_format()
    }

    async fn reply(&self, request: Request<'_>) -> Result<Reply, ProviderError> {
        (**self).reply(request).await
    }

    async fn stream(&self, request: Request<'_>) -> Result<Answer, ProviderError> {
        (**self).stream(request).await
    }
}
