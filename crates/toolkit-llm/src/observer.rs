//! Observer: a chain's events for metrics, without a metrics library.

use std::time::Duration;

use crate::error::ProviderError;
use crate::message::Usage;
use crate::outcome::{CallOutcome, Outcome};

/// One call to one provider; a retry is a separate attempt.
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
}

/// Receives the events of a chain as they happen; must not block.
///
/// The state of the breakers is not reported here; [`Chain::status`](crate::Chain::status) returns
/// it.
#[expect(unused_variables, reason = "names of what an implementation gets")]
pub trait Observer: Send + Sync {
    /// A call has ended.
    fn attempted(&self, attempt: Attempt<'_>) {}

    /// A provider starts a rest of length `rest`.
    fn rested(&self, provider: &str, rest: Duration) {}

    /// A tool was called. The name is that of a tool on offer, or `None` if the model made one up.
    fn tool_called(&self, name: Option<&str>, outcome: CallOutcome) {}
}

/// Ignores all events.
impl Observer for () {}
