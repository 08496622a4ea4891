//! TCP stream with limits on the cost of a connection.
//!
//! actix-http limits the size of a request head, but has no deadline for any head but the first,
//! none for bodies, none for writing, and no limit for the framing of a chunked body. This layer
//! below it adds all of them: when a connection must end, reads from it return the end of the
//! stream.
//!
//! Standard: RFC 9112, section 9.6 (how to close so that the client reads the answer), RFC 9110,
//! section 10.1.1 (`100 Continue`).

mod answer;

use std::io;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, ready};

use actix_web::rt::net::TcpStream;
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, ReadBuf};

use super::deadlines::Watch;
use super::read_pacing::Turn;
use super::{Connection, End};
use crate::limits;

const CONTINUE: &[u8] = b"HTTP/1.1 100 Continue\r\n\r\n";

/// A TCP stream of HTTP/1.
pub(crate) struct GuardedStream {
    // Taken when it is closed, which outlives this value.
    stream: Option<TcpStream>,
    connection: Rc<Connection>,
    watch: Rc<Watch>,
    /// Unwritten rest of an error response, once there is one.
    refusal: Option<Vec<u8>>,
    /// Whether a write was ever partial.
    was_blocked: bool,
    /// Whether the socket is configured for streamed responses.
    streams: bool,
}

impl GuardedStream {
    /// Wraps an accepted stream.
    pub(crate) fn new(stream: TcpStream, watch: &Rc<Watch>) -> Self {
        // Otherwise a response in two writes would wait for the client's delayed acknowledgement. A
        // socket that refuses the option is about to fail anyway.
        let _ = stream.set_nodelay(true);
        set_user_timeout(&stream, limits::UNACKNOWLEDGED_MAX);
        Self {
            stream: Some(stream),
            connection: watch.open(),
            watch: Rc::clone(watch),
            refusal: None,
            was_blocked: false,
            streams: false,
        }
    }

    /// State of the connection.
    pub(crate) fn connection(&self) -> &Rc<Connection> {
        &self.connection
    }

    fn stream(&mut self) -> io::Result<Pin<&mut TcpStream>> {
        self.stream
            .as_mut()
            .map(Pin::new)
            .ok_or_else(|| io::ErrorKind::NotConnected.into())
    }

    /// Waits for the client to leave, while its input is left unread.
    fn poll_disconnect(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let mut byte = [0];
        let peeked = ready!(self.stream()?.poll_peek(cx, &mut ReadBuf::new(&mut byte)))?;
        if peeked > 0 {
            // What it sent stays unread until the response has ended.
            self.connection.flow.postpone();
            return Poll::Pending;
        }
        self.connection.received(0);
        Poll::Ready(Ok(()))
    }

    /// Configures the socket for the next response.
    fn prepare(&mut self) {
        if self.streams || !self.connection.is_answering() {
            return;
        }
        self.streams = true;
        if let Some(stream) = &self.stream {
            limit_unsent(stream);
        }
    }

    /// Counts a write, which may have been blocked.
    fn wrote(&mut self, blocked: bool) {
        if blocked && !self.was_blocked {
            self.was_blocked = true;
            if let Some(stream) = &self.stream {
                // To the system, a client that reads nothing looks like one that has vanished.
                set_user_timeout(stream, limits::UNACKNOWLEDGED_STALLED_MAX);
            }
        }
        self.connection.sent(blocked);
    }

    /// Writes an error response instead of the HTTP layer.
    fn poll_refuse(&mut self, cx: &mut Context<'_>, status: u16) -> Poll<io::Result<()>> {
        let mut left = self
            .refusal
            .take()
            .unwrap_or_else(|| answer::refusal(status));
        while !left.is_empty() {
            match self.stream()?.poll_write(cx, &left) {
                Poll::Ready(written) => drop(left.drain(..written?)),
                Poll::Pending => {
                    self.refusal = Some(left);
                    return Poll::Pending;
                }
            }
        }
        self.refusal = Some(left);
        Poll::Ready(Ok(()))
    }
}

impl AsyncRead for GuardedStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        self.connection.remember(cx.waker());
        if self.connection.end().is_some() {
            return Poll::Ready(Ok(()));
        }
        if self.connection.is_answering() {
            return self.poll_disconnect(cx);
        }
        let free = buffer.remaining();
        match self.connection.turn(free) {
            Turn::Take => {}
            Turn::Yield => {
                cx.waker().wake_by_ref();
                return Poll::Pending;
            }
            Turn::Wait => return Poll::Pending,
        }
        let before = buffer.filled().len();
        let most = self.connection.flow.most(free);
        let polled = if most < free {
            let mut some = self.stream()?.take(most as u64);
            Pin::new(&mut some).poll_read(cx, buffer)
        } else {
            self.stream()?.poll_read(cx, buffer)
        };
        if polled.is_ready() {
            self.connection.received(buffer.filled().len() - before);
        } else {
            self.connection.flow.drained();
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
        if self.connection.end() == Some(End::Stalled) {
            return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
        }
        if self.connection.exchange.holds_continue() && bytes.starts_with(CONTINUE) {
            return Poll::Ready(Ok(CONTINUE.len()));
        }
        if let Some(status) = answer::is_bare_refusal(bytes) {
            ready!(self.poll_refuse(cx, status))?;
            return Poll::Ready(Ok(bytes.len()));
        }
        self.prepare();
        let polled = self.stream()?.poll_write(cx, bytes);
        self.wrote(polled.is_pending());
        polled
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.connection.flushed();
        self.stream()?.poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        match self.connection.end() {
            Some(End::SlowHead) => ready!(self.poll_refuse(cx, 408))?,
            Some(End::Malformed) => ready!(self.poll_refuse(cx, 400))?,
            _ => {}
        }
        self.stream()?.poll_shutdown(cx)
    }
}

/// Sets how long sent bytes may stay unacknowledged, where the system supports it.
fn set_user_timeout(stream: &TcpStream, timeout: std::time::Duration) {
    #[cfg(any(target_os = "linux", target_os = "android"))]
    let _ = socket2::SockRef::from(stream).set_tcp_user_timeout(Some(timeout));
    #[cfg(not(any(target_os = "linux", target_os = "android")))]
    let _ = (stream, timeout);
}

/// Limits unsent bytes in the system's buffer, so that a slow client is detected and the producer
/// of the response is held back.
fn limit_unsent(stream: &TcpStream) {
    #[cfg(any(target_os = "linux", target_os = "android"))]
    let _ = socket2::SockRef::from(stream).set_tcp_notsent_lowat(limits::UNSENT_MAX);
    #[cfg(not(any(target_os = "linux", target_os = "android")))]
    let _ = stream;
}

impl Drop for GuardedStream {
    fn drop(&mut self) {
        self.watch.close(&self.connection);
        let end = self.connection.end();
        // The HTTP layer drops a connection with invalid chunks without a response.
        if end == Some(End::Malformed) {
            self.refusal.get_or_insert_with(|| answer::refusal(400));
        }
        let unread = self.refusal.is_some() || end == Some(End::Flooded);
        if let Some(stream) = self.stream.take().filter(|_| unread) {
            actix_web::rt::spawn(answer::close(
                stream,
                self.refusal.take().unwrap_or_default(),
            ));
        }
    }
}

#[cfg(test)]
mod tests {
    use actix_web::rt::net::TcpListener;
    use std::io::Write as _;
    use std::task::Waker;

    use super::*;
    use crate::connection::Length;

    /// A stream whose client has sent these bytes.
    async fn received(bytes: usize) -> (GuardedStream, std::net::TcpStream) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let mut client = std::net::TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let (stream, _) = listener.accept().await.unwrap();
        client.write_all(&vec![b'x'; bytes]).unwrap();
        let mut buffer = vec![0; bytes];
        while stream.peek(&mut buffer).await.unwrap() < bytes {}
        (
            GuardedStream::new(stream, &Rc::new(Watch::default())),
            client,
        )
    }

    #[actix_web::test]
    async fn a_read_takes_no_more_than_a_turn_and_counts_what_it_took() {
        let (mut stream, _client) = received(limits::BODY_BURST + 1_000).await;
        let connection = Rc::clone(stream.connection());
        connection.begin_request(Length::Chunked);
        let before = connection.allowance.get();
        let mut bytes = vec![0; 2 * limits::BODY_BURST];
        let mut buffer = ReadBuf::new(&mut bytes);
        buffer.put_slice(b"what the buffer holds already");
        let held = buffer.filled().len();
        let mut cx = Context::from_waker(Waker::noop());
        let polled = Pin::new(&mut stream).poll_read(&mut cx, &mut buffer);
        assert!(matches!(polled, Poll::Ready(Ok(()))), "{polled:?}");
        assert_eq!(buffer.filled().len() - held, limits::BODY_BURST);
        let counted = before - connection.allowance.get();
        assert_eq!(counted, limits::BODY_BURST as u64);
    }

    #[cfg(target_os = "linux")]
    #[actix_web::test]
    async fn a_client_that_does_not_read_holds_back_what_produces_the_response() {
        let (mut stream, _client) = received(1).await;
        let socket = |stream: &GuardedStream| {
            let socket = socket2::SockRef::from(stream.stream.as_ref().unwrap());
            (
                socket.tcp_notsent_lowat().unwrap(),
                socket.tcp_user_timeout().unwrap(),
            )
        };
        let bytes = vec![b'x'; 64 << 10];
        let mut cx = Context::from_waker(Waker::noop());
        let mut write =
            |stream: &mut GuardedStream| Pin::new(stream).poll_write(&mut cx, &bytes).is_pending();
        assert!(!write(&mut stream));
        let vanished = Some(limits::UNACKNOWLEDGED_MAX);
        assert_ne!(socket(&stream).0, limits::UNSENT_MAX);
        assert_eq!(socket(&stream).1, vanished);
        stream.connection().begin_answer();
        assert!(!write(&mut stream));
        assert_eq!(socket(&stream), (limits::UNSENT_MAX, vanished));
        while !write(&mut stream) {}
        let stalled = Some(limits::UNACKNOWLEDGED_STALLED_MAX);
        assert_eq!(socket(&stream), (limits::UNSENT_MAX, stalled));
    }
}
