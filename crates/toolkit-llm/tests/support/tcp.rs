//! A server that sends exactly the bytes it is given, and misbehaves between them.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Barrier, mpsc};
use tokio::task::JoinHandle;

/// The first byte of a TLS connection (RFC 8446 §5.1).
const TLS_HANDSHAKE: u8 = 22;

/// Action on a connection once its request has been read.
#[derive(Clone)]
pub(crate) enum Act {
    /// Sends the bytes and closes.
    Send(Vec<u8>),
    /// Sends the bytes for each request of the connection.
    SendEachTime(Vec<u8>),
    /// Sends the bytes and keeps the connection open, silently.
    SendThenHang(Vec<u8>),
    /// Sends the bytes, then the others repeatedly, until the client has gone.
    SendThenRepeat(Vec<u8>, Vec<u8>),
    /// Waits until as many requests have arrived as the barrier counts, then sends the bytes and
    /// keeps the connection open, silently.
    SendTogether(Arc<Barrier>, Vec<u8>),
    /// Resets the connection.
    Reset,
}

/// A server on the loopback interface; it ends with the test.
pub(crate) struct FarEnd {
    address: SocketAddr,
    connections: Arc<AtomicUsize>,
    sent: Arc<AtomicUsize>,
    /// Reports each request that was read, and each hung connection that the client closed.
    events: mpsc::UnboundedReceiver<Event>,
    task: JoinHandle<()>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Event {
    Asked,
    HungUp,
}

impl FarEnd {
    pub(crate) async fn start(act: Act) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (connections, sent) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
        let (events_in, events) = mpsc::unbounded_channel();
        let (counter, sum) = (Arc::clone(&connections), Arc::clone(&sent));
        let task = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                counter.fetch_add(1, Ordering::SeqCst);
                tokio::spawn(serve(stream, act.clone(), Arc::clone(&sum), events_in.clone()));
            }
        });
        Self { address, connections, sent, events, task }
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    pub(crate) fn connections(&self) -> usize {
        self.connections.load(Ordering::SeqCst)
    }

    /// Number of bytes sent so far.
    pub(crate) fn sent(&self) -> usize {
        self.sent.load(Ordering::SeqCst)
    }

    pub(crate) async fn event(&mut self) -> Event {
        self.events.recv().await.expect("the server runs")
    }
}

impl Drop for FarEnd {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn serve(
    mut stream: TcpStream,
    act: Act,
    sent: Arc<AtomicUsize>,
    events: mpsc::UnboundedSender<Event>,
) {
    if !read_request(&mut stream).await {
        return;
    }
    let _ = events.send(Event::Asked);
    match act {
        Act::Send(bytes) => {
            let _ = stream.write_all(&bytes).await;
            let _ = stream.shutdown().await;
        }
        Act::SendEachTime(bytes) => {
            while stream.write_all(&bytes).await.is_ok() && read_request(&mut stream).await {
                let _ = events.send(Event::Asked);
            }
        }
        Act::SendThenHang(bytes) => {
            send_and_hang(&mut stream, &bytes).await;
            let _ = events.send(Event::HungUp);
        }
        Act::SendTogether(barrier, bytes) => {
            barrier.wait().await;
            send_and_hang(&mut stream, &bytes).await;
            let _ = events.send(Event::HungUp);
        }
        Act::SendThenRepeat(bytes, again) => {
            let _ = stream.write_all(&bytes).await;
            while stream.write_all(&again).await.is_ok() {
                sent.fetch_add(again.len(), Ordering::SeqCst);
            }
            let _ = events.send(Event::HungUp);
        }
        Act::Reset => stream.set_zero_linger().unwrap(),
    }
}

/// Ends when the client closes its side, with or without an error.
async fn send_and_hang(stream: &mut TcpStream, bytes: &[u8]) {
    let _ = stream.write_all(bytes).await;
    let _ = stream.read(&mut [0; 64]).await;
}

/// Reads one request with a `Content-Length`, or the start of a TLS handshake; false if none
/// arrived.
async fn read_request(stream: &mut TcpStream) -> bool {
    let mut bytes = Vec::new();
    loop {
        if let Some(head) = bytes.windows(4).position(|window| window == b"\r\n\r\n") {
            let text = String::from_utf8_lossy(&bytes[..head]).to_ascii_lowercase();
            let length = text.split("content-length: ").nth(1).and_then(|rest| rest.lines().next());
            let length: usize = length.map_or(0, |length| length.trim().parse().unwrap());
            if bytes.len() >= head + 4 + length {
                return true;
            }
        }
        if stream.read_buf(&mut bytes).await.unwrap_or(0) == 0 {
            return false;
        }
        if bytes.first() == Some(&TLS_HANDSHAKE) {
            return true;
        }
    }
}

/// A whole answer with a `Content-Length`.
pub(crate) fn answer(body: &str) -> Vec<u8> {
    let length = body.len();
    let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n";
    format!("{head}Content-Length: {length}\r\n\r\n{body}").into_bytes()
}

/// An answer in OpenAI's format.
pub(crate) fn completion(text: &str) -> String {
    serde_json::json!({
        "model": "model-1-2026",
        "choices": [{"message": {"role": "assistant", "content": text}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 3, "completion_tokens": 2},
    })
    .to_string()
}
