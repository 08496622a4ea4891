//! Exchange: one request and its response, which is written in pieces and accounted for until
//! written.
//!
//! actix-http copies each piece of a body into its write buffer. A body in one piece would be
//! copied whole, and the copy kept until the client has read all of it.

use std::future::poll_fn;
use std::pin::Pin;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::task::{Context, Poll, ready};

use actix_http::{ConnectionType, Payload, Request, Response};
use actix_web::body::{BodySize, BoxBody, MessageBody};
use actix_web::web::Bytes;
use actix_web::{HttpMessage as _, HttpRequest};

use super::body_stream::BodyStream;
use super::clock::Clock;
use super::connection::{Connection, End, Shared};
use super::request_state::Length;
use crate::accounts::{Account, UNKNOWN};
use crate::body;

/// Piece size. actix-http doubles its write buffer from 8 KiB as needed. With this size and
/// [`limits::WRITE_BURST`](crate::limits::WRITE_BURST) it reaches 64 KiB at most.
const PIECE: usize = 30 << 10;

/// Counts a result as its client's memory until it is written.
pub fn hold(request: &HttpRequest, result: impl Into<Vec<u8>>) -> Bytes {
    let mut result = result.into();
    if result.capacity() / 2 > result.len() {
        result.shrink_to_fit();
    }
    if let Some(connection) = Connection::of(request) {
        connection.borrow_mut().hold(result.len());
    }
    result.into()
}

/// The request on a connection, until its response is ready to be written.
pub(crate) struct Exchange {
    connection: Shared,
    clock: Rc<Clock>,
    is_upgrade: bool,
}

impl Exchange {
    /// Begins with a request head. The body will be read through the connection.
    pub(crate) fn begin(request: &mut Request) -> Self {
        let connection = request.conn_data::<Shared>();
        let connection = connection.expect("`on_connect_ext` has put it there").clone();
        let headers = request.headers();
        let declared = body::declared(headers).filter(|&bytes| bytes > 0);
        let length = if body::is_chunked(headers) {
            Length::Chunked
        } else {
            declared.map_or(Length::None, Length::Declared)
        };
        let client = client(request, &connection.borrow());
        let peer = Arc::clone(&connection.borrow().peer);
        let account = client.as_ref().map_or(peer, Arc::clone);
        request.extensions_mut().insert(account);
        connection.borrow_mut().begin_request(length, client);
        let clock = Rc::clone(&connection.borrow().clock);
        clock.state().in_flight_count().fetch_add(1, Relaxed);
        connection.borrow_mut().request.expects_continue = request.head().expect();
        if length != Length::None {
            let payload = request.take_payload();
            let payload = Box::pin(BodyStream::new(&connection, payload));
            *request.payload() = Payload::Stream { payload };
        }
        Self {
            clock,
            is_upgrade: request.head().connection_type() == ConnectionType::Upgrade,
            connection,
        }
    }

    /// Makes the connection reusable or closes it, and writes the response at its client's pace.
    pub(crate) async fn answer(self, mut response: Response<BoxBody>) -> Response<ChunkedWrite> {
        poll_fn(|cx| drain(&mut self.connection.borrow_mut(), cx)).await;
        let mut connection = self.connection.borrow_mut();
        if self.is_upgrade || self.clock.state().is_draining() || connection.request.is_unread() {
            let head = response.head_mut();
            head.set_connection_type(ConnectionType::Close);
        }
        let size = match response.body().size() {
            BodySize::None => Some(0),
            BodySize::Sized(bytes) => Some(bytes),
            BodySize::Stream => None,
        };
        connection.begin_answer(size);
        connection.output.more_follows = size.is_some_and(|bytes| bytes > 0);
        drop(connection);
        response.map_body(|_, body| ChunkedWrite {
            body,
            rest: Bytes::new(),
            connection: Rc::clone(&self.connection),
            streamed: size.is_none().then_some(self),
        })
    }
}

impl Drop for Exchange {
    fn drop(&mut self) {
        self.connection.borrow_mut().end_request();
        self.clock.state().in_flight_count().fetch_sub(1, Relaxed);
    }
}

/// Returns the account of the client behind a trusted proxy. The client is determined only here.
fn client(request: &Request, connection: &Connection) -> Option<Arc<Account>> {
    connection.is_proxy.then(|| {
        let accounts = connection.clock.state().accounts();
        let peer = request.peer_addr().map_or(UNKNOWN, |address| address.ip());
        let client = accounts.proxies().client(peer, request.headers());
        accounts.account(client)
    })
}

/// Waits for a small rest of the body, since a connection with unread bytes cannot be reused.
fn drain(connection: &mut Connection, cx: &mut Context<'_>) -> Poll<()> {
    while connection.request.is_drainable() {
        connection.request.shorten_deadline(connection.clock.now());
        match ready!(connection.poll_body(cx)) {
            Some(Ok(_)) => {}
            _ => break,
        }
    }
    Poll::Ready(())
}

/// A response body written in chunks. The memory held for the request is freed with it.
pub(crate) struct ChunkedWrite {
    body: BoxBody,
    /// Taken from the body but not yet written.
    rest: Bytes,
    connection: Shared,
    /// Ends the request of a streamed response when dropped.
    streamed: Option<Exchange>,
}

impl ChunkedWrite {
    fn piece(&mut self) -> Bytes {
        let connection = self.connection.borrow();
        // Once the input is over, actix-http only writes out its buffer.
        let is_last = self.streamed.is_some() || connection.is_input_over();
        // Don't copy what a stalled client will not read.
        let is_whole = is_last && connection.end() != Some(End::Stalled);
        let length = self.rest.len();
        self.rest.split_to(if is_whole { length } else { length.min(PIECE) })
    }
}

impl MessageBody for ChunkedWrite {
    type Error = Box<dyn std::error::Error>;

    fn size(&self) -> BodySize {
        self.body.size()
    }

    fn poll_next(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Bytes, Self::Error>>> {
        if self.rest.is_empty() {
            match ready!(Pin::new(&mut self.body).poll_next(cx)) {
                Some(Ok(bytes)) => self.rest = bytes,
                other => return Poll::Ready(other),
            }
        }
        Poll::Ready(Some(Ok(self.piece())))
    }
}

impl Drop for ChunkedWrite {
    fn drop(&mut self) {
        let mut connection = self.connection.borrow_mut();
        connection.output.more_follows = false;
        connection.held = None;
    }
}

#[cfg(test)]
mod tests {
    use actix_web::http::StatusCode;

    use super::*;
    use crate::connections::worker::Worker;

    async fn answer(connection: &Shared, body: &[u8]) -> Response<ChunkedWrite> {
        let exchange = Exchange {
            connection: Rc::clone(connection),
            clock: Rc::clone(&connection.borrow().clock),
            is_upgrade: false,
        };
        exchange.clock.state().in_flight_count().fetch_add(1, Relaxed);
        let body = BoxBody::new(body.to_vec());
        exchange.answer(Response::with_body(StatusCode::OK, body)).await
    }

    async fn pieces(bytes: usize, connection: &Shared) -> Vec<usize> {
        let whole: Vec<u8> = (0..=250).cycle().take(bytes).collect();
        let mut body = answer(connection, &whole).await.into_body();
        assert_eq!(body.size(), BodySize::Sized(bytes as u64));
        let (mut written, mut lengths) = (Vec::new(), Vec::new());
        while let Some(Ok(piece)) = poll_fn(|cx| std::pin::pin!(&mut body).poll_next(cx)).await {
            written.extend_from_slice(&piece);
            lengths.push(piece.len());
        }
        assert!(written == whole, "a body of {bytes} bytes was changed");
        lengths
    }

    fn connection() -> Shared {
        Worker::default().accept([127, 0, 0, 1].into()).unwrap()
    }

    #[actix_web::test]
    async fn a_body_is_written_in_pieces_unless_the_client_has_ended_its_side() {
        let connection = connection();
        assert_eq!(pieces(1, &connection).await, [1]);
        assert_eq!(pieces(2 * PIECE + 1, &connection).await, [PIECE, PIECE, 1]);
        connection.borrow_mut().received(0);
        assert_eq!(pieces(2 * PIECE + 1, &connection).await, [2 * PIECE + 1]);
        connection.borrow_mut().end_with(End::Stalled);
        assert_eq!(pieces(2 * PIECE + 1, &connection).await, [PIECE, PIECE, 1]);
    }

    #[actix_web::test]
    async fn a_result_is_held_until_its_response_is_dropped() {
        let connection = connection();
        let account = Arc::clone(&connection.borrow().peer);
        let idle = account.memory();
        let held = || account.memory() - idle;
        connection.borrow_mut().hold(5);
        connection.borrow_mut().hold(7);
        assert_eq!(held(), 7, "the body is no longer held");
        let response = answer(&connection, b"a result").await;
        assert_eq!(held(), 7);
        drop(response);
        assert_eq!(held(), 0);
        connection.borrow_mut().hold(5);
        drop(answer(&connection, b"").await);
        assert_eq!(held(), 0, "a response without a body");
    }
}
