//! Request state: the request on a connection, and the progress of its body.

use actix_web::dev::Payload;

use super::clock::{self, Tick};
use crate::limits;

/// Declared length of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Length {
    /// No body.
    None,
    /// This many bytes.
    Declared(u64),
    /// Chunked: unknown until the end.
    Chunked,
}

/// Progress of the body of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Body {
    /// The request has none.
    Absent,
    /// Not requested by the handler yet.
    Unread,
    /// Requested, and waited for.
    Awaited,
    /// Partly read.
    Begun,
    /// Read completely.
    Complete,
    /// Timed out.
    Expired,
}

/// The current request.
pub(crate) struct RequestState {
    pub(super) number: u32,
    deadline: Tick,
    pub(super) body: Body,
    /// The declared length of the body.
    pub(super) declared: Option<u64>,
    pub(super) read_bytes: u64,
    pub(super) payload: Payload,
    /// Whether the client waits for a 100 before it sends its body.
    pub(super) expects_continue: bool,
    is_shortened: bool,
}

impl RequestState {
    pub(super) fn new() -> Self {
        Self {
            number: 0,
            deadline: 0,
            body: Body::Absent,
            declared: None,
            read_bytes: 0,
            payload: Payload::None,
            expects_continue: false,
            is_shortened: false,
        }
    }

    pub(super) fn begin(&mut self, now: Tick, length: Length) {
        let (body, declared) = match length {
            Length::None => (Body::Absent, None),
            Length::Declared(bytes) => (Body::Unread, Some(bytes)),
            Length::Chunked => (Body::Unread, None),
        };
        *self = Self {
            number: self.number.wrapping_add(1),
            deadline: now.wrapping_add(clock::ticks(limits::BODY_DEADLINE)),
            body,
            declared,
            ..Self::new()
        };
    }

    pub(super) fn finish(&mut self) {
        // A handler that still holds the body stream gets no more data from it, and the HTTP layer
        // discards the rest of the body.
        self.number = self.number.wrapping_add(1);
        self.payload = Payload::None;
        self.read_bytes = 0;
    }

    /// Ends the wait for a body that takes too long; returns whether it did.
    pub(super) fn check(&mut self, now: Tick) -> bool {
        // The tick counter may wrap around.
        let passed = now.wrapping_sub(self.deadline) < Tick::MAX / 2;
        let expired = passed && self.body == Body::Awaited;
        if expired {
            self.body = Body::Expired;
        }
        expired
    }

    /// Whether to hold a 100 back: nobody has requested the body yet.
    pub(super) fn holds_continue(&self) -> bool {
        self.expects_continue && self.body == Body::Unread
    }

    /// Whether the body is still arriving, and slower than at a rate that is never cut.
    pub(super) fn is_slow(&self, age: Tick) -> bool {
        let time = age.saturating_sub(clock::ticks(limits::RATE_GRACE));
        self.is_wanted() && self.read_bytes < clock::bytes(limits::TAKEN_PER_SECOND_MIN, time)
    }

    /// Whether the body is being read and may continue.
    pub(super) fn is_wanted(&self) -> bool {
        matches!(self.body, Body::Awaited | Body::Begun)
    }

    /// Whether the body timed out.
    pub(crate) fn is_expired(&self) -> bool {
        self.body == Body::Expired
    }

    /// Whether part of the body is unread.
    pub(super) fn is_unread(&self) -> bool {
        !matches!(self.body, Body::Absent | Body::Complete)
    }

    /// Whether to wait for the rest of the body, so that the connection can be kept.
    pub(super) fn is_drainable(&self) -> bool {
        let bytes = self.declared.unwrap_or(0).max(self.read_bytes);
        let is_small = bytes <= limits::DRAIN_MAX;
        self.is_unread() && !self.is_expired() && is_small && !self.holds_continue()
    }

    /// Shortens the deadline of the rest of the body: its request is answered.
    pub(super) fn shorten_deadline(&mut self, now: Tick) {
        if !std::mem::replace(&mut self.is_shortened, true) {
            self.deadline = now.wrapping_add(clock::ticks(limits::DRAIN_DEADLINE));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    impl RequestState {
        pub(in crate::connections) fn await_body(&mut self) {
            self.body = Body::Awaited;
        }
    }

    #[test]
    fn the_deadline_of_an_answered_request_is_shortened_once() {
        let mut state = RequestState::new();
        state.begin(0, Length::Declared(1));
        state.body = Body::Awaited;
        let time = clock::ticks(limits::DRAIN_DEADLINE);
        state.shorten_deadline(1);
        state.shorten_deadline(5);
        assert!(!state.check(time));
        assert!(state.check(time + 1));
    }

    #[test]
    fn a_small_unread_body_that_arrives_is_drained_and_no_other() {
        let drainable = |length, body, expects_continue, read_bytes| {
            let mut state = RequestState::new();
            state.begin(0, length);
            state.body = body;
            state.expects_continue = expects_continue;
            state.read_bytes = read_bytes;
            state.is_drainable()
        };
        let (small, large) = (limits::DRAIN_MAX, limits::DRAIN_MAX + 1);
        let declared = Length::Declared;
        assert!(drainable(declared(small), Body::Unread, false, 0));
        assert!(drainable(declared(small), Body::Begun, true, 1));
        assert!(drainable(Length::Chunked, Body::Begun, false, small));
        assert!(!drainable(declared(large), Body::Unread, false, 0));
        assert!(!drainable(Length::Chunked, Body::Begun, false, large));
        assert!(!drainable(declared(small), Body::Unread, true, 0));
        assert!(!drainable(declared(small), Body::Expired, false, 0));
        assert!(!drainable(declared(small), Body::Complete, false, small));
        assert!(!drainable(Length::None, Body::Absent, false, 0));
    }

    #[test]
    fn a_body_that_is_waited_for_expires_at_its_deadline_or_at_any_later_tick() {
        let time = clock::ticks(limits::BODY_DEADLINE);
        for begun in [0, 1_000, Tick::MAX - 1, Tick::MAX - time] {
            for (passed, expires) in [(0, false), (time - 1, false), (time, true), (time + 9, true)]
            {
                let mut state = RequestState::new();
                state.begin(begun, Length::Declared(1));
                let now = begun.wrapping_add(passed);
                assert!(!state.check(now), "nobody waits for it");
                state.body = Body::Awaited;
                assert_eq!(state.check(now), expires, "{passed} ticks after {begun}");
                assert_eq!(state.is_expired(), expires);
            }
        }
    }
}
