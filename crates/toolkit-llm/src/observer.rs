//! Observer: what a chain reports for metrics, without a metrics library.

use std::time::Duration;

use crate::error::ProviderError;
use crate::message::Usage;
use crate::outcome::{CallOutcome, Outcome};

/// One call of one provider; a retry is an attempt of its own.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Attempt<'a> {
    /// The provider's name.
    pub provider: &'a str,
    /// How the call ended.
    pub outcome: Outcome,
    /// How long it took.
    pub duration: Duration,
    /// The round of tools, from 1.
    pub round: u32,
    /// What went wrong, if anything did.
    pub error: Option<&'a ProviderError>,
    /// How long it took to the first content of a stream.
    pub first_content: Option<Duration>,
    /// What it cost, where the provider says so.
    pub usage: Option<Usage>,
}

/// Is told what a chain does, as it happens; it must not block.
///
/// The state of the breakers is not told but asked for, with
/// [`Chain::status`](crate::Chain::status).
pub trait Observer: Send + Sync {
    /// A call has ended.
    fn attempted(&self, attempt: Attempt<'_>) {
        let _ = attempt;
    }

    /// A provider rests from now on, for `rest`.
    fn rested(&self, provider: &str, rest: Duration) {
        let _ = (provider, rest);
    }

    /// A tool was called. The name is one of the tools that were offered, or nothing where the
    /// model made one up.
    fn tool_called(&self, name: Option<&str>, outcome: CallOutcome) {
        let _ = (name, outcome);
    }
}

/// Tells nobody.
impl Observer for () {}
