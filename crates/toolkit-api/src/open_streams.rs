//! Open streams: their number, and their end at a shutdown.

use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

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
    streams: Arc<Semaphore>,
    waiting: Arc<Semaphore>,
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
            streams: Arc::new(Semaphore::new(STREAMS_MAX)),
            waiting: Arc::new(Semaphore::new(WAITING_MAX)),
        }
    }

    /// Opens another stream.
    ///
    /// # Errors
    ///
    /// 503 when there are too many.
    pub(crate) fn open(&self) -> Result<OpenStream, ApiError> {
        let place = take(&self.streams, STREAMS_MAX)?;
        metrics::gauge!("toolkit_chat_streams").increment(1);
        Ok(OpenStream(place))
    }

    /// Begins to wait for a whole reply.
    ///
    /// # Errors
    ///
    /// 503 when too many wait.
    pub(crate) fn wait(&self) -> Result<OwnedSemaphorePermit, ApiError> {
        take(&self.waiting, WAITING_MAX)
    }
}

/// Takes a place until it is dropped.
fn take(places: &Arc<Semaphore>, count: usize) -> Result<OwnedSemaphorePermit, ApiError> {
    let place = Arc::clone(places).try_acquire_owned();
    place.map_err(|_| ApiError::TooManyChats(count))
}

/// A slot for an open stream.
#[derive(Debug)]
pub(crate) struct OpenStream(
    #[expect(dead_code, reason = "it is dropped with the stream")] OwnedSemaphorePermit,
);

impl Drop for OpenStream {
    fn drop(&mut self) {
        metrics::gauge!("toolkit_chat_streams").decrement(1);
    }
}
