//! Metrics recorder (Prometheus).

use std::sync::OnceLock;
use std::time::Duration;

use metrics::{describe_counter, describe_gauge, describe_histogram};
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};
use tracing_appender::non_blocking::ErrorCounter;

use crate::telemetry::Telemetry;
use crate::version;

/// Bucket bounds in seconds: from a tenth of a millisecond, a small run, to the deadline of chat.
const SECONDS: &[f64] = &[
    0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5,
    5.0, 10.0, 30.0,
];

const DROPPED_LINES: &str = "toolkit_log_dropped_lines_total";

/// Interval at which samples are put into their buckets; until then they take memory.
const UPKEEP_INTERVAL: Duration = Duration::from_secs(2);

/// The metrics of the process.
#[derive(Clone)]
pub struct Metrics {
    handle: PrometheusHandle,
    dropped_lines: Option<ErrorCounter>,
}

impl Metrics {
    /// Starts recording; call it before anything is counted, from within a tokio runtime.
    ///
    /// A process has one recorder: a second call returns the same.
    pub fn start() -> Self {
        static STARTED: OnceLock<PrometheusHandle> = OnceLock::new();
        let handle = STARTED.get_or_init(|| {
            let builder = PrometheusBuilder::new();
            let matcher = Matcher::Suffix("_seconds".to_owned());
            // Only an empty list of buckets is refused.
            let builder = builder.set_buckets_for_metric(matcher, SECONDS).unwrap_or_default();
            let recorder = builder.build_recorder();
            let handle = recorder.handle();
            // Another recorder in the process would have been installed first, and would keep its
            // data.
            let _ = metrics::set_global_recorder(recorder);
            describe();
            begin_at_zero();
            metrics::gauge!("toolkit_build_info", "version" => version::get()).set(1.0);
            handle
        });
        tokio::spawn(keep(handle.clone()));
        Self { handle: handle.clone(), dropped_lines: None }
    }

    /// Counts the dropped lines of a log too.
    #[must_use]
    pub fn with_log(mut self, log: &Telemetry) -> Self {
        self.dropped_lines = Some(log.dropped_lines());
        self
    }

    /// All metrics in the Prometheus text format.
    pub fn render(&self) -> String {
        if let Some(dropped) = &self.dropped_lines {
            metrics::counter!(DROPPED_LINES).absolute(dropped.dropped_lines() as u64);
        }
        self.handle.render()
    }
}

async fn keep(handle: PrometheusHandle) {
    let mut interval = tokio::time::interval(UPKEEP_INTERVAL);
    loop {
        interval.tick().await;
        handle.run_upkeep();
    }
}

fn describe() {
    describe_gauge!("toolkit_build_info", "1; the version with the commit and its date.");
    describe_counter!(
        "toolkit_http_requests_total",
        "Requests by method, route, tool and status; status 499 is a client that left."
    );
    describe_counter!(
        "toolkit_key_requests_total",
        "Requests with a valid API key, by the id of the key, endpoint and status."
    );
    describe_histogram!(
        "toolkit_http_request_duration_seconds",
        "From the head of a request to the head of its answer, by route and tool."
    );
    describe_gauge!("toolkit_http_requests_in_flight", "Requests in progress.");
    describe_gauge!("toolkit_http_connections", "Open connections.");
    describe_gauge!(
        "toolkit_http_connections_limit",
        "Connections that may be open; beyond it, one makes room for another."
    );
    describe_gauge!(
        "toolkit_memory_budget_bytes",
        "Memory of connections, bodies and responses: held, and its limit."
    );
    describe_counter!(
        "toolkit_http_requests_shed_total",
        "Requests refused because clients hold too much memory, or too much work waits."
    );
    describe_counter!("toolkit_panics_total", "Panics; each is a fault of the program.");
    describe_counter!(
        DROPPED_LINES,
        "Log lines dropped because the reader of the log was too slow."
    );
    describe_counter!(
        "toolkit_traces_dropped_total",
        "Spans dropped because the collector did not take them."
    );
    describe_counter!("toolkit_limiter_refused_total", "Requests over a rate limit, by limit.");
    describe_gauge!(
        "toolkit_limiter_shared",
        "1 while limits are counted in Redis, 0 while this process counts alone."
    );
}

/// Starts the counters of rare events at 0. To Prometheus, a counter that appears with its first
/// event has not risen, so no alert would fire for that event.
fn begin_at_zero() {
    for name in [
        "toolkit_http_requests_shed_total",
        "toolkit_panics_total",
        DROPPED_LINES,
        "toolkit_traces_dropped_total",
    ] {
        metrics::counter!(name).increment(0);
    }
}
