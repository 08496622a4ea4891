//! Request state: the current request and the progress of its body.

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

/// Progress of the request body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Body {
    /// The request has none.
    Absent,
    /// Not requested by the handler yet.
    Unread,
    /// Requested by the handler, not arrived yet.
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
    pub(super) body: Body,
    /// Time spent waiting for the client, without that in which the server had no memory for more. While
    /// the body is awaited, the time since `awaited_since` is added.
    waited: Tick,
    awaited_since: Tick,
    /// Longest time to wait for the client.
    patience: Tick,
    /// The declared length of the body.
    pub(super) declared: Option<u64>,
    pub(super) read_bytes: u64,
    pub(super) payload: Payload,
    /// Whether the client waits for a 100 before sending the body.
    pub(super) expects_continue: bool,
    is_shortened: bool,
}

impl RequestState {
    pub(super) fn new() -> Self {
        Self {
            number: 0,
            body: Body::Absent,
            waited: 0,
            awaited_since: 0,
            patience: clock::ticks(limits::BODY_DEADLINE),
            declared: None,
            read_bytes: 0,
            payload: Payload::None,
            expects_continue: false,
            is_shortened: false,
        }
    }

    pub(super) fn begin(&mut self, length: Length) {
        let (body, declared) = match length {
            Length::None => (Body::Absent, None),
            Length::Declared(bytes) => (Body::Unread, Some(bytes)),
            Length::Chunked => (Body::Unread, None),
        };
        *self = Self { number: self.number.wrapping_add(1), body, declared, ..Self::new() };
    }

    pub(super) fn finish(&mut self) {
        // A handler that still holds the old body stream gets no more data, and the HTTP layer
        // discards the rest.
        self.number = self.number.wrapping_add(1);
        self.payload = Payload::None;
        self.read_bytes = 0;
    }

    /// Records that the server waits for more of the body.
    pub(super) fn wait(&mut self, now: Tick) {
        if self.body != Body::Awaited {
            self.body = Body::Awaited;
            self.awaited_since = now;
        }
    }

    /// Records that more of the body has arrived.
    pub(super) fn arrived(&mut self, bytes: usize, now: Tick) {
        self.waited = self.waited(now);
        self.read_bytes = self.read_bytes.saturating_add(bytes as u64);
        // The declared length marks the end, even if the stream does not know its length.
        let is_whole = self.declared.is_some_and(|length| self.read_bytes >= length);
        self.body = if is_whole { Body::Complete } else { Body::Begun };
    }

    /// How long the server has waited for the client.
    fn waited(&self, now: Tick) -> Tick {
        let more =
            if self.body == Body::Awaited { now.wrapping_sub(self.awaited_since) } else { 0 };
        self.waited.saturating_add(more)
    }

    /// Expires a body that takes too long. Returns whether it did.
    pub(super) fn check(&mut self, now: Tick) -> bool {
        let expired = self.body == Body::Awaited && self.waited(now) >= self.patience;
        if expired {
            self.body = Body::Expired;
        }
        expired
    }

    /// Whether to hold back the 100, because the handler has not requested the body yet.
    pub(super) fn holds_continue(&self) -> bool {
        self.expects_continue && self.body == Body::Unread
    }

    /// How far the body is behind the minimum rate.
    pub(super) fn behind(&self, now: Tick) -> Tick {
        let arrived = self.read_bytes / clock::bytes(limits::TAKEN_PER_SECOND_MIN, 1);
        self.waited(now).saturating_sub(Tick::try_from(arrived).unwrap_or(Tick::MAX))
    }

    /// Whether the body is awaited and has arrived below the minimum rate.
    pub(super) fn is_slow(&self, now: Tick) -> bool {
        self.body == Body::Awaited && self.behind(now) > clock::ticks(limits::RATE_GRACE)
    }

    /// Whether the handler is reading the body and more may arrive.
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

    /// Whether the rest of the body is short enough to wait for, so that the connection can be
    /// reused.
    pub(super) fn is_drainable(&self) -> bool {
        let bytes = self.declared.unwrap_or(0).max(self.read_bytes);
        let is_small = bytes <= limits::DRAIN_MAX;
        self.is_unread() && !self.is_expired() && is_small && !self.holds_continue()
    }

    /// Shortens the deadline for the rest of the body once the request is answered.
    pub(super) fn shorten_deadline(&mut self, now: Tick) {
        if !std::mem::replace(&mut self.is_shortened, true) {
            self.patience = self.waited(now).saturating_add(clock::ticks(limits::DRAIN_DEADLINE));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    /// A request whose body is awaited.
    fn awaited(bytes: u64, since: Tick) -> RequestState {
        let mut state = RequestState::new();
        state.begin(Length::Declared(bytes));
        state.wait(since);
        state
    }

    #[test]
    fn only_the_time_in_which_the_client_sends_nothing_counts_against_it() {
        let bytes = 64 << 10;
        let sends = limits::RATE_GRACE + Duration::from_secs(bytes / limits::TAKEN_PER_SECOND_MIN);
        let [sends, most] = [sends, limits::BODY_DEADLINE].map(clock::ticks);
        let mut state = awaited(1 << 20, 0);
        state.arrived(usize::try_from(bytes).unwrap(), 4);
        // The server has no memory for more.
        let waits = 10 * most;
        assert!(!state.is_slow(waits) && !state.check(waits));
        state.wait(waits);
        assert!(!state.is_slow(waits + sends - 4) && state.is_slow(waits + sends - 3));
        assert!(!state.check(waits + most - 5) && state.check(waits + most - 4));
    }

    #[test]
    fn the_deadline_of_an_answered_request_is_shortened_once() {
        let mut state = awaited(1, 0);
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
            state.begin(length);
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
                state.begin(Length::Declared(1));
                let now = begun.wrapping_add(passed);
                assert!(!state.check(now), "an unread body has no deadline");
                state.wait(begun);
                assert_eq!(state.check(now), expires, "{passed} ticks after {begun}");
                assert_eq!(state.is_expired(), expires);
            }
        }
    }
}
