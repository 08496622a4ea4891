//! HTTP client: keeps its connection, sends a request, and waits for the whole response.

use std::io;
use std::net::SocketAddr;
use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::runtime::{Builder, Runtime};

use crate::Result;
use crate::cases::Case;

/// A client of one server. It connects on demand, and reconnects after an error.
#[derive(Debug)]
pub struct Client {
    /// The server's address.
    pub address: SocketAddr,
    stream: Option<TcpStream>,
    /// The last response, with its head.
    buffer: Vec<u8>,
}

impl Client {
    /// An unconnected client.
    pub fn new(address: SocketAddr) -> Self {
        Self { address, stream: None, buffer: Vec::new() }
    }

    /// Sends a request, and reads a response that states its length. Returns the time from the
    /// first byte of the request to the last of the response, or a status other than 200 as error.
    pub async fn ask(&mut self, request: &[u8]) -> Result<Duration> {
        self.buffer.clear();
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
        match status {
            200 => Ok(took),
            _ => Err(status.to_string().into()),
        }
    }

    /// The same, with the response in the error.
    pub async fn ask_well(&mut self, request: &[u8]) -> Result<Duration> {
        let took = self.ask(request).await;
        took.map_err(|error| format!("{error}: {}", String::from_utf8_lossy(&self.buffer)).into())
    }
}

/// Sends a case on a new connection; returns the head and the body of a good response.
pub fn ask_once(address: SocketAddr, case: &Case) -> Result<(String, Vec<u8>)> {
    let mut client = Client::new(address);
    let answer = runtime()?.block_on(client.ask_well(&case.request(address)));
    answer.map_err(|error| format!("{}: {error}", case.name))?;
    let body = client.buffer.split_off(head_length(&client.buffer));
    Ok((String::from_utf8(client.buffer)?, body))
}

/// A runtime on the calling thread.
pub fn runtime() -> io::Result<Runtime> {
    Builder::new_current_thread().enable_all().build()
}

/// Reads a response; returns its status, and whether the connection closes after it.
async fn read(stream: &mut TcpStream, buffer: &mut Vec<u8>) -> Result<(u16, bool)> {
    let mut head = 0;
    while head == 0 {
        read_more(stream, buffer).await?;
        head = head_length(buffer);
    }
    let text = String::from_utf8_lossy(buffer.get(..head).unwrap_or_default());
    let text = text.to_ascii_lowercase();
    let header = |name| text.lines().find_map(|line| line.strip_prefix(name));
    let length: usize = header("content-length:").unwrap_or("0").trim().parse()?;
    while buffer.len() < head + length {
        read_more(stream, buffer).await?;
    }
    let status = text.split(' ').nth(1).unwrap_or_default().parse()?;
    let closes = header("connection:").map(str::trim) == Some("close");
    Ok((status, closes))
}

async fn read_more(stream: &mut TcpStream, buffer: &mut Vec<u8>) -> io::Result<()> {
    match stream.read_buf(buffer).await? {
        0 => Err(io::ErrorKind::UnexpectedEof.into()),
        _ => Ok(()),
    }
}

/// Bytes of a message up to the empty line, or 0 when it has not arrived.
pub fn head_length(message: &[u8]) -> usize {
    let end = message.windows(4).position(|window| window == b"\r\n\r\n");
    end.map_or(0, |end| end + 4)
}
