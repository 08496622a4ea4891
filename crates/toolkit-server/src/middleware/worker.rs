//! Worker state, shared by the requests of one worker thread.

use std::cell::RefCell;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};

use super::Options;
use super::stats::Stats;

/// The state of the middleware in one worker thread.
pub(super) struct Worker {
    pub(super) options: Arc<Options>,
    /// Written only by this thread, so that a plain store suffices.
    in_flight: Arc<AtomicUsize>,
    pub(super) stats: RefCell<Stats>,
    /// Buffer for log lines.
    pub(super) scratch: RefCell<Vec<u8>>,
}

impl Worker {
    pub(super) fn new(options: Arc<Options>) -> Self {
        let in_flight = Arc::default();
        options.in_flight.register(&in_flight);
        Self {
            options,
            in_flight,
            stats: RefCell::new(Stats::new()),
            scratch: RefCell::new(Vec::with_capacity(512)),
        }
    }

    /// Whether one more request would be too many.
    pub(super) fn is_full(&self) -> bool {
        self.in_flight.load(Ordering::Relaxed) >= self.options.in_flight_max
    }

    pub(super) fn enter(&self) {
        let before = self.in_flight.load(Ordering::Relaxed);
        self.in_flight.store(before + 1, Ordering::Relaxed);
    }

    pub(super) fn leave(&self) {
        let before = self.in_flight.load(Ordering::Relaxed);
        self.in_flight
            .store(before.saturating_sub(1), Ordering::Relaxed);
    }
}

/// Requests in progress in all workers of a server.
#[derive(Clone, Debug, Default)]
pub(super) struct InFlight(Arc<Mutex<Vec<Weak<AtomicUsize>>>>);

impl InFlight {
    fn register(&self, worker: &Arc<AtomicUsize>) {
        let mut workers = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        workers.retain(|known| known.strong_count() > 0);
        workers.push(Arc::downgrade(worker));
    }

    /// Their number.
    pub(super) fn sum(&self) -> usize {
        let workers = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        workers
            .iter()
            .filter_map(Weak::upgrade)
            .map(|worker| worker.load(Ordering::Relaxed))
            .sum()
    }
}
