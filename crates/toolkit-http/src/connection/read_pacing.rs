//! Backpressure: a connection is read no faster than its client takes answers, nor than is fair to
//! others.
//!
//! The HTTP layer would read 128 KiB and take all requests in them at once, whether or not it can
//! write their answers, and each takes kilobytes; and of a body in chunks of a byte it would make
//! twenty thousand pieces at a time.

use std::cell::Cell;

use crate::limits;

/// What a read may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Turn {
    /// Read.
    Take,
    /// Let others have their turn first.
    Yield,
    /// Wait until something has changed.
    Wait,
}

/// What was read of one connection.
#[derive(Default)]
pub(super) struct Flow {
    /// Bytes since others had their turn.
    burst: Cell<usize>,
    /// Bytes beyond the current request.
    ahead: Cell<usize>,
    /// Whether a read waits.
    waiting: Cell<bool>,
    /// Whether reading goes on at the next tick only.
    throttled: Cell<bool>,
}

impl Flow {
    /// A read between requests.
    pub(super) fn between_requests(&self, is_blocked: bool) -> Turn {
        if is_blocked {
            // The client takes the answers to its last requests first.
            return self.wait();
        }
        self.ahead.set(0);
        self.in_turn()
    }

    /// A read of what is asked for: a head or a body.
    pub(super) fn in_turn(&self) -> Turn {
        if self.throttled.get() {
            self.wait()
        } else if self.burst.get() >= limits::READ_BURST {
            self.burst.set(0);
            Turn::Yield
        } else {
            Turn::Take
        }
    }

    /// A read while nothing is asked for. It shows when the client leaves.
    pub(super) fn beyond_request(&self) -> Turn {
        if self.ahead.get() >= limits::READ_BURST {
            self.wait()
        } else {
            Turn::Take
        }
    }

    /// Puts a read off until [`resume`](Self::resume).
    pub(super) fn postpone(&self) {
        self.waiting.set(true);
    }

    fn wait(&self) -> Turn {
        self.waiting.set(true);
        Turn::Wait
    }

    /// Counts what was read.
    pub(super) fn read(&self, bytes: usize, is_ahead: bool) {
        self.burst.set(self.burst.get().saturating_add(bytes));
        if is_ahead {
            self.ahead.set(self.ahead.get().saturating_add(bytes));
        }
    }

    /// Says that there was no more to read, so that others have their turn.
    pub(super) fn dried_up(&self) {
        self.burst.set(0);
    }

    /// Lets reading wait for the next tick.
    pub(super) fn throttle(&self) {
        self.throttled.set(true);
    }

    /// Ends that; says whether a read waited for it.
    pub(super) fn unthrottle(&self) -> bool {
        self.throttled.take() && self.resume()
    }

    /// Says whether a read waited; from now on it need not.
    pub(super) fn resume(&self) -> bool {
        self.waiting.take()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_head_that_goes_on_takes_turns_with_others() {
        let flow = Flow::default();
        assert_eq!(flow.between_requests(false), Turn::Take);
        flow.read(limits::READ_BURST, false);
        assert_eq!(flow.in_turn(), Turn::Yield);
        assert_eq!(flow.in_turn(), Turn::Take);
        flow.read(limits::READ_BURST, false);
        flow.dried_up();
        assert_eq!(flow.in_turn(), Turn::Take);
    }

    #[test]
    fn requests_are_not_read_while_answers_wait_for_the_client() {
        let flow = Flow::default();
        assert_eq!(flow.between_requests(true), Turn::Wait);
        assert!(flow.resume());
        assert_eq!(flow.between_requests(false), Turn::Take);
        assert!(!flow.resume());
    }

    #[test]
    fn little_is_read_beyond_the_request_at_hand_until_it_is_answered() {
        let flow = Flow::default();
        flow.read(limits::READ_BURST - 1, true);
        assert_eq!(flow.beyond_request(), Turn::Take);
        flow.read(1, true);
        assert_eq!(flow.beyond_request(), Turn::Wait);
        flow.dried_up();
        assert_eq!(flow.between_requests(false), Turn::Take);
        assert_eq!(flow.beyond_request(), Turn::Take);
    }

    #[test]
    fn a_throttled_body_goes_on_at_the_tick() {
        let flow = Flow::default();
        flow.throttle();
        assert_eq!(flow.in_turn(), Turn::Wait);
        assert!(flow.unthrottle());
        assert_eq!(flow.in_turn(), Turn::Take);
        assert!(!flow.unthrottle());
    }
}
