//! Log events: puts the events of `tracing` into the sink.

use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use tracing::Metadata;
use tracing_subscriber::fmt::MakeWriter;

use super::escape;
use super::sink::Sink;

/// Minimum interval between lines of actix-server, which repeats itself twice a second when
/// descriptors run out.
const SERVER_PAUSE: Duration = Duration::from_secs(1);

/// Puts events into the sink, each as one line.
pub(super) struct EventWriter {
    sink: Sink,
    started: Instant,
    server_silent_until: AtomicU64,
}

impl EventWriter {
    pub(super) fn new(sink: Sink) -> Self {
        Self {
            sink,
            started: Instant::now(),
            server_silent_until: AtomicU64::new(0),
        }
    }

    fn is_repetition(&self, metadata: &Metadata<'_>) -> bool {
        if !metadata.target().starts_with("actix_server") {
            return false;
        }
        let milliseconds = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        let now = milliseconds(self.started.elapsed());
        let until = now + milliseconds(SERVER_PAUSE);
        self.server_silent_until
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |silent| {
                (now >= silent).then_some(until)
            })
            .is_err()
    }
}

impl<'a> MakeWriter<'a> for EventWriter {
    type Writer = Line<'a>;

    fn make_writer(&'a self) -> Line<'a> {
        Line(Some(&self.sink))
    }

    fn make_writer_for(&'a self, metadata: &Metadata<'_>) -> Line<'a> {
        Line((!self.is_repetition(metadata)).then_some(&self.sink))
    }
}

/// One event: `tracing` writes it in one call.
pub(super) struct Line<'a>(Option<&'a Sink>);

impl io::Write for Line<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if let Some(sink) = self.0 {
            let text = String::from_utf8_lossy(bytes);
            let mut line = Vec::with_capacity(bytes.len() + 1);
            escape::push(text.trim_end_matches('\n'), &mut line);
            line.push(b'\n');
            sink.push(&line);
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
