//! Request state: the request on a connection, and the progress of its body.

use std::cell::{Cell, RefCell};
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll};

use actix_web::dev::Payload;
use actix_web::error::PayloadError;
use actix_web::web::Bytes;
use futures_core::Stream;

use super::connection::{Connection, End};
use super::deadlines::{self, Tick};
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
enum Body {
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
    number: Cell<u32>,
    deadline: Cell<Tick>,
    body: Cell<Body>,
    /// The declared length of the body.
    pub(super) declared: Cell<Option<u64>>,
    read_bytes: Cell<u64>,
    payload: RefCell<Payload>,
    /// Whether the client waits for a 100 before it sends its body.
    pub(crate) expects_continue: Cell<bool>,
    is_shortened: Cell<bool>,
    /// Whether its handler waits for others, such as a model.
    pub(super) waits: Cell<bool>,
}

impl RequestState {
    pub(super) fn new() -> Self {
        Self {
            number: Cell::new(0),
            deadline: Cell::new(0),
            body: Cell::new(Body::Absent),
            declared: Cell::new(None),
            read_bytes: Cell::new(0),
            payload: RefCell::new(Payload::None),
            expects_continue: Cell::new(false),
            is_shortened: Cell::new(false),
            waits: Cell::new(false),
        }
    }

    pub(super) fn begin(&self, now: Tick, length: Length) {
        self.number.set(self.number.get().wrapping_add(1));
        self.deadline
            .set(now.wrapping_add(deadlines::ticks(limits::BODY_DEADLINE)));
        self.is_shortened.set(false);
        self.expects_continue.set(false);
        let (body, declared) = match length {
            Length::None => (Body::Absent, None),
            Length::Declared(bytes) => (Body::Unread, Some(bytes)),
            Length::Chunked => (Body::Unread, None),
        };
        self.body.set(body);
        self.declared.set(declared);
        self.read_bytes.set(0);
    }

    pub(super) fn finish(&self) {
        // A handler that still holds the body stream gets no more data from it.
        self.number.set(self.number.get().wrapping_add(1));
        if !matches!(*self.payload.borrow(), Payload::None) {
            // The HTTP layer discards the rest of the body.
            self.payload.replace(Payload::None);
        }
    }

    /// Ends the wait for a body that takes too long; returns whether it did.
    pub(super) fn check(&self, now: Tick) -> bool {
        // The tick counter may wrap around.
        let passed = now.wrapping_sub(self.deadline.get()) < Tick::MAX / 2;
        let expired = passed && self.body.get() == Body::Awaited;
        if expired {
            self.body.set(Body::Expired);
        }
        expired
    }

    /// Whether to hold a 100 back: nobody has requested the body yet.
    pub(super) fn holds_continue(&self) -> bool {
        self.expects_continue.get() && self.body.get() == Body::Unread
    }

    /// Whether the body, or something else than work of this process, is being waited for.
    pub(crate) fn is_awaited(&self) -> bool {
        self.body.get() == Body::Awaited || self.waits.get()
    }

    /// Whether the body is being read and may continue.
    pub(super) fn is_wanted(&self) -> bool {
        matches!(self.body.get(), Body::Awaited | Body::Begun)
    }

    /// Whether the body timed out.
    pub(crate) fn is_expired(&self) -> bool {
        self.body.get() == Body::Expired
    }

    /// Whether part of the body is unread.
    pub(crate) fn is_unread(&self) -> bool {
        !matches!(self.body.get(), Body::Absent | Body::Complete)
    }

    /// Whether to wait for the rest of the body, so that the connection can be kept.
    pub(crate) fn is_drainable(&self) -> bool {
        let bytes = self.declared.get().unwrap_or(0).max(self.read_bytes.get());
        let small = bytes <= limits::DRAIN_MAX;
        let waits = self.expects_continue.get() && self.body.get() == Body::Unread;
        self.is_unread() && !self.is_expired() && small && !waits
    }

    /// Shortens the deadline of the rest of the body: its request is answered.
    pub(super) fn shorten_deadline(&self, now: Tick) {
        if !self.is_shortened.replace(true) {
            self.deadline
                .set(now.wrapping_add(deadlines::ticks(limits::DRAIN_DEADLINE)));
        }
    }
}

/// The body stream given to the handler: counts bytes, and ends when the body takes too long.
pub(crate) struct BodyStream {
    connection: Rc<Connection>,
    number: u32,
}

impl BodyStream {
    /// Wraps a body.
    pub(crate) fn new(connection: &Rc<Connection>, payload: Payload) -> Self {
        connection.exchange.payload.replace(payload);
        let number = connection.exchange.number.get();
        Self {
            connection: Rc::clone(connection),
            number,
        }
    }
}

impl Stream for BodyStream {
    type Item = Result<Bytes, PayloadError>;

    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        if self.number != self.connection.exchange.number.get() {
            // The handler kept the stream beyond its request.
            return Poll::Ready(Some(Err(PayloadError::Incomplete(None))));
        }
        self.connection.poll_body(cx)
    }
}

impl Connection {
    /// Continues reading the body of the current request.
    pub(crate) fn poll_body(
        &self,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Bytes, PayloadError>>> {
        let RequestState {
            body,
            declared,
            read_bytes,
            payload,
            ..
        } = &self.exchange;
        let polled = Pin::new(&mut *payload.borrow_mut()).poll_next(cx);
        match &polled {
            Poll::Ready(Some(Ok(chunk))) => {
                read_bytes.set(read_bytes.get().saturating_add(chunk.len() as u64));
                // A declared length is the end, also of a stream that does not know its own length.
                let whole = declared
                    .get()
                    .is_some_and(|length| read_bytes.get() >= length);
                body.set(if whole { Body::Complete } else { Body::Begun });
                self.decoded(chunk.len());
            }
            // The body ended before the client did: the framing is invalid. The stream answers that
            // with a 400. A response of the handler before it would be one too many.
            Poll::Ready(Some(Err(_))) if !self.is_input_over() => {
                self.end_with(End::Malformed);
                return Poll::Pending;
            }
            Poll::Ready(Some(Err(_))) => {}
            Poll::Ready(None) => body.set(Body::Complete),
            Poll::Pending if body.get() == Body::Expired => {
                let error = std::io::Error::from(std::io::ErrorKind::TimedOut);
                return Poll::Ready(Some(Err(PayloadError::Io(error))));
            }
            Poll::Pending => {
                body.set(Body::Awaited);
                self.resume();
            }
        }
        polled
    }
}

#[cfg(test)]
impl RequestState {
    pub(super) fn await_body(&self) {
        self.body.set(Body::Awaited);
    }

    pub(super) fn complete_body(&self) {
        self.body.set(Body::Complete);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_deadline_of_an_answered_request_is_shortened_once() {
        let state = RequestState::new();
        state.begin(0, Length::Declared(1));
        state.body.set(Body::Awaited);
        let time = deadlines::ticks(limits::DRAIN_DEADLINE);
        state.shorten_deadline(1);
        state.shorten_deadline(5);
        assert!(!state.check(time));
        assert!(state.check(time + 1));
    }

    #[test]
    fn a_small_unread_body_that_arrives_is_drained_and_no_other() {
        let drainable = |length, body, expects_continue, read_bytes| {
            let state = RequestState::new();
            state.begin(0, length);
            state.body.set(body);
            state.expects_continue.set(expects_continue);
            state.read_bytes.set(read_bytes);
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
        let time = deadlines::ticks(limits::BODY_DEADLINE);
        for begun in [0, 1_000, Tick::MAX - 1, Tick::MAX - time] {
            for (passed, expires) in [
                (0, false),
                (time - 1, false),
                (time, true),
                (time + 9, true),
            ] {
                let state = RequestState::new();
                state.begin(begun, Length::Declared(1));
                let now = begun.wrapping_add(passed);
                assert!(!state.check(now), "nobody waits for it");
                state.body.set(Body::Awaited);
                assert_eq!(state.check(now), expires, "{passed} ticks after {begun}");
                assert_eq!(state.is_expired(), expires);
            }
        }
    }
}
