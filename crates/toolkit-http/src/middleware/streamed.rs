//! Streamed answers: the request ends with the body of its answer, and is logged and counted then.

use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll};

use actix_web::HttpRequest;
use actix_web::body::{BodySize, BoxBody, MessageBody};
use actix_web::web::Bytes;

use super::request::Call;
use crate::connection::Connection;
use crate::panics::{self, Panic};
use crate::telemetry::CLIENT_LEFT;

/// The status of an answer whose body failed.
const FAILED: u16 = 500;

/// The body of a streamed answer.
pub(super) struct Streamed {
    body: BoxBody,
    call: Call,
    route: String,
    status: u16,
    bytes: u64,
    ended: bool,
}

impl Streamed {
    pub(super) fn new(body: BoxBody, call: Call, route: String, status: u16) -> Self {
        Self {
            body,
            call,
            route,
            status,
            bytes: 0,
            ended: false,
        }
    }

    fn end(&mut self, status: u16) {
        if !std::mem::replace(&mut self.ended, true) {
            self.call.end(&self.route, status, Some(self.bytes));
        }
    }

    /// The status that the body has told, or the one at the head.
    fn told(&self) -> u16 {
        let told = self.call.connection.exchange.stream_status();
        told.unwrap_or(self.status)
    }
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
        if self.ended {
            return Poll::Ready(None);
        }
        let polled = panics::catch(|| Pin::new(&mut self.body).poll_next(cx));
        match polled {
            Ok(Poll::Ready(Some(Ok(bytes)))) => {
                self.bytes = self.bytes.saturating_add(bytes.len() as u64);
                Poll::Ready(Some(Ok(bytes)))
            }
            Ok(Poll::Ready(Some(Err(error)))) => {
                self.end(FAILED);
                Poll::Ready(Some(Err(error)))
            }
            Ok(Poll::Ready(None)) => {
                let status = self.told();
                self.end(status);
                Poll::Ready(None)
            }
            Ok(Poll::Pending) => Poll::Pending,
            Err(Panic { place, reason }) => {
                tracing::error!(request_id = %self.call.id, place, reason, "the body of an answer panicked");
                self.end(FAILED);
                Poll::Ready(Some(Err("the body of an answer panicked".into())))
            }
        }
    }
}

impl Drop for Streamed {
    fn drop(&mut self) {
        // A body that has told how it ends has written all; only what follows it is not awaited any
        // more.
        let told = self.call.connection.exchange.stream_status();
        self.end(told.unwrap_or(CLIENT_LEFT));
    }
}

/// What the body of a streamed answer can learn of its connection, and tell of its end.
pub struct StreamControl {
    connection: Rc<Connection>,
    last_call: Pin<Box<dyn Future<Output = ()>>>,
}

impl StreamControl {
    /// The control of the answer to a request.
    pub fn of(request: &HttpRequest) -> Self {
        let connection = Connection::of(request).unwrap_or_else(Connection::detached);
        let mut last_call = connection.last_call();
        Self {
            connection,
            last_call: Box::pin(async move {
                if last_call.wait_for(|called| *called).await.is_err() {
                    std::future::pending::<()>().await;
                }
            }),
        }
    }

    /// Waits until a stop is about to cut what is left.
    pub fn poll_last_call(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        self.last_call.as_mut().poll(cx)
    }

    /// Says how the answer ended, for its log line and for the metrics: its head has long been
    /// written.
    pub fn ended(&self, status: u16) {
        self.connection.exchange.set_stream_status(status);
    }

    /// Whether the connection ends because its client took nothing for too long.
    pub fn has_stalled(&self) -> bool {
        self.connection.has_stalled()
    }
}
