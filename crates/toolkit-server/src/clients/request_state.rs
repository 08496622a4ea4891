//! Request state: the request on a connection, and the progress of its body.

use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll};

use actix_web::HttpRequest;
use actix_web::dev::Payload;
use actix_web::error::PayloadError;
use actix_web::web::Bytes;
use futures_core::Stream;

use super::connection::{Connection, End, Shared};
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
    number: u32,
    deadline: Tick,
    body: Body,
    /// The declared length of the body.
    pub(super) declared: Option<u64>,
    read_bytes: u64,
    payload: Payload,
    /// Whether the client waits for a 100 before it sends its body.
    pub(super) expects_continue: bool,
    is_shortened: bool,
    /// Whether its handler waits for others, such as a model.
    pub(super) waits: bool,
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
            waits: false,
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
            deadline: now.wrapping_add(deadlines::ticks(limits::BODY_DEADLINE)),
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

    /// Whether the body, or something else than work of this process, is being waited for.
    pub(crate) fn is_awaited(&self) -> bool {
        self.body == Body::Awaited || self.waits
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
            self.deadline = now.wrapping_add(deadlines::ticks(limits::DRAIN_DEADLINE));
        }
    }
}

/// The body stream given to the handler: counts bytes, and ends when the body takes too long.
pub(super) struct BodyStream {
    connection: Shared,
    number: u32,
}

impl BodyStream {
    /// Wraps a body.
    pub(super) fn new(connection: &Shared, payload: Payload) -> Self {
        let request = &mut connection.borrow_mut().request;
        request.payload = payload;
        Self {
            connection: Rc::clone(connection),
            number: request.number,
        }
    }
}

impl Stream for BodyStream {
    type Item = Result<Bytes, PayloadError>;

    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let mut connection = self.connection.borrow_mut();
        if self.number != connection.request.number {
            // The handler kept the stream beyond its request.
            return Poll::Ready(Some(Err(PayloadError::Incomplete(None))));
        }
        connection.poll_body(cx)
    }
}

impl Connection {
    /// Continues reading the body of the current request.
    pub(super) fn poll_body(
        &mut self,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Bytes, PayloadError>>> {
        let is_input_over = self.is_input_over();
        let request = &mut self.request;
        if request.body == Body::Complete {
            return Poll::Ready(None);
        }
        let polled = Pin::new(&mut request.payload).poll_next(cx);
        match &polled {
            Poll::Ready(Some(Ok(chunk))) => {
                request.read_bytes = request.read_bytes.saturating_add(chunk.len() as u64);
                // A declared length is the end, also of a stream that does not know its own length.
                let is_whole = |length| request.read_bytes >= length;
                request.body = if request.declared.is_some_and(is_whole) {
                    Body::Complete
                } else {
                    Body::Begun
                };
                self.decoded(chunk.len());
            }
            // The body ended before the client did: the framing is invalid. The stream answers that
            // with a 400. A response of the handler before it would be one too many.
            Poll::Ready(Some(Err(_))) if !is_input_over => {
                self.end_with(End::Malformed);
                return Poll::Pending;
            }
            Poll::Ready(Some(Err(_))) => {}
            Poll::Ready(None) => request.body = Body::Complete,
            Poll::Pending if request.is_expired() => {
                let error = std::io::Error::from(std::io::ErrorKind::TimedOut);
                return Poll::Ready(Some(Err(PayloadError::Io(error))));
            }
            Poll::Pending => {
                request.body = Body::Awaited;
                self.resume();
            }
        }
        polled
    }
}

/// A request that waits for others than this process: it is not in progress, and keeps no other
/// request out. Dropped when its work begins.
pub struct Waiting(Option<Shared>);

impl Waiting {
    /// The request waits from now on.
    pub fn begin(request: &HttpRequest) -> Self {
        let connection = Connection::of(request);
        if let Some(connection) = &connection {
            connection.borrow_mut().request.waits = true;
        }
        Self(connection)
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        if let Some(connection) = &self.0 {
            connection.borrow_mut().request.waits = false;
        }
    }
}

#[cfg(test)]
impl RequestState {
    pub(super) fn await_body(&mut self) {
        self.body = Body::Awaited;
    }

    pub(super) fn complete_body(&mut self) {
        self.body = Body::Complete;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_deadline_of_an_answered_request_is_shortened_once() {
        let mut state = RequestState::new();
        state.begin(0, Length::Declared(1));
        state.body = Body::Awaited;
        let time = deadlines::ticks(limits::DRAIN_DEADLINE);
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
        let time = deadlines::ticks(limits::BODY_DEADLINE);
        for begun in [0, 1_000, Tick::MAX - 1, Tick::MAX - time] {
            for (passed, expires) in [
                (0, false),
                (time - 1, false),
                (time, true),
                (time + 9, true),
            ] {
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
