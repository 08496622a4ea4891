//! The log line and the count of one attempt: the provider's name, how it ended, how long it took,
//! and never a word of what was said.

use std::time::Duration;

use crate::clock::Clock;
use crate::error::ProviderError;
use crate::message::Reply;
use crate::observer::{Attempt, Observer, Outcome};

/// Logs and counts one attempt, also when it is dropped because the caller went away.
pub(crate) struct Report<'a> {
    clock: &'a dyn Clock,
    observer: &'a dyn Observer,
    provider: &'a str,
    started: Duration,
    ended: bool,
}

impl<'a> Report<'a> {
    pub(crate) fn start(
        clock: &'a dyn Clock,
        observer: &'a dyn Observer,
        provider: &'a str,
    ) -> Self {
        Self {
            clock,
            observer,
            provider,
            started: clock.elapsed(),
            ended: false,
        }
    }

    pub(crate) fn ended(mut self, result: &Result<Reply, ProviderError>) {
        self.ended = true;
        let outcome = result
            .as_ref()
            .map_or_else(ProviderError::outcome, |_| Outcome::Reply);
        let duration = self.count(outcome);
        // Not `u128`, which JSON logs would show as a string.
        let duration_ms = u64::try_from(duration.as_millis()).unwrap_or(u64::MAX);
        let (provider, outcome) = (self.provider, outcome.as_str());
        match result {
            Ok(reply) => tracing::debug!(
                llm.provider = provider,
                llm.outcome = outcome,
                llm.finish_reason = reply.finish_reason.as_str(),
                duration_ms,
                "an LLM provider replied"
            ),
            // Nothing but the operator ends this one.
            Err(error @ ProviderError::Denied { .. }) => tracing::error!(
                llm.provider = provider,
                llm.outcome = outcome,
                llm.status = error.status(),
                duration_ms,
                "an LLM provider does not serve us: {error}"
            ),
            // The caller's own doing, so nothing to be warned of.
            Err(error @ (ProviderError::Refused { .. } | ProviderError::Declined { .. })) => {
                tracing::info!(
                    llm.provider = provider,
                    llm.outcome = outcome,
                    llm.status = error.status(),
                    duration_ms,
                    "an LLM provider did not take a conversation: {error}"
                );
            }
            Err(error) => tracing::warn!(
                llm.provider = provider,
                llm.outcome = outcome,
                llm.status = error.status(),
                duration_ms,
                "an LLM provider gave no reply: {}",
                error.with_causes()
            ),
        }
    }

    fn count(&self, outcome: Outcome) -> Duration {
        let duration = self.clock.elapsed().saturating_sub(self.started);
        self.observer.attempted(Attempt {
            provider: self.provider,
            outcome,
            duration,
        });
        duration
    }
}

impl Drop for Report<'_> {
    fn drop(&mut self) {
        if !self.ended {
            self.count(Outcome::Cancelled);
        }
    }
}
