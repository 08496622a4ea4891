//! Request line: one event and two metrics for each request, with its route, status and duration.

use std::time::Duration;

/// The route of requests that no handler received.
pub(crate) const NO_ROUTE: &str = "-";

/// Status of an unanswered request, whose client left before there was a response. The number is
/// nginx's.
pub(crate) const CLIENT_LEFT: u16 = 499;

/// Fields of a request: of the client's text only a checked request id.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RequestLine<'a> {
    /// The method as a label, of which a client cannot create new ones.
    pub(crate) method: &'static str,
    /// The pattern of the route, not the path.
    pub(crate) route: &'a str,
    /// The tool that ran, if one did.
    pub(crate) tool: Option<&'static str>,
    /// The status of the response; 499 when the client left before there was one.
    pub(crate) status: u16,
    /// From the head of the request to the head of the response.
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
        metrics::histogram!(
            "toolkit_http_request_duration_seconds",
            "route" => route,
            "tool" => tool,
        )
        .record(self.duration.as_secs_f64());
    }

    /// Writes the line of the access log.
    pub(crate) fn log(&self) {
        tracing::info!(
            target: "access",
            method = self.method,
            route = self.route,
            tool.slug = self.tool,
            status = self.status,
            duration_ms = (self.duration.as_secs_f64() * 1e6).round() / 1e3,
            bytes = self.bytes,
            request_id = self.request_id,
            trace_id = self.trace_id,
            "request"
        );
    }
}
