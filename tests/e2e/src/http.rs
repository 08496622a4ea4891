//! Minimal HTTP client: one request per connection.

use std::fmt::Write as _;
use std::io::{self, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use serde_json::Value as Json;

/// Longer than any response takes on a busy machine.
const PATIENCE: Duration = Duration::from_secs(40);

/// A request, which can be sent repeatedly.
#[derive(Debug, Clone)]
pub struct Request {
    line: String,
    headers: String,
    body: String,
}

/// A response.
#[derive(Debug, Clone)]
pub struct Answer {
    /// Status code.
    pub status: u16,
    /// Head, in lower case.
    pub head: String,
    /// Body.
    pub body: Vec<u8>,
}

impl Answer {
    /// Returns the body as JSON, or null if it is not JSON.
    pub fn json(&self) -> Json {
        serde_json::from_slice(&self.body).unwrap_or_default()
    }
}

impl Request {
    /// Returns a GET request.
    pub fn get(path: &str) -> Self {
        Self {
            line: format!("GET {path} HTTP/1.1\r\n"),
            headers: String::new(),
            body: String::new(),
        }
    }

    /// Returns a POST request with a JSON body.
    pub fn post(path: &str, body: &str) -> Self {
        let request = Self {
            line: format!("POST {path} HTTP/1.1\r\n"),
            headers: String::new(),
            body: body.to_owned(),
        };
        request
            .header("Content-Type", "application/json")
            .header("Content-Length", &body.len().to_string())
    }

    /// Adds a header. The default `Host` is the address of the server.
    #[must_use]
    pub fn header(mut self, name: &str, value: &str) -> Self {
        // Writing to a string cannot fail.
        let _ = write!(self.headers, "{name}: {value}\r\n");
        self
    }

    /// Sends the request and reads the response.
    ///
    /// # Errors
    ///
    /// When there is no response.
    pub fn send(&self, address: SocketAddr) -> io::Result<Answer> {
        let mut stream = TcpStream::connect(address)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        let Self { line, headers, body } = self;
        let host =
            if headers.contains("Host: ") { String::new() } else { format!("Host: {address}\r\n") };
        let text = format!("{line}{host}{headers}Connection: close\r\n\r\n{body}");
        stream.write_all(text.as_bytes())?;
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes)?;
        parse(bytes)
    }
}

fn parse(mut bytes: Vec<u8>) -> io::Result<Answer> {
    let end = bytes.windows(4).position(|window| window == b"\r\n\r\n");
    let body = bytes.split_off(end.ok_or(io::ErrorKind::UnexpectedEof)? + 4);
    let head = String::from_utf8_lossy(&bytes).to_lowercase();
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
    Ok(Answer { status, head, body })
}

/// Sends a GET.
///
/// # Errors
///
/// When there is no response.
pub fn get(address: SocketAddr, path: &str) -> io::Result<Answer> {
    Request::get(path).send(address)
}

/// Sends a POST with a JSON body.
///
/// # Errors
///
/// When there is no response.
pub fn post(address: SocketAddr, path: &str, body: &str) -> io::Result<Answer> {
    Request::post(path, body).send(address)
}
