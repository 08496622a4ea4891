//! Section `telemetry`: export of OpenTelemetry traces.

use super::schema::section;
use super::value::HttpUrl;

section! {
    /// Traces for an `OpenTelemetry` collector.
    pub struct Telemetry {
        /// Collector, by OTLP over HTTP. If unset, nothing is traced.
        pub otlp_endpoint: Option<HttpUrl> = None, example("http://127.0.0.1:4318");
    }
}
