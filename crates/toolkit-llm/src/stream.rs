//! Reply stream: the events of a reply as the model writes it.

use std::pin::Pin;
use std::task::{Context, Poll};

use futures_core::Stream;
use futures_util::StreamExt as _;

use crate::error::{LlmError, LlmErrorKind};
use crate::message::{FinishReason, Reply, Usage};
use crate::pull::Pull;
use crate::round::{PendingRound, Round};
use crate::tools::ToolRun;

/// A part of a reply. Text is untrusted data: display it, but do not execute it.
///
/// `Debug` shows neither text nor calls.
#[derive(Clone, derive_more::Debug)]
#[non_exhaustive]
pub enum ChatEvent {
    /// A model has begun to answer. Comes first, and once.
    #[non_exhaustive]
    Start {
        /// Configured name of the provider.
        provider: String,
        /// The model, as the provider names it.
        model: String,
    },
    /// More reasoning, if requested.
    Reasoning(#[debug("{} bytes", _0.len())] String),
    /// More text.
    Text(#[debug("{} bytes", _0.len())] String),
    /// The model has called a tool. A `Tool` with the same ID follows.
    #[non_exhaustive]
    ToolStart {
        /// Id of the call within the reply.
        id: String,
        /// The tool's name in displayable form.
        #[debug(skip)]
        name: String,
    },
    /// A tool call has ended with this result.
    Tool(ToolRun),
    /// Another provider continues the reply after a tool round.
    #[non_exhaustive]
    Provider {
        /// Its configured name.
        provider: String,
        /// The model, as the provider names it.
        model: String,
    },
    /// Token counts so far, after each round whose provider reports them.
    Usage(Usage),
    /// The reply is complete. Comes last.
    Done(ReplyEnd),
}

/// Properties of a reply known at its end. The text came before.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct ReplyEnd {
    /// The last round's provider. The next two fields are that round's too.
    pub provider: String,
    /// The model.
    pub model: String,
    /// Reason the text ends.
    pub finish_reason: FinishReason,
    /// Token counts over all rounds. Absent unless every round reported them.
    pub usage: Option<Usage>,
    /// Options left out of the request, in sentences.
    pub warnings: Vec<String>,
    /// Number of model calls. 1 without tools.
    pub rounds: u32,
    /// Tool rounds, including those that the request resumed from.
    pub tool_rounds: Vec<Round>,
    /// Calls for the caller to run.
    pub pending: Option<PendingRound>,
}

/// Events of a reply, as they arrive: `Start`, then `Reasoning`, `Text`, `ToolStart`, `Tool`, `Usage`
/// and `Provider`, then `Done`. An error ends it.
///
/// A stream that is not polled does not read from the provider.
#[derive(derive_more::Debug)]
#[debug("ChatStream")]
pub struct ChatStream(pub(crate) Pull<Result<ChatEvent, LlmError>>);

impl ChatStream {
    /// Returns the next event; `None` after the last one.
    pub async fn next(&mut self) -> Option<Result<ChatEvent, LlmError>> {
        self.0.next().await
    }

    /// Waits for the end and collects the reply.
    ///
    /// # Errors
    ///
    /// When the reply is incomplete.
    pub async fn into_reply(mut self) -> Result<Reply, LlmError> {
        let (mut text, mut reasoning) = (String::new(), String::new());
        let mut tool_calls = Vec::new();
        while let Some(event) = self.next().await {
            match event? {
                ChatEvent::Reasoning(more) => reasoning += &more,
                ChatEvent::Text(more) => text += &more,
                ChatEvent::Tool(run) => tool_calls.push(run),
                ChatEvent::Done(end) => {
                    return Ok(Reply {
                        text,
                        provider: end.provider,
                        model: end.model,
                        finish_reason: end.finish_reason,
                        reasoning,
                        usage: end.usage,
                        tool_calls,
                        warnings: end.warnings,
                        rounds: end.rounds,
                        tool_rounds: end.tool_rounds,
                        pending: end.pending,
                    });
                }
                _ => {}
            }
        }
        // A chain ends every stream with `Done` or an error.
        Err(LlmErrorKind::BrokeOff.into())
    }
}

impl Stream for ChatStream {
    type Item = Result<ChatEvent, LlmError>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        Pin::new(&mut self.0).poll_next(cx)
    }
}
