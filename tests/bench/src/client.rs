//! A client that keeps its connection, asks, and waits for the whole answer.

use std::io;
use std::net::SocketAddr;
use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

/// A connection to a server, and the buffer for its answers.
#[derive(Debug)]
pub struct Client {
    stream: TcpStream,
    buffer: Vec<u8>,
}

/// What came back.
#[derive(Debug, Clone, Copy)]
pub struct Answer {
    /// The status.
    pub status: u16,
    /// From the first byte of the request to the last of the answer.
    pub took: Duration,
    /// Whether the server closes the connection.
    pub closes: bool,
}

impl Client {
    /// Connects.
    ///
    /// # Errors
    ///
    /// When nobody listens.
    pub async fn connect(address: SocketAddr) -> io::Result<Self> {
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        let buffer = Vec::new();
        Ok(Self { stream, buffer })
    }

    /// Sends a request, and reads an answer that states its length.
    ///
    /// # Errors
    ///
    /// When the connection ends before the answer does.
    pub async fn ask(&mut self, request: &[u8]) -> io::Result<Answer> {
        let start = Instant::now();
        self.stream.write_all(request).await?;
        let (status, closes) = self.read_answer().await?;
        let took = start.elapsed();
        Ok(Answer {
            status,
            took,
            closes,
        })
    }

    /// The last answer.
    pub fn last(&self) -> &[u8] {
        &self.buffer
    }

    /// The stream, for a client that does not keep to the rules.
    pub fn stream(&mut self) -> &mut TcpStream {
        &mut self.stream
    }

    /// Reads an answer; returns its status, and whether it is the last on this connection.
    ///
    /// # Errors
    ///
    /// When the connection ends before the answer does.
    pub async fn read_answer(&mut self) -> io::Result<(u16, bool)> {
        let buffer = &mut self.buffer;
        buffer.clear();
        let head = loop {
            if self.stream.read_buf(buffer).await? == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            if let Some(end) = buffer.windows(4).position(|window| window == b"\r\n\r\n") {
                break end + 4;
            }
        };
        let text = String::from_utf8_lossy(buffer.get(..head).unwrap_or_default());
        let text = text.to_ascii_lowercase();
        let status = text.split(' ').nth(1);
        let status = status.and_then(|status| status.parse().ok()).unwrap_or(0);
        let length = text
            .lines()
            .find_map(|line| line.strip_prefix("content-length:"))
            .and_then(|length| length.trim().parse::<usize>().ok())
            .unwrap_or(0);
        while buffer.len() < head + length {
            if self.stream.read_buf(buffer).await? == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
        }
        Ok((status, text.contains("\r\nconnection: close\r\n")))
    }
}

/// The value below which a share of them lies; zero when there are none. Sorts them.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    reason = "an index into a list"
)]
pub fn quantile(latencies: &mut [Duration], share: f64) -> Duration {
    latencies.sort_unstable();
    let index = (latencies.len() as f64 * share) as usize;
    let last = latencies.len().saturating_sub(1);
    latencies.get(index.min(last)).copied().unwrap_or_default()
}
