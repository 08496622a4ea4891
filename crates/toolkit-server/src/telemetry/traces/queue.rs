//! Span queue: spans waiting for export.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use metrics::Counter;
use opentelemetry::Context;
use opentelemetry_sdk::error::OTelSdkResult;
use opentelemetry_sdk::trace::{Span, SpanData, SpanExporter, SpanProcessor};
use tokio::sync::mpsc::{Receiver, Sender, channel};
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::timeout;

use crate::limits;

/// Spans per export.
const BATCH_MAX: usize = 512;

/// For spans to accumulate before they are sent.
const GATHER: Duration = Duration::from_secs(1);

/// The queue, and the task that drains it. The SDK's own processor does not report how many spans
/// it drops.
#[derive(Clone, Debug)]
pub(super) struct Queue {
    spans: Sender<SpanData>,
    dropped: Counter,
    stop: watch::Sender<bool>,
    task: Arc<Mutex<Option<JoinHandle<()>>>>,
}

impl Queue {
    /// Starts the sending task.
    pub(super) fn start(exporter: impl SpanExporter + 'static) -> Self {
        let (spans, waiting) = channel(limits::WAITING_SPANS_MAX);
        let (stop, stopped) = watch::channel(false);
        let dropped = metrics::counter!("toolkit_traces_dropped_total");
        let outlet = Outlet {
            exporter,
            waiting,
            stopped,
            dropped: dropped.clone(),
            fails: false,
        };
        let task = tokio::spawn(outlet.run());
        Self {
            spans,
            dropped,
            stop,
            task: Arc::new(Mutex::new(Some(task))),
        }
    }

    /// Sends the waiting spans, and ends.
    pub(super) async fn flush(&self, limit: Duration) {
        self.stop.send_replace(true);
        let task = self
            .task
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
        if let Some(task) = task {
            let _ = timeout(limit, task).await;
        }
    }
}

impl SpanProcessor for Queue {
    fn on_start(&self, _: &mut Span, _: &Context) {}

    fn on_end(&self, span: SpanData) {
        if self.spans.try_send(span).is_err() {
            self.dropped.increment(1);
        }
    }

    fn force_flush(&self) -> OTelSdkResult {
        Ok(())
    }

    fn shutdown_with_timeout(&self, _: Duration) -> OTelSdkResult {
        Ok(())
    }
}

async fn until_stopped(stopped: &mut watch::Receiver<bool>) {
    // A dropped sender means the same.
    let _ = stopped.wait_for(|stopped| *stopped).await;
}

struct Outlet<E> {
    exporter: E,
    waiting: Receiver<SpanData>,
    stopped: watch::Receiver<bool>,
    dropped: Counter,
    fails: bool,
}

impl<E: SpanExporter> Outlet<E> {
    /// Sends spans until told to stop, then the waiting ones.
    async fn run(mut self) {
        loop {
            let batch = self.gather().await;
            if batch.is_empty() {
                return;
            }
            self.send(batch).await;
        }
    }

    /// Waits for spans, and briefly for more. Returns none at the end.
    async fn gather(&mut self) -> Vec<SpanData> {
        let mut batch = Vec::new();
        tokio::select! {
            biased;
            () = until_stopped(&mut self.stopped) => {
                self.waiting.close();
                self.waiting.recv_many(&mut batch, BATCH_MAX).await;
                return batch;
            }
            _ = self.waiting.recv_many(&mut batch, BATCH_MAX) => {}
        }
        let fill = async {
            while batch.len() < BATCH_MAX {
                let room = BATCH_MAX - batch.len();
                self.waiting.recv_many(&mut batch, room).await;
            }
        };
        tokio::select! {
            () = until_stopped(&mut self.stopped) => {}
            _ = timeout(GATHER, fill) => {}
        }
        batch
    }

    async fn send(&mut self, batch: Vec<SpanData>) {
        let spans = batch.len();
        let sent = self.exporter.export(batch).await.is_ok();
        if !sent {
            self.dropped.increment(spans as u64);
        }
        match (sent, std::mem::replace(&mut self.fails, !sent)) {
            (false, false) => {
                tracing::warn!("the collector does not accept traces: they are dropped");
            }
            (true, true) => tracing::info!("the collector accepts traces again"),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::VecDeque;

    use opentelemetry_sdk::error::OTelSdkError;

    use super::*;
    use crate::telemetry::test_log::Log;

    /// A collector that accepts or refuses batches in this order.
    #[derive(Debug)]
    struct Collector(Mutex<VecDeque<bool>>);

    impl SpanExporter for Collector {
        async fn export(&self, _: Vec<SpanData>) -> OTelSdkResult {
            let accepts = self.0.lock().unwrap().pop_front().unwrap();
            accepts
                .then_some(())
                .ok_or_else(|| OTelSdkError::InternalFailure(String::new()))
        }
    }

    #[tokio::test]
    async fn it_is_logged_once_that_the_collector_fails_and_once_that_it_accepts_again() {
        let (log, _captured) = Log::capture();
        let collector = Collector(Mutex::new([true, false, false, true, true, false].into()));
        let (_, waiting) = channel(1);
        let (_, stopped) = watch::channel(false);
        let mut outlet = Outlet {
            exporter: collector,
            waiting,
            stopped,
            dropped: Counter::noop(),
            fails: false,
        };
        let mut lines = Vec::new();
        for _ in 0..6 {
            outlet.send(Vec::new()).await;
            let failed = log.count("the collector does not accept traces");
            let again = log.count("the collector accepts traces again");
            lines.push((failed, again));
        }
        assert_eq!(lines, [(0, 0), (1, 0), (1, 0), (1, 1), (1, 1), (2, 1)]);
    }
}
