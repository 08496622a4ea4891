//! Section `telemetry`: export of OpenTelemetry traces.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::value::HttpUrl;

/// Traces for an `OpenTelemetry` collector.
#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Telemetry {
    /// The collector, by OTLP over HTTP. Without one, nothing is traced.
    #[schemars(example = "http://127.0.0.1:4318")]
    pub otlp_endpoint: Option<HttpUrl>,
}
