//! Traces: one span per request, sent to an `OpenTelemetry` collector.
//!
//! A span is created when its request ends, from its log line's data, and waits in the SDK's
//! bounded queue. Spans that the collector does not accept are dropped and counted. Requests never
//! wait for it.
//!
//! Standard: W3C Trace Context (following the caller's sampling decision); OTLP over HTTP in binary
//! form; the semantic conventions for HTTP servers, without `url.path`, which clients choose
//! freely.

mod exporter;

use std::time::{Duration, SystemTime};

use actix_web::http::header::{HeaderMap, HeaderName};
use opentelemetry::propagation::{Extractor, TextMapPropagator};
use opentelemetry::trace::{Span, SpanBuilder, SpanKind, Status, Tracer, TracerProvider};
use opentelemetry::{Context, KeyValue};
use opentelemetry_otlp::{ExporterBuildError, SpanExporter, WithExportConfig, WithHttpConfig};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::propagation::TraceContextPropagator;
use opentelemetry_sdk::trace::{
    BatchConfigBuilder, BatchSpanProcessor, Sampler, SdkTracer, SdkTracerProvider,
};
use tokio::task::spawn_blocking;

use self::exporter::{ClientOnRuntime, Reporting};
use super::request_line::{CLIENT_LEFT, NO_ROUTE, RequestLine};
use crate::{limits, settings, tls, version};

/// The trace endpoint of a collector.
const PATH: &str = "/v1/traces";

/// Longest caller header that is propagated. The standard requires 512 bytes of `tracestate`.
const HEADER_BYTES_MAX: usize = 512;

/// Time for spans to accumulate before they are sent.
const GATHER: Duration = Duration::from_secs(1);

/// The caller's trace, if any.
pub(crate) type Parent = Context;

/// Exports spans to a collector.
#[derive(Clone, Debug)]
pub struct Traces {
    tracer: SdkTracer,
    provider: SdkTracerProvider,
}

/// The reason traces cannot be sent.
#[derive(Debug, thiserror::Error)]
pub enum TracesError {
    /// The HTTP client cannot be built.
    #[error("traces cannot be sent. Are there root certificates on this system?")]
    Client(#[from] reqwest::Error),
    /// The exporter rejects its configuration.
    #[error("traces cannot be sent to `telemetry.otlp_endpoint`: {0}")]
    Exporter(#[from] ExporterBuildError),
}

impl Traces {
    /// Starts sending a service's spans, if the settings name a collector. Call it within the
    /// process's tokio runtime.
    ///
    /// # Errors
    ///
    /// When TLS is unavailable but the collector requires it.
    pub fn start(
        settings: &settings::Telemetry,
        service: &'static str,
    ) -> Result<Option<Self>, TracesError> {
        let Some(endpoint) = &settings.otlp_endpoint else {
            return Ok(None);
        };
        let resource = Resource::builder_empty()
            .with_service_name(service)
            .with_attribute(KeyValue::new("service.version", version::get()))
            .build();
        let exporter = SpanExporter::builder()
            .with_http()
            .with_http_client(ClientOnRuntime::new(client(endpoint)?))
            .with_endpoint(endpoint.join(PATH).as_str())
            .with_timeout(limits::TRACES_DEADLINE)
            .build()?;
        let batches = BatchConfigBuilder::default()
            .with_max_queue_size(limits::WAITING_SPANS_MAX)
            .with_scheduled_delay(GATHER)
            .build();
        let processor = BatchSpanProcessor::builder(Reporting::new(exporter))
            .with_batch_config(batches)
            .build();
        let provider = SdkTracerProvider::builder()
            .with_sampler(Sampler::ParentBased(Box::new(Sampler::AlwaysOn)))
            .with_span_processor(processor)
            .with_resource(resource)
            .build();
        let tracer = provider.tracer(env!("CARGO_PKG_NAME"));
        Ok(Some(Self { tracer, provider }))
    }

    /// Reads a request's trace context.
    #[expect(clippy::unused_self, reason = "there is a parent only where there are traces")]
    pub(crate) fn parent(&self, headers: &HeaderMap) -> Parent {
        TraceContextPropagator::new().extract_with_context(&Context::new(), &Headers(headers))
    }

    /// Creates the span of a finished request and returns its trace ID.
    pub(crate) fn record(&self, parent: &Parent, line: &RequestLine<'_>) -> String {
        let end = SystemTime::now();
        let start = end.checked_sub(line.duration).unwrap_or(end);
        let span = SpanBuilder::from_name(name(line))
            .with_kind(SpanKind::Server)
            .with_start_time(start)
            .with_attributes(attributes(line));
        let mut span = self.tracer.build_with_context(span, parent);
        if line.status >= 500 {
            span.set_status(Status::error(""));
        }
        span.end_with_timestamp(end);
        span.span_context().trace_id().to_string()
    }

    /// Sends pending spans within a deadline.
    pub async fn flush(&self, limit: Duration) {
        let provider = self.provider.clone();
        let shutdown = spawn_blocking(move || provider.shutdown_with_timeout(limit));
        // Unsent spans are lost, since the process is ending.
        let _ = shutdown.await;
    }
}

struct Headers<'a>(&'a HeaderMap);

impl Extractor for Headers<'_> {
    fn get(&self, key: &str) -> Option<&str> {
        let value = self.0.get(key)?.to_str().ok()?;
        (value.len() <= HEADER_BYTES_MAX).then_some(value)
    }

    fn keys(&self) -> Vec<&str> {
        self.0.keys().map(HeaderName::as_str).collect()
    }
}

fn name(line: &RequestLine<'_>) -> String {
    // The conventions' value for unknown methods.
    let method = match line.method {
        "other" => "HTTP",
        method => method,
    };
    match line.route {
        NO_ROUTE => method.to_owned(),
        route => format!("{method} {route}"),
    }
}

fn attributes(line: &RequestLine<'_>) -> Vec<KeyValue> {
    let method = match line.method {
        "other" => "_OTHER",
        method => method,
    };
    let mut attributes = vec![
        KeyValue::new("http.request.method", method),
        KeyValue::new("url.scheme", "http"),
        KeyValue::new("toolkit.request_id", line.request_id.to_owned()),
    ];
    if line.route != NO_ROUTE {
        attributes.push(KeyValue::new("http.route", line.route.to_owned()));
    }
    if let Some(tool) = line.tool {
        attributes.push(KeyValue::new("toolkit.tool", tool.to_owned()));
    }
    if let Some(key) = line.key {
        attributes.push(KeyValue::new("toolkit.key", key.to_owned()));
    }
    if line.status != CLIENT_LEFT {
        let status = i64::from(line.status);
        attributes.push(KeyValue::new("http.response.status_code", status));
    }
    if line.status >= 500 || line.status == CLIENT_LEFT {
        attributes.push(KeyValue::new("error.type", line.status.to_string()));
    }
    attributes
}

fn client(endpoint: &settings::HttpUrl) -> Result<reqwest::Client, reqwest::Error> {
    let builder = reqwest::Client::builder()
        .no_proxy()
        .redirect(reqwest::redirect::Policy::none())
        .timeout(limits::TRACES_DEADLINE);
    tls::client(builder, endpoint.as_str().starts_with("https:"))
}
