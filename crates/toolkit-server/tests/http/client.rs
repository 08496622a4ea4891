//! A client that writes exactly the given bytes.

use std::io::{Read, Write};
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpStream};

use socket2::{Domain, Socket, Type};

use crate::app::PATIENCE;

/// Head of a JSON POST whose client waits for a 100, and its body. The 100 is sent once the handler
/// waits for the body.
pub(crate) fn post_in_two(path: &str, body: &str) -> (String, String) {
    let request = post(path, body).replace("host: x", "host: x\r\nexpect: 100-continue");
    let (head, body) = request.split_once("\r\n\r\n").unwrap();
    (format!("{head}\r\n\r\n"), body.to_owned())
}

/// The bytes of a JSON POST.
pub(crate) fn post(path: &str, body: &str) -> String {
    let length = body.len();
    format!(
        "POST {path} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n\r\n{body}"
    )
}

/// A connection that writes exactly the given bytes.
pub(crate) struct Connection {
    stream: TcpStream,
    pending: Vec<u8>,
}

impl Connection {
    /// Opens a connection.
    pub(crate) fn open(address: SocketAddr) -> Self {
        Self::over(TcpStream::connect(address).unwrap())
    }

    /// Opens a connection from this address.
    pub(crate) fn open_from(from: Ipv4Addr, address: SocketAddr) -> Self {
        let socket = Socket::new(Domain::IPV4, Type::STREAM, None).unwrap();
        socket.bind(&SocketAddr::from((from, 0)).into()).unwrap();
        socket.connect(&address.into()).unwrap();
        Self::over(socket.into())
    }

    fn over(stream: TcpStream) -> Self {
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream.set_nodelay(true).unwrap();
        Self { stream, pending: Vec::new() }
    }

    /// Gets a path.
    pub(crate) fn get(&mut self, path: &str) -> Answer {
        self.write(format!("GET {path} HTTP/1.1\r\nhost: x\r\n\r\n").as_bytes());
        self.answer()
    }

    /// Writes bytes; the server may have closed meanwhile.
    pub(crate) fn try_write(&mut self, bytes: &[u8]) -> bool {
        self.stream.write_all(bytes).is_ok()
    }

    /// Writes bytes.
    pub(crate) fn write(&mut self, bytes: &[u8]) {
        self.stream.write_all(bytes).unwrap();
    }

    /// Ends the client's side of the connection.
    pub(crate) fn finish(&mut self) {
        self.stream.shutdown(Shutdown::Write).unwrap();
    }

    /// Reads an answer, with its body.
    pub(crate) fn answer(&mut self) -> Answer {
        self.answer_to("GET")
    }

    /// Reads the response to a method: that to HEAD has no body.
    pub(crate) fn answer_to(&mut self, method: &str) -> Answer {
        let head = loop {
            if let Some(end) = find(&self.pending, b"\r\n\r\n") {
                break self.pending.drain(..end + 4).collect::<Vec<_>>();
            }
            assert!(
                self.more(),
                "closed before an answer: {:?}",
                String::from_utf8_lossy(&self.pending)
            );
        };
        let mut answer = Answer::parse(&String::from_utf8(head).unwrap());
        if answer.status >= 200 && method != "HEAD" {
            let length =
                answer.header("content-length").map_or(0, |length| length.parse().unwrap());
            while self.pending.len() < length {
                assert!(self.more(), "closed within a body");
            }
            answer.body = String::from_utf8(self.pending.drain(..length).collect()).unwrap();
        }
        answer
    }

    /// Reads until this text has been received.
    pub(crate) fn until(&mut self, text: &str) {
        while find(&self.pending, text.as_bytes()).is_none() {
            assert!(self.more(), "closed before `{text}`");
        }
    }

    /// Whether the server closes without sending more. A reset counts as closing.
    pub(crate) fn is_closed(&mut self) -> bool {
        assert_eq!(String::from_utf8_lossy(&self.pending), "");
        !self.more()
    }

    /// Everything received until the server closes.
    pub(crate) fn rest(&mut self) -> String {
        while self.more() {}
        String::from_utf8(std::mem::take(&mut self.pending)).unwrap()
    }

    /// Whether this many bytes and more are received before the server closes.
    pub(crate) fn rest_is_whole(&mut self, bytes: usize) -> bool {
        while self.pending.len() < bytes && self.more() {}
        self.pending.len() >= bytes
    }

    fn more(&mut self) -> bool {
        let mut buffer = vec![0; 64 << 10];
        match self.stream.read(&mut buffer) {
            Ok(0) => false,
            Ok(bytes) => {
                self.pending.extend_from_slice(&buffer[..bytes]);
                true
            }
            Err(error) => {
                let patient = error.kind() != std::io::ErrorKind::WouldBlock;
                assert!(patient, "nothing came for {PATIENCE:?}");
                false
            }
        }
    }
}

fn find(bytes: &[u8], pattern: &[u8]) -> Option<usize> {
    bytes.windows(pattern.len()).position(|window| window == pattern)
}

/// An answer.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    headers: Vec<(String, String)>,
    pub(crate) body: String,
}

impl Answer {
    fn parse(head: &str) -> Self {
        let mut lines = head.lines();
        let status = lines.next().unwrap().split(' ').nth(1).unwrap().parse().unwrap();
        let header = |line: &str| {
            let (name, value) = line.split_once(": ")?;
            Some((name.to_ascii_lowercase(), value.to_owned()))
        };
        Self { status, headers: lines.filter_map(header).collect(), body: String::new() }
    }

    /// The value of a header that occurs once.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let mut values = self.headers.iter().filter(|(known, _)| known == name);
        let value = values.next();
        assert!(values.next().is_none(), "{name} occurs twice");
        value.map(|(_, value)| value.as_str())
    }

    /// The names of all headers.
    pub(crate) fn header_names(&self) -> Vec<&str> {
        self.headers.iter().map(|(name, _)| name.as_str()).collect()
    }

    /// The sentence of an error, whose body must have no other member.
    #[track_caller]
    pub(crate) fn detail(&self) -> String {
        assert_eq!(self.header("content-type"), Some("application/json"), "{self:?}");
        let body: serde_json::Value = serde_json::from_str(&self.body).unwrap();
        let members = body.as_object().unwrap();
        assert_eq!(members.len(), 1, "{body}");
        let detail = members["detail"].as_str().unwrap();
        assert!(detail.ends_with('.'), "{detail}");
        detail.to_owned()
    }
}
