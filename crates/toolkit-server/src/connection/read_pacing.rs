//! Backpressure: a connection is read no faster than its client reads the responses, and no faster
//! than is fair to other connections.
//!
//! The HTTP layer would read 128 KiB and accept all requests in them at once, whether or not it can
//! write the responses, at some kilobytes each; and it would split a body of one-byte chunks into
//! twenty thousand pieces at a time.

use std::cell::Cell;

use crate::limits;

/// Free bytes below which actix-http grows its read buffer.
const BUFFER_RESERVE: usize = 1 << 10;

/// Bytes of a buffer that may be filled completely. A buffer of at least twice this size either has
/// more free bytes or can be reused from its beginning, so it does not grow.
const BUFFER_SMALL: usize = 16 << 10;

/// Decision about a read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Turn {
    /// Read.
    Take,
    /// Let other connections read first.
    Yield,
    /// Wait until something has changed.
    Wait,
}

/// Read counters of one connection.
#[derive(Default)]
pub(super) struct Flow {
    /// Bytes since other connections could read.
    burst: Cell<usize>,
    /// Bytes beyond the current request.
    ahead: Cell<usize>,
    /// Whether a read is waiting.
    waiting: Cell<bool>,
    /// Whether reading is paused until the next tick.
    throttled: Cell<bool>,
}

impl Flow {
    /// A read between requests.
    pub(super) fn turn_between_requests(&self, is_blocked: bool) -> Turn {
        if is_blocked {
            // The client must first read the responses to its last requests.
            return self.wait();
        }
        self.ahead.set(0);
        self.turn()
    }

    /// A read of expected data: a head, or a body of unknown length.
    pub(super) fn turn(&self) -> Turn {
        self.turn_of(limits::READ_BURST)
    }

    /// A read of a body of declared length into a buffer with `free` bytes.
    pub(super) fn turn_of_body(&self, free: usize) -> Turn {
        if self.burst.get() > 0 && free <= BUFFER_RESERVE {
            // The buffer is emptied first, and then reused.
            self.burst.set(0);
            return Turn::Yield;
        }
        self.turn_of(limits::BODY_BURST)
    }

    /// Bytes that may be read at once into a buffer with `free` bytes; at least one, since an empty
    /// read would mean the end of the stream.
    pub(super) fn most(&self, free: usize) -> usize {
        let burst = self.burst.get();
        let left = limits::BODY_BURST.saturating_sub(burst);
        let is_small = burst.saturating_add(free) < BUFFER_SMALL;
        let room = if is_small {
            free
        } else {
            free.saturating_sub(BUFFER_RESERVE)
        };
        left.min(room).max(1)
    }

    fn turn_of(&self, burst: usize) -> Turn {
        if self.throttled.get() {
            self.wait()
        } else if self.burst.get() >= burst {
            self.burst.set(0);
            Turn::Yield
        } else {
            Turn::Take
        }
    }

    /// A read of unexpected data, which also detects that the client has left.
    pub(super) fn turn_beyond_request(&self) -> Turn {
        if self.ahead.get() >= limits::READ_BURST {
            self.wait()
        } else {
            Turn::Take
        }
    }

    /// Postpones a read until [`resume`](Self::resume).
    pub(super) fn postpone(&self) {
        self.waiting.set(true);
    }

    fn wait(&self) -> Turn {
        self.waiting.set(true);
        Turn::Wait
    }

    /// Counts bytes read.
    pub(super) fn read(&self, bytes: usize, is_ahead: bool) {
        self.burst.set(self.burst.get().saturating_add(bytes));
        if is_ahead {
            self.ahead.set(self.ahead.get().saturating_add(bytes));
        }
    }

    /// Records that there was no more to read, so that others could read.
    pub(super) fn drained(&self) {
        self.burst.set(0);
    }

    /// Pauses reading until the next tick.
    pub(super) fn throttle(&self) {
        self.throttled.set(true);
    }

    /// Ends the pause; returns whether a read was waiting.
    pub(super) fn unthrottle(&self) -> bool {
        self.throttled.take() && self.resume()
    }

    /// Clears the waiting flag; returns whether a read was waiting.
    pub(super) fn resume(&self) -> bool {
        self.waiting.take()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_head_takes_turns_with_other_connections() {
        let flow = Flow::default();
        assert_eq!(flow.turn_between_requests(false), Turn::Take);
        flow.read(limits::READ_BURST, false);
        assert_eq!(flow.turn(), Turn::Yield);
        assert_eq!(flow.turn(), Turn::Take);
        flow.read(limits::READ_BURST, false);
        flow.drained();
        assert_eq!(flow.turn(), Turn::Take);
    }

    #[test]
    fn a_body_of_declared_length_has_longer_turns() {
        let flow = Flow::default();
        let free = 64 << 10;
        flow.read(limits::BODY_BURST - 1, false);
        assert_eq!((flow.turn_of_body(free), flow.most(free)), (Turn::Take, 1));
        flow.read(1, false);
        assert_eq!(flow.turn_of_body(free), Turn::Yield);
        assert_eq!(flow.turn_of_body(free), Turn::Take);
        assert_eq!(flow.most(free), limits::BODY_BURST);
    }

    #[test]
    fn a_large_buffer_is_not_filled_and_does_not_grow() {
        let flow = Flow::default();
        let free = limits::BODY_BURST;
        assert_eq!(flow.most(free), free - BUFFER_RESERVE);
        flow.read(free - BUFFER_RESERVE, false);
        assert_eq!(flow.turn_of_body(BUFFER_RESERVE), Turn::Yield);
        // In the next turn the rest of the buffer is filled.
        assert_eq!(flow.turn_of_body(BUFFER_RESERVE), Turn::Take);
        assert_eq!(flow.most(BUFFER_RESERVE), BUFFER_RESERVE);
    }

    #[test]
    fn a_small_buffer_is_filled_and_grows() {
        let flow = Flow::default();
        assert_eq!(flow.most(8 << 10), 8 << 10);
        flow.read(8 << 10, false);
        assert_eq!(flow.most((8 << 10) - 1), (8 << 10) - 1);
        // The buffer has grown, and the rest of it is left free.
        assert_eq!(flow.most(8 << 10), (8 << 10) - BUFFER_RESERVE);
    }

    #[test]
    fn requests_are_not_read_while_answers_wait_for_the_client() {
        let flow = Flow::default();
        assert_eq!(flow.turn_between_requests(true), Turn::Wait);
        assert!(flow.resume());
        assert_eq!(flow.turn_between_requests(false), Turn::Take);
        assert!(!flow.resume());
    }

    #[test]
    fn little_is_read_beyond_the_request_at_hand_until_it_is_answered() {
        let flow = Flow::default();
        flow.read(limits::READ_BURST - 1, true);
        assert_eq!(flow.turn_beyond_request(), Turn::Take);
        flow.read(1, true);
        assert_eq!(flow.turn_beyond_request(), Turn::Wait);
        flow.drained();
        assert_eq!(flow.turn_between_requests(false), Turn::Take);
        assert_eq!(flow.turn_beyond_request(), Turn::Take);
    }

    #[test]
    fn a_throttled_body_continues_at_the_tick() {
        let flow = Flow::default();
        flow.throttle();
        assert_eq!(flow.turn(), Turn::Wait);
        assert!(flow.unthrottle());
        assert_eq!(flow.turn(), Turn::Take);
        assert!(!flow.unthrottle());
    }
}
