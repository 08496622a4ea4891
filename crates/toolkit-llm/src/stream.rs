//! Reply stream: the events of a reply as the model writes it.

use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll};

use futures_core::Stream;
use serde::Serialize;

use crate::error::LlmError;
use crate::message::{FinishReason, Reply, Usage};
use crate::pull::{self, Pull};
use crate::tools::ToolRun;

/// A part of a reply. Text is untrusted data: to be displayed and never executed.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum ChatEvent {
    /// A model has begun to answer. Comes once, and first.
    #[non_exhaustive]
    Start {
        /// Configured name of the provider.
        provider: String,
        /// The model, as the provider names it.
        model: String,
    },
    /// More text.
    Text(Text),
    /// A tool was called, with this result.
    Tool(ToolRun),
    /// The reply is complete. Comes last.
    Done(ReplyEnd),
}

/// A piece of a reply's text; `Debug` shows only its length.
#[derive(Clone, PartialEq, Eq, Serialize)]
pub struct Text(String);

impl Text {
    pub(crate) fn new(text: String) -> Self {
        Self(text)
    }

    /// Returns the text.
    pub fn into_string(self) -> String {
        self.0
    }
}

impl std::ops::Deref for Text {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Text({} bytes)", self.0.len())
    }
}

/// Properties of a reply known at its end; the text came before.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct ReplyEnd {
    /// Provider of the last round; the next two fields are also of that round.
    pub provider: String,
    /// The model.
    pub model: String,
    /// Why the text ends.
    pub finish_reason: FinishReason,
    /// Token counts, over all rounds; absent unless each round reported them.
    pub usage: Option<Usage>,
    /// Options left out of the request, in sentences.
    pub warnings: Vec<String>,
    /// Number of times a model was asked: 1 without tools.
    pub rounds: u32,
}

impl ReplyEnd {
    pub(crate) fn into_reply(self, gathered: Gathered) -> Reply {
        let mut reply = Reply::new(gathered.text, self.provider, self.model)
            .with_finish_reason(self.finish_reason)
            .with_usage(self.usage);
        reply.tool_calls = gathered.tool_calls;
        reply.warnings = self.warnings;
        reply.rounds = self.rounds;
        reply
    }
}

/// Text and calls of a reply.
#[derive(Default)]
pub(crate) struct Gathered {
    pub(crate) text: String,
    pub(crate) tool_calls: Vec<ToolRun>,
}

impl Gathered {
    /// Adds an event; returns the end.
    pub(crate) fn take(&mut self, event: ChatEvent) -> Option<ReplyEnd> {
        match event {
            ChatEvent::Start { .. } => {}
            ChatEvent::Text(text) => self.text.push_str(&text),
            ChatEvent::Tool(run) => self.tool_calls.push(run),
            ChatEvent::Done(end) => return Some(end),
        }
        None
    }
}

/// Events of a reply, as they arrive: `Start`, then `Text` and `Tool`, then `Done`. An error ends
/// it.
///
/// A stream that is not polled does not read from the provider.
pub struct ChatStream(Pull<Result<ChatEvent, LlmError>>);

impl ChatStream {
    pub(crate) fn new(events: Pull<Result<ChatEvent, LlmError>>) -> Self {
        Self(events)
    }

    /// Returns the next event; `None` after the last one.
    pub async fn next(&mut self) -> Option<Result<ChatEvent, LlmError>> {
        pull::next(&mut self.0).await
    }

    /// Waits for the end, and collects the reply.
    ///
    /// # Errors
    ///
    /// When the reply is incomplete.
    pub async fn into_reply(mut self) -> Result<Reply, LlmError> {
        let mut gathered = Gathered::default();
        while let Some(event) = self.next().await {
            if let Some(end) = gathered.take(event?) {
                return Ok(end.into_reply(gathered));
            }
        }
        // A chain ends every stream with `Done` or an error.
        Err(LlmError::new(crate::LlmErrorKind::BrokeOff, Vec::new()))
    }
}

impl Stream for ChatStream {
    type Item = Result<ChatEvent, LlmError>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        Pin::new(&mut self.0).poll_next(cx)
    }
}

impl fmt::Debug for ChatStream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ChatStream")
    }
}
