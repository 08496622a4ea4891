//! Telemetry: the log, and [`Traces`].
//!
//! The log is `tracing`'s, written by its own thread, so requests never wait for the log reader. If
//! the reader is too slow, lines are dropped and counted. Nothing personal is logged: no bodies,
//! keys or addresses.

mod request_line;
#[cfg(test)]
pub(crate) mod test_log;
mod traces;

use std::io::{self, BufWriter, IsTerminal, Write};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use tracing_appender::non_blocking::{ErrorCounter, NonBlockingBuilder, WorkerGuard};
use tracing_subscriber::fmt::format::{Format, Json};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{EnvFilter, Registry, fmt, reload};

pub(crate) use self::request_line::{CLIENT_LEFT, NO_ROUTE, RequestLine};
pub(crate) use self::traces::Parent;
pub use self::traces::{Traces, TracesError};
use crate::settings::{Log, LogFormat};
use crate::{limits, panics};

/// Verbose crates, and their log levels.
///
/// actix-http logs every broken client request as a server error.
const QUIETER: &str = "actix_http=off,actix_server=warn,h2=warn,hyper=warn,reqwest=warn,rmcp=off,\
                       rustls=warn,sqlx=warn,tower=warn";

/// Interval between log writes. A line is at most this late.
const BATCH: Duration = Duration::from_millis(10);

/// Time for the last lines to be written.
const FLUSH_DEADLINE: Duration = Duration::from_millis(300);

/// The log of a process. Keep it until the end.
#[derive(Debug)]
pub struct Telemetry {
    guard: WorkerGuard,
    dropped: ErrorCounter,
    level: Level,
}

/// The log filter, which can change.
#[derive(Clone, Debug)]
pub(crate) struct Level(reload::Handle<EnvFilter, Registry>);

impl Level {
    /// Applies the level of new settings.
    pub(crate) fn set(&self, log: &Log) {
        // Fails in a process with another log, as in tests.
        let _ = self.0.reload(filter(log.level.as_str()));
    }
}

/// The JSON line format: one object with the event's fields at the top level, without spans.
pub fn json_line() -> Format<Json> {
    fmt::format().json().flatten_event(true).with_current_span(false).with_span_list(false)
}

fn filter(level: &str) -> EnvFilter {
    EnvFilter::builder().parse_lossy(format!("{QUIETER},{level}"))
}

impl Telemetry {
    /// Starts the log on standard output, and logs panics there.
    ///
    /// The first call in a process determines `tracing`'s format.
    pub fn start(log: &Log) -> Self {
        let text_by_default = io::stdout().is_terminal();
        let format =
            log.format.unwrap_or(if text_by_default { LogFormat::Text } else { LogFormat::Json });
        Self::start_with(log.level.as_str(), format, io::stdout())
    }

    /// Starts the log on standard error, for a process whose standard output carries a protocol.
    ///
    /// The default level is `warn`, since clients show every line, and the default format is text.
    pub fn start_on_standard_error(log: &Log) -> Self {
        let format = log.format.unwrap_or(LogFormat::Text);
        let level = match log.level.as_str() {
            "info" => "warn",
            level => level,
        };
        Self::start_with(level, format, io::stderr())
    }

    fn start_with(level: &str, format: LogFormat, output: impl Write + Send + 'static) -> Self {
        let output = BufWriter::new(output);
        let output: Box<dyn Write + Send> = match format {
            LogFormat::Text => Box::new(OneLine(output)),
            // The JSON formatter escapes fields.
            LogFormat::Json => Box::new(output),
        };
        let (writer, guard) = NonBlockingBuilder::default()
            .buffered_lines_limit(limits::LOG_LINES_MAX)
            .thread_name("log writer")
            .finish(Batches(output));
        let dropped = writer.error_counter();
        let (filter, level) = reload::Layer::new(filter(level));
        let registry = tracing_subscriber::registry().with(filter);
        let lines = fmt::layer().with_writer(writer);
        let started = match format {
            LogFormat::Text => registry.with(lines.with_ansi(false)).try_init(),
            LogFormat::Json => registry.with(lines.event_format(json_line())).try_init(),
        };
        if started.is_ok() {
            panics::log_them();
        }
        Self { guard, dropped, level: Level(level) }
    }

    /// The log filter, for new settings.
    pub(crate) fn level(&self) -> Level {
        self.level.clone()
    }

    /// The number of dropped lines.
    pub fn dropped_lines(&self) -> ErrorCounter {
        self.dropped.clone()
    }

    /// Writes out pending lines, as far as the reader accepts them now.
    pub fn flush(self) {
        let (flushed, end) = mpsc::channel::<()>();
        thread::spawn(move || {
            let _flushed = flushed;
            drop(self.guard);
        });
        // Dropping the sender ends the thread. A blocked reader blocks only that thread, not the
        // exit.
        let _ = end.recv_timeout(FLUSH_DEADLINE);
    }
}

/// Writes the lines of an interval together.
///
/// The log thread flushes when no line is pending. While it pauses, lines accumulate without each
/// request waking it. A small run of a single client takes 22 µs of CPU instead of 40.
struct Batches<W>(W);

impl<W: Write> Write for Batches<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()?;
        thread::sleep(BATCH);
        Ok(())
    }
}

/// Keeps each event on one line. A displayed field could contain line feeds, which would let its
/// author forge log lines.
struct OneLine<W>(W);

impl<W: Write> Write for OneLine<W> {
    fn write(&mut self, event: &[u8]) -> io::Result<usize> {
        let line = event.strip_suffix(b"\n").unwrap_or(event);
        for part in line.split_inclusive(u8::is_ascii_control) {
            match part.split_last() {
                Some((control, text)) if control.is_ascii_control() => {
                    self.0.write_all(text)?;
                    write!(self.0, "{}", control.escape_ascii())?;
                }
                _ => self.0.write_all(part)?,
            }
        }
        self.0.write_all(b"\n")?;
        Ok(event.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::telemetry::test_log::Log;

    #[test]
    fn a_displayed_field_cannot_begin_a_line_of_its_own() {
        let log = Log::default();
        let writer = log.clone();
        let lines = fmt::layer().with_writer(move || OneLine(writer.clone()));
        let subscriber = tracing_subscriber::registry().with(lines.with_ansi(false));
        tracing::subscriber::with_default(subscriber, || {
            let text = "a\nERROR forged\r\t\u{7f}é";
            tracing::info!(field = %text, "{}", "one\nevent");
        });
        assert_eq!(log.count("\n"), 1);
        assert_eq!(log.count("one\\nevent field=a\\nERROR forged\\r\\t\\x7fé"), 1);
    }
}
