//! Stream control: how the body of a streamed response learns about its connection and reports its
//! end.

use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll};

use actix_web::HttpRequest;
use tokio::sync::watch::{self, Receiver};

use super::record::{self, Notes};
use crate::connections::{Connection, End, Shared};

/// Handle for a streamed body: connection state and final status.
pub struct StreamControl {
    connection: Option<Shared>,
    notes: Rc<Notes>,
    notice: Receiver<bool>,
    end_notice: Pin<Box<dyn Future<Output = ()>>>,
}

impl StreamControl {
    /// Returns the handle for the response to a request.
    pub fn of(request: &HttpRequest) -> Self {
        let connection = Connection::of(request);
        let notice = connection.as_ref().map_or_else(
            || watch::channel(false).1,
            |connection| connection.borrow().clock.end_notice(),
        );
        let mut end_notice = notice.clone();
        Self {
            connection,
            notes: record::notes(request).unwrap_or_default(),
            notice,
            end_notice: Box::pin(async move {
                if end_notice.wait_for(|notice| *notice).await.is_err() {
                    std::future::pending::<()>().await;
                }
            }),
        }
    }

    /// Whether a stop is about to cut the rest. Much cheaper than
    /// [`poll_ending`](Self::poll_ending).
    pub fn is_ending(&self) -> bool {
        *self.notice.borrow()
    }

    /// Waits until a stop is about to cut the rest.
    pub fn poll_ending(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        self.end_notice.as_mut().poll(cx)
    }

    /// Sets the final status for the log line and metrics, since the head has long been written.
    pub fn ended(&self, status: u16) {
        self.notes.stream_status.set(Some(status));
    }

    /// Whether the connection is ending because the client stopped reading.
    pub fn has_stalled(&self) -> bool {
        let end = |connection: &Shared| connection.borrow().end();
        self.connection.as_ref().and_then(end) == Some(End::Stalled)
    }
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use super::*;

    #[test]
    fn a_body_learns_why_its_connection_ends() {
        let mut control = StreamControl::of(&TestRequest::default().to_http_request());
        assert!(!control.has_stalled() && !control.is_ending());
        for (end, has_stalled) in [(End::Idle, false), (End::Stalled, true)] {
            let worker = crate::connections::Worker::default();
            let connection = worker.accept([127, 0, 0, 1].into()).unwrap();
            connection.borrow_mut().end_with(end);
            control.connection = Some(connection);
            assert_eq!(control.has_stalled(), has_stalled);
        }
    }
}
