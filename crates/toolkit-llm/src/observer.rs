//! Observer: a chain's events, for metrics, without a metrics library.

use std::time::Duration;

use crate::error::ProviderError;
use crate::message::Usage;
use crate::outcome::{CallOutcome, Outcome};

/// One call to one provider. A retry is a separate attempt.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Attempt<'a> {
    /// The provider's name.
    pub provider: &'a str,
    /// Outcome of the call.
    pub outcome: Outcome,
    /// Duration of the call.
    pub duration: Duration,
    /// Round of tools, counted from 1.
    pub round: u32,
    /// The error, if any.
    pub error: Option<&'a ProviderError>,
    /// Time to the first content of a stream.
    pub first_content: Option<Duration>,
    /// Token counts, if the provider reports them.
    pub usage: Option<Usage>,
    /// Bytes of text sent.
    pub asked_bytes: usize,
    /// Bytes of text and reasoning received.
    pub answer_bytes: usize,
}

/// Receives a chain's events as they happen. Must not block.
///
/// Breaker states are not reported here, see [`Chain::status`](crate::Chain::status).
#[expect(unused_variables, reason = "names of what an implementation gets")]
pub trait Observer: Send + Sync {
    /// A call begins, with this many bytes of text. `attempted` follows, even if the caller goes
    /// away.
    fn asked(&self, bytes: usize) {}

    /// A call has ended.
    fn attempted(&self, attempt: Attempt<'_>) {}

    /// A provider starts a rest of length `rest`.
    fn rested(&self, provider: &str, rest: Duration) {}

    /// A tool was called. `name` is a tool on offer, or `None` if the model made one up.
    fn tool_called(&self, name: Option<&str>, outcome: CallOutcome) {}
}

/// Ignores all events.
impl Observer for () {}
