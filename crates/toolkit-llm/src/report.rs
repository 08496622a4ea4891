//! Log line and metrics of one attempt: the provider's name, outcome and duration, and never a word
//! of the conversation.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;

use crate::error::{FailedAttempt, ProviderError};
use crate::message::{FinishReason, Usage};
use crate::observer::{Attempt, Observer};
use crate::outcome::Outcome;

/// Logs and counts one attempt, even if it is dropped because the caller went away.
pub(crate) struct Report<'a> {
    observer: &'a dyn Observer,
    provider: &'a str,
    round: u32,
    started: Instant,
    first_content: Option<Duration>,
    ended: bool,
}

impl<'a> Report<'a> {
    pub(crate) fn start(observer: &'a dyn Observer, provider: &'a str, round: u32) -> Self {
        Self {
            observer,
            provider,
            round,
            started: Instant::now(),
            first_content: None,
            ended: false,
        }
    }

    /// The first content of a stream arrived.
    pub(crate) fn first_content(&mut self) {
        self.first_content = Some(self.duration());
    }

    /// The answer is complete.
    pub(crate) fn succeeded(mut self, finish_reason: FinishReason, usage: Option<Usage>) {
        let duration_ms = milliseconds(self.count(Outcome::Reply, None, usage));
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
        let duration = self.count(outcome, Some(&error), None);
        log(self.provider, outcome, &error, milliseconds(duration));
        FailedAttempt { provider: self.provider.to_owned(), round: self.round, duration, error }
    }

    fn duration(&self) -> Duration {
        self.started.elapsed()
    }

    fn count(
        &mut self,
        outcome: Outcome,
        error: Option<&ProviderError>,
        usage: Option<Usage>,
    ) -> Duration {
        self.ended = true;
        let duration = self.duration();
        self.observer.attempted(Attempt {
            provider: self.provider,
            outcome,
            duration,
            round: self.round,
            error,
            first_content: self.first_content,
            usage,
        });
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
        // Only the operator can resolve this one.
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
            self.count(Outcome::Cancelled, None, None);
        }
    }
}
