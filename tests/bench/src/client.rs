//! HTTP client: keeps its connection, sends a request, and waits for the whole response.

use std::io;
use std::net::SocketAddr;
use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::runtime::{Builder, Runtime};

/// A client of one server. It connects on demand, and reconnects after an error.
#[derive(Debug)]
pub struct Client {
    address: SocketAddr,
    stream: Option<TcpStream>,
    buffer: Vec<u8>,
}

/// A response, whose bytes are in [`Client::last`].
#[derive(Debug, Clone, Copy)]
pub struct Answer {
    /// The status.
    pub status: u16,
    /// From the first byte of the request to the last of the response.
    pub took: Duration,
}

impl Client {
    /// An unconnected client.
    pub fn new(address: SocketAddr) -> Self {
        Self {
            address,
            stream: None,
            buffer: Vec::new(),
        }
    }

    /// Sends a request, and reads a response that states its length.
    pub async fn ask(&mut self, request: &[u8]) -> io::Result<Answer> {
        let mut stream = match self.stream.take() {
            Some(stream) => stream,
            None => TcpStream::connect(self.address).await?,
        };
        stream.set_nodelay(true)?;
        let start = Instant::now();
        stream.write_all(request).await?;
        let (status, closes) = read(&mut stream, &mut self.buffer).await?;
        let took = start.elapsed();
        self.stream = (!closes).then_some(stream);
        Ok(Answer { status, took })
    }

    /// The last response, with its head.
    pub fn last(&self) -> &[u8] {
        &self.buffer
    }
}

/// Sends one request on a new connection; returns the head and the body of a good response.
pub fn ask_once(address: SocketAddr, request: &[u8]) -> io::Result<(String, Vec<u8>)> {
    let mut client = Client::new(address);
    let answer = runtime()?.block_on(client.ask(request))?;
    let body = client.buffer.split_off(head_length(&client.buffer));
    let head = String::from_utf8_lossy(&client.buffer).into_owned();
    if answer.status == 200 {
        return Ok((head, body));
    }
    Err(io::Error::other(head + &String::from_utf8_lossy(&body)))
}

/// A runtime on the calling thread.
pub fn runtime() -> io::Result<Runtime> {
    Builder::new_current_thread().enable_all().build()
}

/// Reads a response; returns its status, and whether the connection closes after it.
async fn read(stream: &mut TcpStream, buffer: &mut Vec<u8>) -> io::Result<(u16, bool)> {
    buffer.clear();
    let mut head = 0;
    while head == 0 {
        read_more(stream, buffer).await?;
        head = head_length(buffer);
    }
    let text = String::from_utf8_lossy(buffer.get(..head).unwrap_or_default());
    let text = text.to_ascii_lowercase();
    let header = |name| {
        let value = text.lines().find_map(|line| line.strip_prefix(name));
        value.map(str::trim)
    };
    let length = header("content-length:").and_then(|length| length.parse::<usize>().ok());
    while buffer.len() < head + length.unwrap_or(0) {
        read_more(stream, buffer).await?;
    }
    let status = text.split(' ').nth(1);
    let status = status.and_then(|status| status.parse().ok()).unwrap_or(0);
    Ok((status, header("connection:") == Some("close")))
}

async fn read_more(stream: &mut TcpStream, buffer: &mut Vec<u8>) -> io::Result<()> {
    match stream.read_buf(buffer).await? {
        0 => Err(io::ErrorKind::UnexpectedEof.into()),
        _ => Ok(()),
    }
}

/// Bytes up to the empty line, or 0 when it has not arrived.
fn head_length(response: &[u8]) -> usize {
    let end = response.windows(4).position(|window| window == b"\r\n\r\n");
    end.map_or(0, |end| end + 4)
}
