//! The least of an HTTP client: one request a connection.

use std::io::{self, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use serde_json::Value as Json;

/// Longer than any honest answer takes on a busy machine.
const PATIENCE: Duration = Duration::from_secs(20);

/// What came back.
#[derive(Debug, Clone)]
pub struct Answer {
    /// The status.
    pub status: u16,
    /// The head, in lower case.
    pub head: String,
    /// The body.
    pub body: Vec<u8>,
}

impl Answer {
    /// The body as JSON, or null where it is none.
    pub fn json(&self) -> Json {
        serde_json::from_slice(&self.body).unwrap_or_default()
    }
}

/// Sends a GET.
///
/// # Errors
///
/// When there is no answer.
pub fn get(address: SocketAddr, path: &str) -> io::Result<Answer> {
    exchange(
        address,
        &format!("GET {path} HTTP/1.1\r\nHost: {address}\r\n"),
        "",
    )
}

/// Sends a POST with a JSON body.
///
/// # Errors
///
/// When there is no answer.
pub fn post(address: SocketAddr, path: &str, body: &str) -> io::Result<Answer> {
    let head = format!(
        "POST {path} HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\n\
         Content-Length: {}\r\n",
        body.len()
    );
    exchange(address, &head, body)
}

fn exchange(address: SocketAddr, head: &str, body: &str) -> io::Result<Answer> {
    let mut stream = TcpStream::connect(address)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    write!(stream, "{head}Connection: close\r\n\r\n{body}")?;
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes)?;
    let end = bytes.windows(4).position(|window| window == b"\r\n\r\n");
    let body = bytes.split_off(end.ok_or(io::ErrorKind::UnexpectedEof)? + 4);
    let head = String::from_utf8_lossy(&bytes).to_lowercase();
    let status = head
        .split(' ')
        .nth(1)
        .and_then(|status| status.parse().ok())
        .unwrap_or(0);
    Ok(Answer { status, head, body })
}
