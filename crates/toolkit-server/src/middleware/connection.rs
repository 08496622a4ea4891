//! Layer of the connection: tells it where a request begins and ends, so that it can apply its
//! deadlines, and leaves it reusable, or closes it.

use std::future::poll_fn;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, ready};

use actix_web::body::{BodySize, BoxBody, MessageBody};
use actix_web::dev::{Payload, ServiceRequest, ServiceResponse};
use actix_web::http::ConnectionType;
use actix_web::middleware::Next;
use actix_web::web::Bytes;
use actix_web::{Error, HttpMessage as _};

use super::amend;
use crate::body;
use crate::clients::{BodyStream, Connection, Length};

pub(super) async fn follow(
    mut request: ServiceRequest,
    next: Next<BoxBody>,
) -> Result<ServiceResponse, Error> {
    let is_upgrade = request.head().connection_type() == ConnectionType::Upgrade;
    let current = Current::begin(&mut request);
    let connection = &current.0;
    let outcome = next.call(request).await;
    poll_fn(|cx| drain(connection, cx)).await;
    let closes = is_upgrade || connection.watch.is_draining() || connection.exchange.is_unread();
    let outcome = amend(outcome, move |response| {
        if closes {
            let head = response.head_mut();
            head.set_connection_type(ConnectionType::Close);
        }
    });
    let response = outcome?;
    if response.response().body().size() != BodySize::Stream {
        return Ok(response);
    }
    connection.begin_answer();
    Ok(response.map_body(|_, body| {
        BoxBody::new(Streamed {
            body,
            _current: current,
        })
    }))
}

/// Waits for a small rest of the body: a connection with unread bytes cannot be reused.
fn drain(connection: &Connection, cx: &mut Context<'_>) -> Poll<()> {
    if connection.exchange.is_drainable() {
        connection.shorten_deadline();
    }
    while connection.exchange.is_drainable() {
        match ready!(connection.poll_body(cx)) {
            Some(Ok(_)) => {}
            _ => break,
        }
    }
    Poll::Ready(())
}

/// The request on a connection; dropped at its end.
struct Current(Rc<Connection>);

impl Current {
    fn begin(request: &mut ServiceRequest) -> Self {
        let connection = Connection::of(request.request()).unwrap_or_else(|| {
            let connection = Connection::detached();
            request.extensions_mut().insert(Rc::clone(&connection));
            connection
        });
        let headers = request.headers();
        let length = if body::is_chunked(headers) {
            Length::Chunked
        } else {
            let declared = body::declared(headers).filter(|&bytes| bytes > 0);
            declared.map_or(Length::None, Length::Declared)
        };
        connection.begin_request(length);
        if request.head().expect() {
            connection.exchange.expects_continue.set(true);
        }
        if length != Length::None {
            let payload = request.take_payload();
            let payload = Box::pin(BodyStream::new(&connection, payload));
            request.set_payload(Payload::Stream { payload });
        }
        Self(connection)
    }
}

impl Drop for Current {
    fn drop(&mut self) {
        self.0.end_request();
    }
}

/// The body of a streamed response, with which its request ends.
struct Streamed {
    body: BoxBody,
    _current: Current,
}

impl MessageBody for Streamed {
    type Error = Box<dyn std::error::Error>;

    fn size(&self) -> BodySize {
        BodySize::Stream
    }

    fn poll_next(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Bytes, Self::Error>>> {
        Pin::new(&mut self.body).poll_next(cx)
    }
}
