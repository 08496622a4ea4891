//! Output of a connection: what its client has not taken yet, and the memory that this takes.

use std::sync::Arc;

use super::deadlines::{self, Tick};
use super::{Account, CONNECTION_BYTES, Work};
use crate::limits;

/// A response that its client has not taken at once.
#[derive(Clone, Copy)]
struct Blocked {
    since: Tick,
    /// When bytes were taken last.
    taken_at: Tick,
    taken: u64,
}

/// What is written on a connection.
pub(crate) struct Output {
    blocked: Option<Blocked>,
    /// Whether more of the response follows what is being written.
    pub(super) more_follows: bool,
    /// Memory for the connection itself, with the largest write.
    buffers: Work,
    /// Bytes of the response that the client has not taken yet.
    unsent: usize,
}

impl Output {
    pub(super) fn new(account: &Arc<Account>) -> Self {
        Self {
            blocked: None,
            more_follows: false,
            buffers: account.work(CONNECTION_BYTES),
            unsent: 0,
        }
    }

    /// Whether bytes wait for the client.
    pub(super) fn is_blocked(&self) -> bool {
        self.blocked.is_some()
    }

    /// Records a write of `waiting` bytes, and how many of them were taken, if any were.
    pub(super) fn wrote(&mut self, waiting: usize, taken: Option<usize>, now: Tick) {
        self.buffered(waiting);
        if taken.is_some() && self.blocked.is_none() {
            return;
        }
        let blocked = self.blocked.get_or_insert(Blocked {
            since: now,
            taken_at: now,
            taken: 0,
        });
        if let Some(bytes) = taken {
            blocked.taken_at = now;
            blocked.taken = blocked.taken.saturating_add(bytes as u64);
        }
        self.owe(waiting - taken.unwrap_or(0));
    }

    /// Counts a large buffer: the HTTP layer keeps it. It is in the budget of the process alone,
    /// since an idle connection must not keep its client from anything.
    pub(super) fn buffered(&mut self, bytes: usize) {
        let all = CONNECTION_BYTES + bytes;
        if bytes > limits::SMALL_BUFFER && all > self.buffers.bytes {
            self.buffers = self.buffers.account.work(all);
        }
    }

    /// Counts what the client does not take, in its share alone: it is in the buffers.
    fn owe(&mut self, unsent: usize) {
        self.buffers.account.owe(self.unsent, unsent);
        self.unsent = unsent;
    }

    /// Records that the write buffer is empty; returns whether the client has taken a response that
    /// it had kept waiting.
    pub(super) fn flushed(&mut self) -> bool {
        if self.blocked.is_some() {
            self.owe(0);
        }
        !self.more_follows && self.blocked.take().is_some()
    }

    /// Whether the client takes its response too slowly, if any of it waits. A streamed one need not
    /// be taken at any rate.
    pub(super) fn is_stalled(&self, now: Tick, is_streamed: bool) -> Option<bool> {
        let blocked = self.blocked?;
        let silent = now.wrapping_sub(blocked.taken_at);
        if is_streamed {
            return Some(silent >= deadlines::ticks(limits::STREAM_STALL_MAX));
        }
        let longest = deadlines::ticks(limits::STALL_MAX);
        let age = now.wrapping_sub(blocked.since);
        let expected = deadlines::bytes(limits::TAKEN_PER_SECOND_MIN, age);
        Some(silent >= longest || (age >= longest && blocked.taken < expected))
    }
}

impl Drop for Output {
    fn drop(&mut self) {
        self.owe(0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_client_does_not_take_counts_as_held_until_it_is_taken() {
        let account = Account::unknown();
        let mut output = Output::new(&account);
        let held = || account.memory();
        output.wrote(1_000, Some(400), 0);
        assert_eq!(held(), 0);
        output.wrote(600, None, 0);
        assert_eq!(held(), 600);
        output.wrote(600, Some(100), 0);
        assert_eq!(held(), 500);
        output.wrote(500, Some(500), 0);
        output.flushed();
        assert_eq!(held(), 0);
    }

    #[test]
    fn a_client_that_accepts_little_at_a_time_has_one_deadline_for_the_response() {
        let expected = limits::TAKEN_PER_SECOND_MIN * limits::STALL_MAX.as_secs();
        let deadline = deadlines::ticks(limits::STALL_MAX);
        for (taken, is_stalled) in [(expected, false), (expected - 1, true)] {
            let mut output = Output::new(&Account::unknown());
            output.more_follows = true;
            output.wrote(1_000, None, 0);
            let taken = usize::try_from(taken).unwrap();
            output.wrote(taken, Some(taken), deadline - 1);
            assert!(!output.flushed());
            assert_eq!(output.is_stalled(deadline, false), Some(is_stalled));
        }
    }

    #[test]
    fn a_client_that_has_accepted_the_whole_response_is_not_stalled() {
        let mut output = Output::new(&Account::unknown());
        output.more_follows = true;
        output.wrote(1_000, None, 0);
        output.more_follows = false;
        output.wrote(1_000, Some(1_000), 0);
        assert!(output.flushed());
        let deadline = deadlines::ticks(limits::STALL_MAX);
        assert_eq!(output.is_stalled(deadline, false), None);
    }
}
