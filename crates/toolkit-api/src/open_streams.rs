//! Open streams: their number, and their end at a shutdown.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::error::ApiError;

/// Streamed chats of a process at the same time, at some 40 KiB each. They mostly wait for models,
/// so they do not count as requests in progress.
const STREAMS_MAX: usize = 2_048;

/// Outcome of a stream.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Outcome {
    /// The reply is complete.
    Done,
    /// An error.
    Error,
    /// The client left.
    ClientLeft,
    /// The client read nothing for too long.
    Stalled,
    /// The server stopped.
    Stopped,
}

impl Outcome {
    const ALL: [Self; 5] = [
        Self::Done,
        Self::Error,
        Self::ClientLeft,
        Self::Stalled,
        Self::Stopped,
    ];

    const fn as_str(self) -> &'static str {
        match self {
            Self::Done => "done",
            Self::Error => "error",
            Self::ClientLeft => "client_left",
            Self::Stalled => "stalled",
            Self::Stopped => "stopped",
        }
    }

    /// Counts a stream with this outcome.
    pub(crate) fn count(self, by: u64) {
        metrics::counter!("toolkit_chat_streams_total", "outcome" => self.as_str()).increment(by);
    }
}

/// The streams of a process.
#[derive(Debug)]
pub(crate) struct OpenStreams(Arc<AtomicUsize>);

impl OpenStreams {
    /// Creates the counter. The metrics recorder must have been started before.
    pub(crate) fn new() -> Self {
        metrics::describe_gauge!(
            "toolkit_chat_streams",
            "Chats whose reply is being streamed."
        );
        metrics::describe_counter!(
            "toolkit_chat_streams_total",
            "Streamed chats by how they ended, from their first event on."
        );
        for outcome in Outcome::ALL {
            outcome.count(0);
        }
        Self(Arc::default())
    }

    /// Opens another stream.
    ///
    /// # Errors
    ///
    /// 503 when there are too many.
    pub(crate) fn open(&self) -> Result<OpenStream, ApiError> {
        if self.0.fetch_add(1, Ordering::Relaxed) >= STREAMS_MAX {
            self.0.fetch_sub(1, Ordering::Relaxed);
            return Err(ApiError::TooManyStreams(STREAMS_MAX));
        }
        metrics::gauge!("toolkit_chat_streams").increment(1);
        Ok(OpenStream(Arc::clone(&self.0)))
    }
}

/// A slot for an open stream.
#[derive(Debug)]
pub(crate) struct OpenStream(Arc<AtomicUsize>);

impl Drop for OpenStream {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
        metrics::gauge!("toolkit_chat_streams").decrement(1);
    }
}
