//! Clock of a worker thread: deadlines in ticks, and the server state that connections read.
//!
//! Resetting a timer per connection for each request would cost more than many requests do.
//! Instead, a request stores the current tick, and the [worker](super::Worker) checks all of them
//! once per tick.

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering::Relaxed};
use std::time::Duration;

use crate::accounts::Accounts;

/// A point in time, in ticks.
pub(crate) type Tick = u32;

const TICKS_PER_SECOND: u64 = 4;

/// Length of a tick: the precision of deadlines.
pub(super) const TICK: Duration = Duration::from_millis(1_000 / TICKS_PER_SECOND);

/// Converts a duration to ticks.
pub(crate) const fn ticks(time: Duration) -> Tick {
    #[expect(clippy::cast_possible_truncation, reason = "deadlines are seconds, not years")]
    let ticks = time.as_millis().div_ceil(TICK.as_millis()) as Tick;
    ticks
}

/// Converts a rate to bytes over this many ticks.
pub(super) fn bytes(per_second: u64, ticks: Tick) -> u64 {
    per_second.saturating_mul(u64::from(ticks)) / TICKS_PER_SECOND
}

/// Server state, shared by all workers.
#[derive(Clone, Debug, Default)]
pub struct State {
    stopping: Arc<AtomicBool>,
    draining: Arc<AtomicBool>,
    idle_close_delay: Arc<AtomicU32>,
    in_flight: Arc<AtomicUsize>,
    accounts: Accounts,
    end_notice: Arc<tokio::sync::watch::Sender<bool>>,
}

impl State {
    /// Creates the state of a server with these accounts.
    pub(crate) fn new(accounts: Accounts) -> Self {
        Self { accounts, ..Self::default() }
    }

    /// The accounts of all clients.
    pub(crate) fn accounts(&self) -> &Accounts {
        &self.accounts
    }

    /// Announces that the process is about to stop.
    pub(crate) fn begin_stop(&self) {
        self.stopping.store(true, Relaxed);
    }

    /// Tells all connections to end. Idle ones are closed after `idle_close_delay`.
    pub(crate) fn drain(&self, idle_close_delay: Duration) {
        self.idle_close_delay.store(ticks(idle_close_delay), Relaxed);
        self.draining.store(true, Relaxed);
    }

    /// Tells streamed responses that they are about to be cut.
    pub(crate) fn announce_end(&self) {
        self.end_notice.send_replace(true);
    }

    /// Whether the server is stopping, so that load balancers should send new clients elsewhere.
    pub fn is_stopping(&self) -> bool {
        self.stopping.load(Relaxed)
    }

    /// Whether connections are to end.
    pub fn is_draining(&self) -> bool {
        self.draining.load(Relaxed)
    }

    /// The number of open connections.
    pub fn connections(&self) -> usize {
        let [open, _] = self.accounts.connections();
        open
    }

    /// The number of requests in progress.
    pub fn in_flight(&self) -> usize {
        self.in_flight.load(Relaxed)
    }

    /// The counter of requests in progress.
    pub(super) fn in_flight_count(&self) -> &AtomicUsize {
        &self.in_flight
    }
}

/// The clock of one worker thread.
#[derive(Default)]
pub(crate) struct Clock {
    now: Cell<Tick>,
    draining_since: Cell<Option<Tick>>,
    state: State,
}

impl Clock {
    pub(super) fn new(state: State) -> Self {
        Self { state, ..Self::default() }
    }

    /// The current tick.
    pub(super) fn now(&self) -> Tick {
        self.now.get()
    }

    /// Ticks since `then`.
    pub(super) fn since(&self, then: Tick) -> Tick {
        self.now().wrapping_sub(then)
    }

    /// Advances to the next tick.
    pub(super) fn advance(&self) {
        self.now.set(self.now().wrapping_add(1));
        if self.state.is_draining() && self.draining_since.get().is_none() {
            self.draining_since.set(Some(self.now()));
        }
    }

    /// The state of the server.
    pub(crate) fn state(&self) -> &State {
        &self.state
    }

    /// Whether the drain has lasted long enough to close idle connections.
    pub(super) fn must_close_idle(&self) -> bool {
        let delay = self.state.idle_close_delay.load(Relaxed);
        let since = self.draining_since.get();
        since.is_some_and(|since| self.since(since) >= delay)
    }

    /// Notified shortly before a stop cuts the remaining responses.
    pub(crate) fn end_notice(&self) -> tokio::sync::watch::Receiver<bool> {
        self.state.end_notice.subscribe()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deadlines_are_rounded_up_to_ticks() {
        let milliseconds = |time| ticks(Duration::from_millis(time));
        assert_eq!([0, 1, 250, 251, 1_000].map(milliseconds), [0, 1, 1, 2, 4]);
    }

    #[test]
    fn idle_connections_close_so_long_after_they_are_asked_to() {
        let clock = Clock::default();
        clock.advance();
        assert!(!clock.must_close_idle());
        clock.state.drain(2 * TICK);
        for _ in 0..2 {
            clock.advance();
            assert!(!clock.must_close_idle());
        }
        clock.advance();
        assert!(clock.must_close_idle());
    }
}
