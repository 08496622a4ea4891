//! Traces in a build without the feature `traces`: none are recorded.

use std::convert::Infallible;
use std::time::Duration;

use actix_web::http::header::HeaderMap;

use super::access::AccessLine;
use crate::settings;

/// The trace of the caller.
pub(crate) type Parent = Infallible;

/// Export of spans, which this build does not have.
#[derive(Clone, Debug)]
pub struct Traces(Infallible);

/// Why traces cannot be sent.
#[derive(Debug, thiserror::Error)]
#[error("{}", settings::MissingFeature::TRACES)]
pub struct TracesError;

impl Traces {
    /// Starts nothing.
    ///
    /// # Errors
    ///
    /// When the settings name a collector.
    pub fn start(
        settings: &settings::Telemetry,
        _service: &'static str,
    ) -> Result<Option<Self>, TracesError> {
        match settings.otlp_endpoint {
            None => Ok(None),
            Some(_) => Err(TracesError),
        }
    }

    pub(crate) fn parent(&self, _headers: &HeaderMap) -> Parent {
        self.0
    }

    #[expect(
        clippy::trivially_copy_pass_by_ref,
        reason = "as with the feature `traces`"
    )]
    pub(crate) fn record(&self, _parent: &Parent, _line: &AccessLine<'_>) -> String {
        match self.0 {}
    }

    /// Sends the waiting spans: none.
    #[expect(clippy::unused_async, reason = "as with the feature `traces`")]
    pub async fn flush(&self, _patience: Duration) {
        match self.0 {}
    }
}
