//! TCP stream with limits on what a connection can cost.
//!
//! actix-http limits the size of a request head. It sets no deadline for heads after the first, for
//! bodies or for writes, and no limit on chunk framing. This layer below it adds them: when a
//! connection must end, reads return the end of the stream.
//!
//! Standard: RFC 9112, section 9.6 (closing so that the client can read the response), RFC 9110,
//! section 10.1.1 (`100 Continue`).

use std::io;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, ready};

use actix_web::rt::net::TcpStream;
use actix_web::rt::time::timeout;
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _, ReadBuf};

use super::connection::{End, Shared};
use super::worker::Worker;
use crate::limits;

const CONTINUE: &[u8] = b"HTTP/1.1 100 Continue\r\n\r\n";

/// The response to a body with invalid framing. The HTTP layer would drop the connection without
/// one.
const MALFORMED: &[u8] =
    b"HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";

/// A TCP stream of HTTP/1.
pub(crate) struct GuardedStream {
    // Taken on close, which outlives this value.
    stream: Option<TcpStream>,
    connection: Shared,
    /// The worker that owns the connection.
    worker: Rc<Worker>,
    /// Whether a write was ever partial.
    was_blocked: bool,
}

impl GuardedStream {
    /// Wraps an accepted stream.
    pub(crate) fn new(stream: TcpStream, connection: Shared, worker: Rc<Worker>) -> Self {
        // Otherwise a response in two writes would wait for the client's delayed ACK. A socket that
        // refuses the option is about to fail anyway.
        let _ = stream.set_nodelay(true);
        tune(&stream, limits::UNACKNOWLEDGED_MAX);
        Self { stream: Some(stream), connection, worker, was_blocked: false }
    }

    /// State of the connection.
    pub(crate) fn connection(&self) -> &Shared {
        &self.connection
    }

    fn stream(&mut self) -> io::Result<Pin<&mut TcpStream>> {
        self.stream.as_mut().map(Pin::new).ok_or_else(|| io::ErrorKind::NotConnected.into())
    }

    /// Waits for the client to disconnect, without reading its input.
    fn poll_disconnect(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let mut byte = [0];
        let peeked = ready!(self.stream()?.poll_peek(cx, &mut ReadBuf::new(&mut byte)))?;
        if peeked > 0 {
            // The input stays unread until the response has ended.
            self.connection.borrow_mut().postpone();
            return Poll::Pending;
        }
        self.connection.borrow_mut().received(0);
        Poll::Ready(Ok(()))
    }
}

impl AsyncRead for GuardedStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        self.connection.borrow_mut().remember(cx.waker());
        if self.connection.borrow().end().is_some() {
            return Poll::Ready(Ok(()));
        }
        if self.connection.borrow().is_streaming() {
            return self.poll_disconnect(cx);
        }
        if self.connection.borrow_mut().ends_burst() {
            // Yield, so that the HTTP layer decodes what it has and other connections get a turn.
            cx.waker().wake_by_ref();
            return Poll::Pending;
        }
        if !self.connection.borrow_mut().may_read() {
            return Poll::Pending;
        }
        let before = buffer.filled().len();
        let polled = self.stream()?.poll_read(cx, buffer);
        if polled.is_ready() {
            self.connection.borrow_mut().received(buffer.filled().len() - before);
        } else {
            self.connection.borrow_mut().drained();
        }
        polled
    }
}

impl AsyncWrite for GuardedStream {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        if self.connection.borrow().end() == Some(End::Stalled) {
            return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
        }
        if self.connection.borrow().request.holds_continue() && bytes.starts_with(CONTINUE) {
            return Poll::Ready(Ok(CONTINUE.len()));
        }
        let polled = self.stream()?.poll_write(cx, bytes);
        let taken = match &polled {
            Poll::Ready(taken) => Some(*taken.as_ref().unwrap_or(&0)),
            Poll::Pending => None,
        };
        self.connection.borrow_mut().wrote(bytes.len(), taken);
        if polled.is_pending() && !self.was_blocked {
            self.was_blocked = true;
            if let Some(stream) = &self.stream {
                // The system cannot tell a client that reads nothing from one that has vanished.
                tune(stream, limits::UNACKNOWLEDGED_STALLED_MAX);
            }
        }
        polled
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.connection.borrow_mut().flushed();
        self.stream()?.poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.stream()?.poll_shutdown(cx)
    }
}

/// Limits how long sent bytes may stay unacknowledged, and how many unsent bytes the system
/// buffers, where supported. Slow clients are detected sooner, and the response is produced at
/// their pace.
fn tune(stream: &TcpStream, unacknowledged: std::time::Duration) {
    #[cfg(any(target_os = "linux", target_os = "android"))]
    {
        let socket = socket2::SockRef::from(stream);
        let _ = socket.set_tcp_user_timeout(Some(unacknowledged));
        let _ = socket.set_tcp_notsent_lowat(limits::UNSENT_MAX);
    }
    #[cfg(not(any(target_os = "linux", target_os = "android")))]
    let _ = (stream, unacknowledged);
}

impl Drop for GuardedStream {
    fn drop(&mut self) {
        let connection = self.connection.borrow();
        let (slot, end) = (connection.slot, connection.end());
        drop(connection);
        self.worker.close(slot);
        let last = match end {
            Some(End::Malformed) => MALFORMED,
            Some(End::Flooded) => &[],
            _ => return,
        };
        if let Some(stream) = self.stream.take() {
            actix_web::rt::spawn(timeout(limits::DISCARD_DEADLINE, close(stream, last)));
        }
    }
}

/// Closes a stream whose client may still be sending. Closing immediately would discard the
/// response before the client has read it.
async fn close(mut stream: TcpStream, last: &'static [u8]) -> io::Result<()> {
    stream.write_all(last).await?;
    stream.shutdown().await?;
    let mut rest = stream.take(limits::DISCARD_CHUNKED_MAX);
    tokio::io::copy(&mut rest, &mut tokio::io::sink()).await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use actix_web::rt::net::TcpListener;
    use std::io::Write as _;
    use std::task::Waker;

    use super::*;

    /// A stream whose client has sent this many bytes.
    async fn received(bytes: usize) -> (GuardedStream, std::net::TcpStream) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let mut client = std::net::TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let (stream, _) = listener.accept().await.unwrap();
        client.write_all(&vec![b'x'; bytes]).unwrap();
        let mut buffer = vec![0; bytes];
        while stream.peek(&mut buffer).await.unwrap() < bytes {}
        let worker = Rc::new(Worker::default());
        let connection = worker.accept([127, 0, 0, 1].into()).unwrap();
        (GuardedStream::new(stream, connection, worker), client)
    }

    #[cfg(target_os = "linux")]
    #[actix_web::test]
    async fn a_client_that_does_not_read_holds_back_what_produces_the_response() {
        let (mut stream, _client) = received(1).await;
        let socket = |stream: &GuardedStream| {
            let socket = socket2::SockRef::from(stream.stream.as_ref().unwrap());
            (socket.tcp_notsent_lowat().unwrap(), socket.tcp_user_timeout().unwrap())
        };
        let bytes = vec![b'x'; 64 << 10];
        let mut cx = Context::from_waker(Waker::noop());
        let mut write =
            |stream: &mut GuardedStream| Pin::new(stream).poll_write(&mut cx, &bytes).is_pending();
        assert!(!write(&mut stream));
        let vanished = Some(limits::UNACKNOWLEDGED_MAX);
        assert_eq!(socket(&stream), (limits::UNSENT_MAX, vanished));
        while !write(&mut stream) {}
        let stalled = Some(limits::UNACKNOWLEDGED_STALLED_MAX);
        assert_eq!(socket(&stream), (limits::UNSENT_MAX, stalled));
    }
}
