//! Span exporter: adds what the SDK's exporter lacks in this process.
//!
//! The SDK exports from its own thread, where `reqwest` finds no runtime, and its failures appear
//! in none of our metrics.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use opentelemetry_http::{HttpClient, HttpError, Request, Response};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::error::OTelSdkResult;
use opentelemetry_sdk::trace::{SpanData, SpanExporter};
use tokio::runtime::Handle;

/// A client whose requests run on the runtime that created it.
#[derive(Debug)]
pub(super) struct ClientOnRuntime {
    client: reqwest::Client,
    runtime: Handle,
}

impl ClientOnRuntime {
    pub(super) fn new(client: reqwest::Client) -> Self {
        let runtime = Handle::current();
        Self { client, runtime }
    }
}

#[async_trait]
impl HttpClient for ClientOnRuntime {
    async fn send_bytes(&self, request: Request<Bytes>) -> Result<Response<Bytes>, HttpError> {
        let client = self.client.clone();
        let sent = self.runtime.spawn(async move { client.send_bytes(request).await });
        sent.await?
    }
}

/// Counts spans that the collector does not accept, and logs when that begins and ends.
#[derive(Debug)]
pub(super) struct Reporting<E> {
    exporter: E,
    fails: AtomicBool,
}

impl<E> Reporting<E> {
    pub(super) fn new(exporter: E) -> Self {
        let fails = AtomicBool::new(false);
        Self { exporter, fails }
    }
}

impl<E: SpanExporter> SpanExporter for Reporting<E> {
    async fn export(&self, batch: Vec<SpanData>) -> OTelSdkResult {
        let spans = batch.len();
        let sent = self.exporter.export(batch).await;
        let fails = sent.is_err();
        if fails {
            metrics::counter!("toolkit_traces_dropped_total").increment(spans as u64);
        }
        match (self.fails.swap(fails, Ordering::Relaxed), fails) {
            (false, true) => {
                tracing::warn!("the trace collector does not accept spans: dropping them");
            }
            (true, false) => tracing::info!("the trace collector accepts spans again"),
            _ => {}
        }
        sent
    }

    fn shutdown_with_timeout(&self, timeout: Duration) -> OTelSdkResult {
        self.exporter.shutdown_with_timeout(timeout)
    }

    fn set_resource(&mut self, resource: &Resource) {
        self.exporter.set_resource(resource);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::VecDeque;
    use std::sync::Mutex;

    use opentelemetry_sdk::error::OTelSdkError;

    use super::*;
    use crate::telemetry::test_log::Log;

    /// A collector that accepts or refuses batches in this order.
    #[derive(Debug)]
    struct Collector(Mutex<VecDeque<bool>>);

    impl SpanExporter for Collector {
        async fn export(&self, _: Vec<SpanData>) -> OTelSdkResult {
            let accepts = self.0.lock().unwrap().pop_front().unwrap();
            accepts.then_some(()).ok_or_else(|| OTelSdkError::InternalFailure(String::new()))
        }
    }

    #[tokio::test]
    async fn it_is_logged_once_that_the_collector_fails_and_once_that_it_accepts_again() {
        let (log, _captured) = Log::capture();
        let accepts = Mutex::new([true, false, false, true, true, false].into());
        let exporter = Reporting::new(Collector(accepts));
        let mut lines = Vec::new();
        for _ in 0..6 {
            let _ = exporter.export(Vec::new()).await;
            let failed = log.count("the trace collector does not accept spans");
            let again = log.count("the trace collector accepts spans again");
            lines.push((failed, again));
        }
        assert_eq!(lines, [(0, 0), (1, 0), (1, 0), (1, 1), (1, 1), (2, 1)]);
    }
}
