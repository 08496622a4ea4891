//! Output of a connection: how fast the client reads the response, and the buffers of both
//! directions.

use std::sync::Arc;

use super::clock::{self, Clock, Tick};
use crate::accounts::{Account, Charge};
use crate::limits::{self, CONNECTION_BYTES};

/// The output of a connection.
pub(crate) struct Output {
    /// When the response began.
    since: Tick,
    /// Bytes of the response accepted, and when the last ones were.
    taken: u64,
    taken_at: Tick,
    /// Rate in bytes per second above which the response is not cut. None for a streamed response,
    /// which has no minimum.
    rate: Option<u64>,
    is_blocked: bool,
    /// Whether more of the response follows the current write.
    pub(super) more_follows: bool,
    /// The connection itself with its largest buffer, which the HTTP layer keeps.
    buffers: Charge,
}

impl Output {
    pub(super) fn new(account: &Arc<Account>) -> Self {
        Self {
            since: 0,
            taken: 0,
            taken_at: 0,
            rate: Some(limits::TAKEN_PER_SECOND_MIN),
            is_blocked: false,
            more_follows: false,
            buffers: account.charge(CONNECTION_BYTES),
        }
    }

    /// Begins a response of this size. A streamed one has no size.
    pub(super) fn begin(&mut self, size: Option<u64>, now: Tick) {
        let rate = size.map(|size| size / limits::TAKEN_WITHIN.as_secs());
        self.rate = rate.map(|rate| rate.max(limits::TAKEN_PER_SECOND_MIN));
        // If the previous response is still blocked, its clock keeps running.
        if !self.is_blocked {
            (self.since, self.taken) = (now, 0);
        }
    }

    /// Whether bytes are waiting for the client.
    pub(super) fn is_blocked(&self) -> bool {
        self.is_blocked
    }

    /// Memory of the buffers.
    pub(super) fn memory(&self) -> usize {
        self.buffers.bytes()
    }

    /// Records a write of `waiting` bytes and how many were accepted, if any.
    pub(super) fn wrote(&mut self, waiting: usize, taken: Option<usize>, now: Tick) {
        self.buffered(waiting);
        if let Some(bytes) = taken {
            self.taken = self.taken.saturating_add(bytes as u64);
            self.taken_at = now;
        } else if !self.is_blocked {
            self.is_blocked = true;
            self.taken_at = now;
        }
    }

    /// Counts a large buffer.
    pub(super) fn buffered(&mut self, bytes: usize) {
        let all = CONNECTION_BYTES + bytes;
        if bytes > limits::SMALL_BUFFER && all > self.buffers.bytes() {
            self.buffers.set(all);
        }
    }

    /// Records that the write buffer is empty. Returns whether the client had kept it waiting.
    pub(super) fn flushed(&mut self) -> bool {
        !self.more_follows && std::mem::take(&mut self.is_blocked)
    }

    /// Whether the client has read nothing for too long.
    pub(super) fn is_stalled(&self, clock: &Clock) -> bool {
        self.is_blocked && clock.since(self.taken_at) >= clock::ticks(limits::STALL_MAX)
    }

    /// Whether the client reads more slowly than the minimum rate. A streamed response is slow when
    /// the client reads nothing.
    pub(super) fn is_slow(&self, clock: &Clock) -> bool {
        let grace = clock::ticks(limits::RATE_GRACE);
        self.is_blocked
            && match self.rate {
                Some(rate) => {
                    let time = clock.since(self.since).saturating_sub(grace);
                    self.taken < clock::bytes(rate, time)
                }
                None => clock.since(self.taken_at) > grace,
            }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::accounts::Accounts;

    /// Whether a client that read `taken` bytes in this many seconds is slow.
    fn is_slow(size: Option<u64>, seconds: u64, taken: usize) -> bool {
        let clock = Clock::default();
        let mut output = Output::new(&Accounts::for_test(160, 1).client("192.0.2.1"));
        output.begin(size, clock.now());
        output.wrote(1, None, clock.now());
        output.wrote(taken, Some(taken), clock.now());
        for _ in 0..clock::ticks(std::time::Duration::from_secs(seconds)) {
            clock.advance();
        }
        output.is_slow(&clock)
    }

    #[test]
    fn an_answer_is_slow_below_the_rate_of_its_size_in_thirty_seconds_and_of_16_kib() {
        let large = Some(8 << 20);
        assert!(!is_slow(large, 3, 0), "the first seconds do not count");
        assert!(is_slow(large, 4, 0));
        assert!(!is_slow(large, 33, 8 << 20));
        assert!(is_slow(large, 33, (8 << 20) - 100));
        assert!(is_slow(Some(100), 13, (160 << 10) - 1));
        assert!(!is_slow(Some(100), 13, 160 << 10));
        assert!(!is_slow(None, 3, 0) && is_slow(None, 4, 0));
    }

    #[test]
    fn a_client_that_has_accepted_the_whole_response_keeps_nothing_waiting() {
        let (clock, now) = (Clock::default(), 0);
        let mut output = Output::new(&Accounts::for_test(160, 1).client("192.0.2.1"));
        output.more_follows = true;
        output.wrote(1_000, None, now);
        assert!(!output.flushed());
        output.more_follows = false;
        output.wrote(1_000, Some(1_000), now);
        assert!(output.flushed());
        (0..1_000).for_each(|_| clock.advance());
        assert!(!output.is_stalled(&clock) && !output.is_slow(&clock));
    }
}
