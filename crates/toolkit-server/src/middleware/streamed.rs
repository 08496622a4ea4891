//! Streamed responses: the request ends with the body, and is logged and counted then.

use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll};

use actix_web::HttpRequest;
use actix_web::body::{BodySize, BoxBody, MessageBody};
use actix_web::web::Bytes;
use tokio::sync::watch::Receiver;

use super::request::Call;
use crate::connection::{Connection, End};
use crate::panics::{self, Panic};
use crate::telemetry::CLIENT_LEFT;

/// The status of a response whose body failed.
const FAILED: u16 = 500;

/// The body of a streamed response.
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

    /// The status set by the body.
    fn told(&self) -> Option<u16> {
        self.call.connection.exchange.stream_status.get()
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
        let polled = polled.unwrap_or_else(|Panic { place, reason }| {
            tracing::error!(request_id = %self.call.id, place, reason, "the body of a response panicked");
            Poll::Ready(Some(Err("the body of a response panicked".into())))
        });
        match &polled {
            Poll::Ready(Some(Ok(bytes))) => {
                self.bytes = self.bytes.saturating_add(bytes.len() as u64);
            }
            Poll::Ready(Some(Err(_))) => self.end(FAILED),
            Poll::Ready(None) => {
                // The status in the head, unless the body has set another.
                let status = self.told().unwrap_or(self.status);
                self.end(status);
            }
            Poll::Pending => {}
        }
        polled
    }
}

impl Drop for Streamed {
    fn drop(&mut self) {
        // A body that has set its final status has written everything; only what follows is no
        // longer awaited.
        let status = self.told().unwrap_or(CLIENT_LEFT);
        self.end(status);
    }
}

/// Handle for the body of a streamed response: state of its connection, and final status.
pub struct StreamControl {
    connection: Rc<Connection>,
    notice: Receiver<bool>,
    end_notice: Pin<Box<dyn Future<Output = ()>>>,
}

impl StreamControl {
    /// The handle for the response to a request.
    pub fn of(request: &HttpRequest) -> Self {
        let connection = Connection::of(request).unwrap_or_else(Connection::detached);
        let notice = connection.watch.end_notice();
        let mut end_notice = notice.clone();
        Self {
            connection,
            notice,
            end_notice: Box::pin(async move {
                if end_notice.wait_for(|notice| *notice).await.is_err() {
                    std::future::pending::<()>().await;
                }
            }),
        }
    }

    /// Whether a stop is about to cut the rest. Much cheaper than waiting for it.
    pub fn is_ending(&self) -> bool {
        *self.notice.borrow()
    }

    /// Waits until a stop is about to cut the rest.
    pub fn poll_ending(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        self.end_notice.as_mut().poll(cx)
    }

    /// Sets the final status for the log line and the metrics: the head has long been written.
    pub fn ended(&self, status: u16) {
        self.connection.exchange.stream_status.set(Some(status));
    }

    /// Whether the connection ends because its client read nothing for too long.
    pub fn has_stalled(&self) -> bool {
        self.connection.end() == Some(End::Stalled)
    }
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use super::*;

    #[test]
    fn a_body_learns_why_its_connection_ends() {
        let control = StreamControl::of(&TestRequest::default().to_http_request());
        assert!(!control.has_stalled() && !control.is_ending());
        for (end, has_stalled) in [(End::Idle, false), (End::Stalled, true)] {
            let control = StreamControl::of(&TestRequest::default().to_http_request());
            control.connection.end_with(end);
            assert_eq!(control.has_stalled(), has_stalled);
        }
    }
}
