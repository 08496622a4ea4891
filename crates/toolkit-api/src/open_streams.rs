//! Open streams: their number, and their end at a shutdown.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::error::ApiError;

/// Streamed chats of a process at the same time, at some 40 KiB each. They mostly wait for models,
/// so they do not count as requests in progress.
const STREAMS_MAX: usize = 2_048;

/// Chats of a process that wait for a whole reply at the same time.
const WAITING_MAX: usize = 1_024;

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

/// The chats of a process: they mostly wait for models, and have places of their own.
#[derive(Debug)]
pub(crate) struct OpenStreams {
    streams: Arc<AtomicUsize>,
    waiting: Arc<AtomicUsize>,
}

impl OpenStreams {
    /// Creates the counters. The metrics recorder must have been started before.
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
        Self {
            streams: Arc::default(),
            waiting: Arc::default(),
        }
    }

    /// Opens another stream.
    ///
    /// # Errors
    ///
    /// 503 when there are too many.
    pub(crate) fn open(&self) -> Result<OpenStream, ApiError> {
        let place = Place::take(&self.streams, STREAMS_MAX)?;
        metrics::gauge!("toolkit_chat_streams").increment(1);
        Ok(OpenStream(place))
    }

    /// Begins to wait for a whole reply.
    ///
    /// # Errors
    ///
    /// 503 when too many wait.
    pub(crate) fn wait(&self) -> Result<Place, ApiError> {
        Place::take(&self.waiting, WAITING_MAX)
    }
}

/// A place, until it is dropped.
#[derive(Debug)]
pub(crate) struct Place(Arc<AtomicUsize>);

impl Place {
    fn take(taken: &Arc<AtomicUsize>, places: usize) -> Result<Self, ApiError> {
        let place = Self(Arc::clone(taken));
        let before = taken.fetch_add(1, Ordering::Relaxed);
        if before < places {
            Ok(place)
        } else {
            Err(ApiError::TooManyChats(places))
        }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// A slot for an open stream.
#[derive(Debug)]
pub(crate) struct OpenStream(#[expect(dead_code, reason = "it is dropped with the stream")] Place);

impl Drop for OpenStream {
    fn drop(&mut self) {
        metrics::gauge!("toolkit_chat_streams").decrement(1);
    }
}
