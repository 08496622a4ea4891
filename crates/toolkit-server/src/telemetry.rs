//! Telemetry: the log (filter, format, output that does not block requests), and [`Traces`].
//!
//! Events of `tracing` and the line of each request go to one [`Sink`]. The request line does not
//! pass through `tracing`, whose spans would cost as much as the request itself. Nothing personal
//! is logged: no body, key or address. Every entry is one line: control characters are escaped.

mod access;
mod clock;
mod escape;
mod event;
mod sink;
#[cfg(test)]
pub(crate) mod test_log;
mod traces;

use std::io::IsTerminal;

use tracing::Level;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{EnvFilter, fmt};

pub use self::access::{AccessLine, AccessLog};
pub(crate) use self::access::{CLIENT_LEFT, NO_ROUTE};
use self::clock::Clock;
use self::event::EventWriter;
pub use self::sink::Sink;
pub(crate) use self::traces::Parent;
pub use self::traces::{Traces, TracesError};
use crate::panics;
use crate::settings::{Log, LogFormat};

/// Verbose crates, and the level at which each is logged.
///
/// actix-http logs each broken request of a client as an error of the server.
const QUIETER: &str = "actix_http=off,actix_server=warn,h2=warn,hyper=warn,reqwest=warn,rmcp=off,\
                       rustls=warn,sqlx=warn,tower=warn";

/// The log of a process; keep it until the end.
#[derive(Clone, Debug)]
pub struct Telemetry {
    sink: Sink,
    access: Option<AccessLog>,
}

impl Telemetry {
    /// Starts the log on standard output, and logs panics there.
    ///
    /// The first call in a process determines the format of `tracing`.
    pub fn start(log: &Log) -> Self {
        let text_by_default = std::io::stdout().is_terminal();
        let format = log.format.unwrap_or(if text_by_default {
            LogFormat::Text
        } else {
            LogFormat::Json
        });
        Self::start_with(log.level.as_str(), format, Sink::standard_output(format))
    }

    /// Starts the log on standard error, for a process whose standard output carries a protocol.
    ///
    /// The default level is `warn` there, since clients show every line, and the default format
    /// text.
    pub fn start_on_standard_error(log: &Log) -> Self {
        let format = log.format.unwrap_or(LogFormat::Text);
        let level = match log.level.as_str() {
            "info" => "warn",
            level => level,
        };
        Self::start_with(level, format, Sink::standard_error(format))
    }

    fn start_with(level: &str, format: LogFormat, sink: Sink) -> Self {
        let filter = EnvFilter::builder().parse_lossy(format!("{QUIETER},{level}"));
        let registry = tracing_subscriber::registry().with(filter);
        let lines = fmt::layer()
            .with_timer(Clock)
            .with_writer(EventWriter::new(sink.clone()));
        let started = match format {
            LogFormat::Text => registry.with(lines.with_ansi(false)).try_init(),
            LogFormat::Json => {
                // One object, with the fields of the event at the top level.
                let objects = lines.json().flatten_event(true);
                let objects = objects.with_current_span(false).with_span_list(false);
                registry.with(objects).try_init()
            }
        };
        if started.is_ok() {
            panics::log_them();
        }
        // `log.level` applies to request lines too: their target is `access`.
        let wanted = tracing::enabled!(target: "access", Level::INFO);
        let access = wanted.then(|| AccessLog::new(sink.clone(), format));
        Self { sink, access }
    }

    /// The log of requests, unless the level excludes it.
    pub fn access(&self) -> Option<AccessLog> {
        self.access.clone()
    }

    /// Writes out waiting lines, as far as the reader accepts them at once.
    pub fn flush(&self) {
        self.sink.flush();
    }
}
