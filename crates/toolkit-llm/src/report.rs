//! Report of one attempt: its log line and metrics, with provider, outcome and duration but no part
//! of the conversation.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;

use crate::error::{FailedAttempt, ProviderError};
use crate::message::{FinishReason, Usage};
use crate::observer::{Attempt, Observer};
use crate::outcome::Outcome;
use crate::provider::Piece;

/// Logs and counts one attempt, even if it is dropped because the caller went away.
pub(crate) struct Report<'a> {
    observer: &'a dyn Observer,
    /// The request's observer.
    own: Arc<dyn Observer>,
    provider: &'a str,
    round: u32,
    started: Instant,
    first_content: Option<Duration>,
    usage: Option<Usage>,
    asked_bytes: usize,
    answer_bytes: usize,
    ended: bool,
}

impl<'a> Report<'a> {
    /// Starts an attempt with this many bytes of text.
    pub(crate) fn start(
        observer: &'a dyn Observer,
        own: Arc<dyn Observer>,
        provider: &'a str,
        (round, asked_bytes): (u32, usize),
    ) -> Self {
        observer.asked(asked_bytes);
        own.asked(asked_bytes);
        Self {
            observer,
            own,
            provider,
            round,
            started: Instant::now(),
            first_content: None,
            usage: None,
            asked_bytes,
            answer_bytes: 0,
            ended: false,
        }
    }

    /// A part of the answer arrived.
    pub(crate) fn heard(&mut self, piece: &Piece) {
        match piece {
            Piece::Reasoning(more) | Piece::Text(more) => self.answer_bytes += more.len(),
            Piece::End(end) => self.usage = end.usage,
            Piece::Alive | Piece::Model(_) => {}
        }
    }

    /// The first content of a stream arrived.
    pub(crate) fn first_content(&mut self) {
        self.first_content = Some(self.duration());
    }

    /// The answer is complete.
    pub(crate) fn succeeded(mut self, finish_reason: FinishReason) {
        let duration_ms = milliseconds(self.count(Outcome::Reply, None));
        tracing::debug!(
            llm.provider = self.provider,
            llm.outcome = Outcome::Reply.as_str(),
            llm.finish_reason = finish_reason.as_str(),
            duration_ms,
            "an LLM provider replied"
        );
    }

    /// The attempt failed.
    pub(crate) fn failed(mut self, error: Arc<ProviderError>) -> FailedAttempt {
        let was_cut = self.first_content.is_some();
        let outcome = if was_cut { Outcome::Cut } else { error.outcome() };
        let duration = self.count(outcome, Some(&error));
        log(self.provider, outcome, &error, milliseconds(duration));
        FailedAttempt { provider: self.provider.to_owned(), round: self.round, duration, error }
    }

    fn duration(&self) -> Duration {
        self.started.elapsed()
    }

    fn count(&mut self, outcome: Outcome, error: Option<&ProviderError>) -> Duration {
        self.ended = true;
        let duration = self.duration();
        let attempt = Attempt {
            provider: self.provider,
            outcome,
            duration,
            round: self.round,
            error,
            first_content: self.first_content,
            usage: self.usage,
            asked_bytes: self.asked_bytes,
            answer_bytes: self.answer_bytes,
        };
        self.observer.attempted(attempt);
        self.own.attempted(attempt);
        duration
    }
}

/// Not `u128`, which JSON logs would show as a string.
fn milliseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

fn log(provider: &str, outcome: Outcome, error: &ProviderError, duration_ms: u64) {
    macro_rules! log {
        ($level:ident, $($message:tt)+) => {
            tracing::$level!(
                llm.provider = provider,
                llm.outcome = outcome.as_str(),
                llm.status = error.status(),
                duration_ms,
                $($message)+
            )
        };
    }
    match error {
        // Only the operator can resolve this.
        ProviderError::Denied { .. } => log!(error, "an LLM provider denies access: {error}"),
        // The caller's fault, so not worth a warning.
        ProviderError::Refused { .. }
        | ProviderError::TooLong { .. }
        | ProviderError::Filtered { .. }
        | ProviderError::Declined { .. }
        | ProviderError::ToolsRefused { .. } => {
            log!(info, "an LLM provider refused a conversation: {error}");
        }
        _ => log!(warn, "an LLM provider returned no reply: {}", error.with_causes()),
    }
}

impl Drop for Report<'_> {
    fn drop(&mut self) {
        if !self.ended {
            self.count(Outcome::Cancelled, None);
        }
    }
}
