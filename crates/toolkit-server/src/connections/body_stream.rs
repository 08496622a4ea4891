//! Body stream: the request body that a handler reads. Counts bytes and enforces the deadline.

use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll};

use actix_web::dev::Payload;
use actix_web::error::PayloadError;
use actix_web::web::Bytes;
use futures_core::Stream;

use super::connection::{Connection, End, Shared};
use super::request_state::Body;

/// The body of one request.
pub(super) struct BodyStream {
    connection: Shared,
    number: u32,
}

impl BodyStream {
    /// Wraps a body.
    pub(super) fn new(connection: &Shared, payload: Payload) -> Self {
        let request = &mut connection.borrow_mut().request;
        request.payload = payload;
        Self { connection: Rc::clone(connection), number: request.number }
    }
}

impl Stream for BodyStream {
    type Item = Result<Bytes, PayloadError>;

    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let mut connection = self.connection.borrow_mut();
        if self.number != connection.request.number {
            // The handler kept the stream after its request had ended.
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
                request.arrived(chunk.len(), self.clock.now());
                self.decoded(chunk.len());
            }
            // The body ended but the client did not, so the framing is invalid. The stream answers
            // 400, and a response from the handler would be a second one.
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
                request.wait(self.clock.now());
                self.resume();
            }
        }
        polled
    }
}
