//! Request state: the request on a connection, its name, its tool, and the progress of its body.

use std::cell::{Cell, RefCell};
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll};

use actix_web::dev::Payload;
use actix_web::error::PayloadError;
use actix_web::web::Bytes;
use futures_core::Stream;

use super::deadlines::{self, Tick};
use super::{Connection, End};
use crate::limits;
use crate::request_id::RequestId;

/// What a request says about the length of its body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Length {
    /// There is none.
    None,
    /// So many bytes.
    Declared(u64),
    /// It comes in chunks, so its end is open.
    Chunked,
}

/// How far the body of a request has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Body {
    /// The request has none.
    Absent,
    /// Nobody has asked for it.
    Unread,
    /// It was asked for, and is awaited.
    Awaited,
    /// Some of it was read.
    Begun,
    /// All of it was read.
    Complete,
    /// It took too long.
    Expired,
}

/// The current request.
pub(crate) struct RequestState {
    number: Cell<u32>,
    deadline: Cell<Tick>,
    id: Cell<RequestId>,
    route: Cell<Option<&'static str>>,
    tool: Cell<Option<&'static str>>,
    stream_status: Cell<Option<u16>>,
    body: Cell<Body>,
    declared: Cell<Option<u64>>,
    read_bytes: Cell<u64>,
    /// Pieces that the body came in.
    pieces: Cell<u64>,
    payload: RefCell<Payload>,
    expects_continue: Cell<bool>,
    hurried: Cell<bool>,
}

impl RequestState {
    pub(super) fn new() -> Self {
        Self {
            number: Cell::new(0),
            deadline: Cell::new(0),
            id: Cell::new(RequestId::NONE),
            route: Cell::new(None),
            tool: Cell::new(None),
            stream_status: Cell::new(None),
            body: Cell::new(Body::Absent),
            declared: Cell::new(None),
            read_bytes: Cell::new(0),
            pieces: Cell::new(0),
            payload: RefCell::new(Payload::None),
            expects_continue: Cell::new(false),
            hurried: Cell::new(false),
        }
    }

    pub(super) fn begin(&self, now: Tick, length: Length) {
        self.number.set(self.number.get().wrapping_add(1));
        self.deadline
            .set(now.wrapping_add(deadlines::ticks(limits::BODY_DEADLINE)));
        self.hurried.set(false);
        self.expects_continue.set(false);
        self.route.set(None);
        self.tool.set(None);
        self.stream_status.set(None);
        self.body.set(if length == Length::None {
            Body::Absent
        } else {
            Body::Unread
        });
        self.declared.set(if let Length::Declared(bytes) = length {
            Some(bytes)
        } else {
            None
        });
        self.read_bytes.set(0);
        self.pieces.set(0);
    }

    pub(super) fn finish(&self) {
        // Whoever still holds the stream of the body gets no more out of it.
        self.number.set(self.number.get().wrapping_add(1));
        if !matches!(*self.payload.borrow(), Payload::None) {
            // What is left of the body is for the HTTP layer to discard.
            self.payload.replace(Payload::None);
        }
    }

    /// Ends the wait for a body that takes too long; says whether it did.
    pub(super) fn check(&self, now: Tick) -> bool {
        // The clock may go round.
        let passed = now.wrapping_sub(self.deadline.get()) < Tick::MAX / 2;
        let expired = passed && self.is_awaited();
        if expired {
            self.body.set(Body::Expired);
        }
        expired
    }

    /// The name of the request.
    pub(crate) fn id(&self) -> RequestId {
        self.id.get()
    }

    /// Names the request.
    pub(crate) fn set_id(&self, id: RequestId) {
        self.id.set(id);
    }

    /// The route of the request, where its handler has named it.
    pub(crate) fn route(&self) -> Option<&'static str> {
        self.route.get()
    }

    /// Names the route of the request.
    pub(crate) fn set_route(&self, route: &'static str) {
        self.route.set(Some(route));
    }

    /// The tool that the request ran.
    pub(crate) fn tool(&self) -> Option<&'static str> {
        self.tool.get()
    }

    /// Says which tool the request runs.
    pub(crate) fn set_tool(&self, tool: &'static str) {
        self.tool.set(Some(tool));
    }

    /// The status with which a streamed answer ended, if another than the one at its head.
    pub(crate) fn stream_status(&self) -> Option<u16> {
        self.stream_status.get()
    }

    /// Says with which status a streamed answer ends.
    pub(crate) fn set_stream_status(&self, status: u16) {
        self.stream_status.set(Some(status));
    }

    /// Says that the client waits for a 100 before it sends its body.
    pub(crate) fn expect_continue(&self) {
        self.expects_continue.set(true);
    }

    /// Whether a 100 should be held back: nobody wants the body so far.
    pub(super) fn holds_continue(&self) -> bool {
        self.expects_continue.get() && self.body.get() == Body::Unread
    }

    /// Whether the body is being waited for.
    pub(crate) fn is_awaited(&self) -> bool {
        self.body.get() == Body::Awaited
    }

    /// Whether somebody reads the body, and there may be more of it.
    pub(super) fn is_wanted(&self) -> bool {
        matches!(self.body.get(), Body::Awaited | Body::Begun)
    }

    /// Whether the body comes in more pieces than its length is worth.
    pub(super) fn is_fragmented(&self) -> bool {
        let fair = limits::PIECES_FREE + self.read_bytes.get() / limits::PIECE_BYTES;
        self.pieces.get() > fair
    }

    /// Whether the body took too long.
    pub(crate) fn is_expired(&self) -> bool {
        self.body.get() == Body::Expired
    }

    /// Whether some of the body has not been read.
    pub(crate) fn is_unread(&self) -> bool {
        !matches!(self.body.get(), Body::Absent | Body::Complete)
    }

    /// Whether a rest of the body may be worth waiting for, so that the connection lives on.
    pub(crate) fn is_drainable(&self) -> bool {
        let bytes = self.declared.get().unwrap_or(0).max(self.read_bytes.get());
        let small = bytes <= limits::DRAIN_MAX;
        let waits = self.expects_continue.get() && self.body.get() == Body::Unread;
        self.is_unread() && !self.is_expired() && small && !waits
    }

    /// The length that the request declared.
    pub(super) fn declared(&self) -> Option<u64> {
        self.declared.get()
    }

    /// Gives the rest of the body little time: its request is answered.
    pub(super) fn hurry(&self, now: Tick) {
        if !self.hurried.replace(true) {
            self.deadline
                .set(now.wrapping_add(deadlines::ticks(limits::DRAIN_DEADLINE)));
        }
    }
}

/// The body of a request as its handler reads it: it counts, and it ends when it takes too long.
pub(crate) struct BodyStream {
    connection: Rc<Connection>,
    number: u32,
}

impl BodyStream {
    /// Puts itself before a body.
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
            // The handler kept it beyond its request.
            return Poll::Ready(Some(Err(PayloadError::Incomplete(None))));
        }
        self.connection.poll_body(cx)
    }
}

impl Connection {
    /// Reads on in the body of the current request.
    pub(crate) fn poll_body(
        &self,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Bytes, PayloadError>>> {
        let RequestState {
            body,
            declared,
            read_bytes,
            pieces,
            payload,
            ..
        } = &self.exchange;
        let polled = Pin::new(&mut *payload.borrow_mut()).poll_next(cx);
        match &polled {
            Poll::Ready(Some(Ok(chunk))) => {
                read_bytes.set(read_bytes.get().saturating_add(chunk.len() as u64));
                pieces.set(pieces.get().saturating_add(1));
                // A declared length is the end, also of a stream that does not know its own.
                let whole = declared
                    .get()
                    .is_some_and(|length| read_bytes.get() >= length);
                body.set(if whole { Body::Complete } else { Body::Begun });
                self.decoded(chunk.len());
            }
            // The body ended, yet its client did not: the framing is broken. That is answered with
            // a 400 by the wire. An answer of the handler before it would be one too many.
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
