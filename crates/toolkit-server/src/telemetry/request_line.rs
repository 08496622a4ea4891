//! Request line: one event and two metrics per request, with route, status and duration.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The route of requests that no handler received.
pub(crate) const NO_ROUTE: &str = "-";

/// Status of a request whose client disconnected before there was a response. nginx uses the same
/// number.
pub(crate) const CLIENT_LEFT: u16 = 499;

/// Log lines per second for refusals with one status. A flood of them would fill the disk.
const REFUSALS_MAX: u32 = 50;

/// Fields of a request. The only client text is a checked request ID and an unknown path.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RequestLine<'a> {
    /// The method as a label. Clients cannot create new labels.
    pub(crate) method: &'static str,
    /// The pattern of the route, not the path.
    pub(crate) route: &'a str,
    /// The start of the path, if no route matches it.
    pub(crate) path: Option<&'a str>,
    /// The tool that ran, if one did.
    pub(crate) tool: Option<&'static str>,
    /// The API key ID, if there was a valid key. It is not secret.
    pub(crate) key: Option<&'a str>,
    /// The response status, or 499 if the client disconnected before there was one.
    pub(crate) status: u16,
    /// From request head to response head.
    pub(crate) duration: Duration,
    /// The length of the response body, if known.
    pub(crate) bytes: Option<u64>,
    /// The id of the request.
    pub(crate) request_id: &'a str,
    /// The trace of the request, if traces are on.
    pub(crate) trace_id: Option<&'a str>,
}

impl RequestLine<'_> {
    /// Counts the request and its duration.
    pub(crate) fn count(&self) {
        let route = self.route.to_owned();
        let tool = self.tool.unwrap_or_default();
        metrics::counter!(
            "toolkit_http_requests_total",
            "method" => self.method,
            "route" => route.clone(),
            "tool" => tool,
            "status" => self.status.to_string(),
        )
        .increment(1);
        if let Some(key) = self.key {
            let endpoint = self.route.rsplit('/').next().unwrap_or_default();
            metrics::counter!(
                "toolkit_key_requests_total",
                "key" => key.to_owned(),
                "endpoint" => endpoint.to_owned(),
                "status" => self.status.to_string(),
            )
            .increment(1);
        }
        metrics::histogram!(
            "toolkit_http_request_duration_seconds",
            "route" => route,
            "tool" => tool,
        )
        .record(self.duration.as_secs_f64());
    }

    /// Writes the access log line, unless too many requests are being refused.
    pub(crate) fn log(&self) {
        match refusals_before(self.status, Instant::now()) {
            ..REFUSALS_MAX => self.write(),
            REFUSALS_MAX => tracing::info!(
                target: "access",
                status = self.status,
                "too many requests with this status in this second: the rest are only counted in the metrics"
            ),
            _ => {}
        }
    }

    fn write(&self) {
        tracing::info!(
            target: "access",
            method = self.method,
            route = self.route,
            path = self.path,
            tool.slug = self.tool,
            key.id = self.key,
            status = self.status,
            duration_ms = (self.duration.as_secs_f64() * 1e6).round() / 1e3,
            bytes = self.bytes,
            request_id = self.request_id,
            trace_id = self.trace_id,
            "request"
        );
    }
}

/// The number of refusals with this status in the same second. 0 for other statuses.
fn refusals_before(status: u16, now: Instant) -> u32 {
    static REFUSALS: Mutex<BTreeMap<u16, (Instant, u32)>> = Mutex::new(BTreeMap::new());
    if !matches!(status, 400..500 | 503) {
        return 0;
    }
    let mut refusals = REFUSALS.lock().unwrap_or_else(PoisonError::into_inner);
    let (since, count) = refusals.entry(status).or_insert((now, 0));
    if now.saturating_duration_since(*since) >= Duration::from_secs(1) {
        (*since, *count) = (now, 0);
    }
    *count = count.saturating_add(1);
    *count - 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::telemetry::test_log::Log;

    #[test]
    fn fifty_refusals_of_a_kind_are_logged_in_a_second_and_that_there_are_more() {
        let now = Instant::now();
        for count in 0..100 {
            assert_eq!(refusals_before(451, now), count);
            assert_eq!(refusals_before(200, now), 0);
            assert_eq!(refusals_before(500, now), 0);
        }
        assert_eq!(refusals_before(452, now), 0);
        assert_eq!(refusals_before(451, now + Duration::from_secs(1)), 0);
    }

    #[test]
    fn a_flood_of_refusals_is_one_line_a_second_beyond_the_fiftieth() {
        let (log, _captured) = Log::capture();
        let line = RequestLine {
            method: "GET",
            route: NO_ROUTE,
            path: None,
            tool: None,
            key: None,
            status: 418,
            duration: Duration::ZERO,
            bytes: None,
            request_id: "x",
            trace_id: None,
        };
        for _ in 0..200 {
            line.log();
        }
        let seconds = log.count("too many requests with this status");
        assert!((1..3).contains(&seconds), "{seconds}");
        assert!(log.count("request_id=") <= 100);
    }
}
