//! Metrics recorder (Prometheus).

use std::sync::OnceLock;
use std::time::Duration;

use metrics::{describe_counter, describe_gauge, describe_histogram};
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};
use tracing_appender::non_blocking::ErrorCounter;

use crate::telemetry::Telemetry;
use crate::version;

/// Bucket bounds in seconds, from a tenth of a millisecond (a small run) to the chat deadline.
const SECONDS: &[f64] = &[
    0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5,
    5.0, 10.0, 30.0,
];

const DROPPED_LINES: &str = "toolkit_log_dropped_lines_total";

/// How often samples are moved into buckets. Until then they take memory.
const UPKEEP_INTERVAL: Duration = Duration::from_secs(2);

/// The metrics of this process.
#[derive(Clone)]
pub struct Metrics {
    handle: PrometheusHandle,
    dropped_lines: Option<ErrorCounter>,
}

impl Metrics {
    /// Starts recording. Call it before anything is counted, within a tokio runtime.
    ///
    /// A process has one recorder, so a second call returns the same one.
    pub fn start() -> Self {
        static STARTED: OnceLock<PrometheusHandle> = OnceLock::new();
        let handle = STARTED.get_or_init(|| {
            let builder = PrometheusBuilder::new();
            let matcher = Matcher::Suffix("_seconds".to_owned());
            // It only refuses an empty bucket list.
            let builder = builder.set_buckets_for_metric(matcher, SECONDS).unwrap_or_default();
            let recorder = builder.build_recorder();
            let handle = recorder.handle();
            // An earlier recorder in this process keeps its data.
            let _ = metrics::set_global_recorder(recorder);
            describe();
            begin_at_zero();
            metrics::gauge!("toolkit_build_info", "version" => version::get()).set(1.0);
            handle
        });
        tokio::spawn(keep(handle.clone()));
        Self { handle: handle.clone(), dropped_lines: None }
    }

    /// Also counts dropped log lines.
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
    describe_gauge!(
        "toolkit_build_info",
        "Always 1, with the version, commit and commit date as labels."
    );
    describe_counter!(
        "toolkit_http_requests_total",
        "Requests by method, route, tool and status. Status 499 means the client disconnected."
    );
    describe_counter!(
        "toolkit_key_requests_total",
        "Requests with a valid API key, by key ID, endpoint and status."
    );
    describe_histogram!(
        "toolkit_http_request_duration_seconds",
        "Time from request head to response head, by route and tool."
    );
    describe_gauge!("toolkit_http_requests_in_flight", "Requests in progress.");
    describe_gauge!("toolkit_http_connections", "Open connections.");
    describe_gauge!(
        "toolkit_http_connections_limit",
        "Maximum open connections. Above it, a new connection closes another."
    );
    describe_gauge!(
        "toolkit_memory_budget_bytes",
        "Memory held by connections, bodies and responses, and its limit."
    );
    describe_counter!(
        "toolkit_http_requests_shed_total",
        "Requests refused because clients hold too much memory or too much work is queued."
    );
    describe_counter!("toolkit_panics_total", "Panics. Each is a bug.");
    describe_counter!(DROPPED_LINES, "Log lines dropped because the log reader was too slow.");
    describe_counter!(
        "toolkit_traces_dropped_total",
        "Spans dropped because the collector did not accept them."
    );
    describe_counter!(
        "toolkit_limiter_refused_total",
        "Requests refused by a rate limit, by limit."
    );
    describe_gauge!(
        "toolkit_limiter_shared",
        "1 while rate limits are counted in Redis, 0 while this process counts alone."
    );
}

/// Starts the counters of rare events at 0. Prometheus sees no increase when a counter appears with
/// its first event, so no alert would fire.
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
