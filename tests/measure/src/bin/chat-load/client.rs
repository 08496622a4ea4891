//! Chat client: reads a streamed chat fast, slowly or not at all.

use std::io;
use std::net::SocketAddr;
use std::time::Duration;

use socket2::{Domain, Socket, Type};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

/// A streamed chat in progress.
pub(crate) struct Client {
    stream: TcpStream,
}

/// Response of a chat.
#[derive(Default)]
pub(crate) struct Ended {
    /// All bytes, including the head.
    pub(crate) bytes: Vec<u8>,
}

impl Ended {
    fn has(&self, words: &[u8]) -> bool {
        self.bytes.windows(words.len()).any(|part| part == words)
    }

    /// Whether it has a `done` event.
    pub(crate) fn is_complete(&self) -> bool {
        self.has(b"event: done\n")
    }

    /// Whether it has an `error` event with this status.
    pub(crate) fn has_error(&self, status: u16) -> bool {
        self.has(b"event: error\n") && self.has(format!("\"status\":{status}").as_bytes())
    }
}

impl Client {
    /// Sends a chat request. With `buffer`, the system's receive buffer has about this many bytes.
    pub(crate) async fn ask(
        address: SocketAddr,
        key: &str,
        more: &str,
        buffer: Option<usize>,
    ) -> io::Result<Self> {
        let socket = Socket::new(Domain::IPV4, Type::STREAM, None)?;
        if let Some(bytes) = buffer {
            socket.set_recv_buffer_size(bytes)?;
        }
        socket.connect(&address.into())?;
        socket.set_nonblocking(true)?;
        let mut stream = TcpStream::from_std(socket.into())?;
        let body = format!(
            "{{\"messages\":[{{\"role\":\"user\",\"content\":\"Hi\"}}],\"stream\":true{more}}}"
        );
        let request = format!(
            "POST /toolkit/api/chat HTTP/1.1\r\nHost: tools.example.org\r\nX-Api-Key: {key}\r\n\
             Content-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
            body.len()
        );
        stream.write_all(request.as_bytes()).await?;
        Ok(Self { stream })
    }

    /// Reads once; zero bytes mean the end.
    pub(crate) async fn read(&mut self, bytes: &mut Vec<u8>) -> io::Result<usize> {
        self.stream.read_buf(bytes).await
    }

    /// Reads until these words have arrived.
    pub(crate) async fn read_until(&mut self, words: &[u8]) -> io::Result<()> {
        let mut bytes = Vec::new();
        loop {
            if self.read(&mut bytes).await? == 0 {
                let text = String::from_utf8_lossy(&bytes).into_owned();
                return Err(io::Error::other(text));
            }
            if bytes.windows(words.len()).any(|part| part == words) {
                return Ok(());
            }
        }
    }

    /// Reads to the end.
    pub(crate) async fn finish(mut self) -> io::Result<Ended> {
        let mut ended = Ended::default();
        while self.read(&mut ended.bytes).await? > 0 {}
        Ok(ended)
    }

    /// Reads to the end, and reports the timestamp and the delay of each event of the model.
    pub(crate) async fn watch(mut self, now: impl Fn() -> u64) -> io::Result<(Ended, Vec<u64>)> {
        let (mut ended, mut delays) = (Ended::default(), Vec::new());
        let mut read_to = 0;
        while self.read(&mut ended.bytes).await? > 0 {
            let at = now();
            let new = ended.bytes.get(read_to..).unwrap_or_default();
            let text = String::from_utf8_lossy(new);
            for piece in text.split("\"text\":\"").skip(1) {
                let stamp = piece.split_once(' ').and_then(|(word, _)| word.parse().ok());
                delays.extend(stamp.map(|sent: u64| at.saturating_sub(sent)));
            }
            read_to = ended.bytes.len();
        }
        Ok((ended, delays))
    }

    /// Reads to the end at this many bytes per second.
    pub(crate) async fn finish_slowly(mut self, bytes_a_second: usize) -> io::Result<Ended> {
        let mut ended = Ended::default();
        let mut clock = tokio::time::interval(Duration::from_millis(250));
        let mut piece = vec![0; bytes_a_second / 4];
        loop {
            clock.tick().await;
            let count = self.stream.read(&mut piece).await?;
            if count == 0 {
                return Ok(ended);
            }
            ended.bytes.extend(piece.iter().take(count));
        }
    }
}
