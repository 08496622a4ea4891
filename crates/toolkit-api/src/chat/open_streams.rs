//! Open streams: how many there are, and how they end at a shutdown.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use strum::{IntoStaticStr, VariantArray};
use toolkit_store::Ulid;

use crate::error::ApiError;

/// Streamed chats per process, about 40 KiB each. They mostly wait for models, so they do not count
/// as requests in progress.
const STREAMS_MAX: usize = 2_048;

/// Chats per process that wait for a whole reply.
const WAITING_MAX: usize = 1_024;

/// How a stream ended.
#[derive(Debug, Clone, Copy, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "snake_case")]
pub(crate) enum Outcome {
    /// The reply is complete.
    Done,
    /// An error.
    Error,
    /// The client disconnected.
    ClientLeft,
    /// The client stopped reading.
    Stalled,
    /// The server stopped.
    Stopped,
}

impl Outcome {
    /// Counts streams with this outcome.
    pub(crate) fn count(self, by: u64) {
        let outcome: &'static str = self.into();
        metrics::counter!("toolkit_chat_streams_total", "outcome" => outcome).increment(by);
    }
}

/// The chats of a process. They mostly wait for models, so they have slots of their own.
///
/// One key gets at most half of them.
#[derive(Debug)]
pub(crate) struct OpenStreams {
    streams: Arc<Slots>,
    waiting: Arc<Slots>,
}

impl OpenStreams {
    /// Creates the counters. Call it after the metrics recorder has started.
    pub(crate) fn new() -> Self {
        metrics::describe_gauge!("toolkit_chat_streams", "Chats being streamed.");
        metrics::describe_counter!(
            "toolkit_chat_streams_total",
            "Streamed chats by outcome, from their first event."
        );
        for outcome in Outcome::VARIANTS {
            outcome.count(0);
        }
        Self { streams: Slots::new(STREAMS_MAX), waiting: Slots::new(WAITING_MAX) }
    }

    /// Opens a stream for a key.
    ///
    /// # Errors
    ///
    /// 503 when there are too many.
    pub(crate) fn open(&self, key: Ulid) -> Result<OpenStream, ApiError> {
        let slot = self.streams.take(key)?;
        metrics::gauge!("toolkit_chat_streams").increment(1);
        Ok(OpenStream(slot))
    }

    /// Begins to wait for a whole reply.
    ///
    /// # Errors
    ///
    /// 503 when too many are waiting.
    pub(crate) fn wait(&self, key: Ulid) -> Result<Slot, ApiError> {
        self.waiting.take(key)
    }
}

/// Slots for chats, shared by all keys.
#[derive(Debug)]
struct Slots {
    most: usize,
    /// Slots per key, for keys that hold any.
    taken: Mutex<HashMap<Ulid, usize>>,
}

impl Slots {
    fn new(most: usize) -> Arc<Self> {
        let taken = Mutex::default();
        Arc::new(Self { most, taken })
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Ulid, usize>> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn take(self: &Arc<Self>, key: Ulid) -> Result<Slot, ApiError> {
        let mut taken = self.lock();
        if taken.values().sum::<usize>() >= self.most {
            return Err(ApiError::TooManyChats(self.most));
        }
        let own = taken.entry(key).or_default();
        if *own >= self.most / 2 {
            return Err(ApiError::TooManyChatsOfKey(*own));
        }
        *own += 1;
        Ok(Slot { slots: Arc::clone(self), key })
    }
}

/// The slot of one chat, held until dropped.
#[derive(Debug)]
pub(crate) struct Slot {
    slots: Arc<Slots>,
    key: Ulid,
}

impl Drop for Slot {
    fn drop(&mut self) {
        let mut taken = self.slots.lock();
        if let Some(own) = taken.get_mut(&self.key) {
            *own -= 1;
        }
        taken.retain(|_, own| *own > 0);
    }
}

/// A slot for an open stream.
#[derive(Debug)]
pub(crate) struct OpenStream(#[expect(dead_code, reason = "it is dropped with the stream")] Slot);

impl Drop for OpenStream {
    fn drop(&mut self) {
        metrics::gauge!("toolkit_chat_streams").decrement(1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_has_half_of_the_chats_and_another_key_the_rest() {
        let slots = Slots::new(4);
        let (first, second) = (Ulid::from(1_u128), Ulid::from(2_u128));
        let mut held: Vec<_> = (0..2).map(|_| slots.take(first).unwrap()).collect();
        let refused = slots.take(first).unwrap_err();
        assert!(matches!(refused, ApiError::TooManyChatsOfKey(2)), "{refused}");
        let others: Vec<_> = (0..2).map(|_| slots.take(second).unwrap()).collect();
        let third = slots.take(Ulid::from(3_u128)).unwrap_err();
        assert!(matches!(third, ApiError::TooManyChats(4)), "{third}");
        held.pop();
        assert!(slots.take(first).is_ok());
        drop((held, others));
        assert!(slots.lock().is_empty());
    }
}
