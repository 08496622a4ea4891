//! Server on a free port, and a client that writes exactly the given bytes.

use std::fmt::Write as _;
use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use mcp_server::Server;
use serde_json::{Value as Json, json};
use toolkit_server::settings::Settings;

/// Longer than any wait of a test.
const PATIENCE: Duration = Duration::from_secs(40);

/// Path of the endpoint.
pub(crate) const ENDPOINT: &str = "/toolkit/mcp";

/// The revisions with a handshake.
pub(crate) const HANDSHAKE: [&str; 3] = ["2025-03-26", "2025-06-18", "2025-11-25"];
/// The revision without one.
pub(crate) const STATELESS: &str = "2026-07-28";

/// A server that runs in separate threads until the tests end.
pub(crate) struct Served {
    pub(crate) address: SocketAddr,
}

/// Starts a server with the settings common to the tests.
pub(crate) fn spawn() -> Served {
    spawn_with("")
}

/// Starts a server with more settings, as TOML.
pub(crate) fn spawn_with(more: &str) -> Served {
    let limits = if more.contains("limits.") { "" } else { "limits.mcp_per_minute = 0\n" };
    let settings = settings(&format!("mcp.admin_bind = \"\"\n{limits}{more}"));
    spawn_server(move || {
        let server = Server::build(&settings).unwrap();
        (server.address(), run(server))
    })
}

/// Starts a server with an admin port, which is returned second.
pub(crate) fn spawn_with_admin() -> (Served, Served) {
    let settings = settings("mcp.admin_bind = \"127.0.0.1:0\"\nlimits.mcp_per_minute = 0\n");
    let (admin_to, admin) = mpsc::channel();
    let server = spawn_server(move || {
        let server = Server::build(&settings).unwrap();
        admin_to.send(server.admin_address().unwrap()).unwrap();
        (server.address(), run(server))
    });
    let address = admin.recv_timeout(PATIENCE).unwrap();
    (server, Served { address })
}

/// Settings common to the tests, and more as TOML.
fn settings(more: &str) -> Settings {
    let text = format!("mcp.bind = \"127.0.0.1:0\"\nlog.level = \"off\"\nhttp.workers = 1\n{more}");
    Settings::parse(&text, []).unwrap()
}

async fn run(server: Server) {
    server.run().await.unwrap();
}

/// Runs a server in a thread: `start` returns its address, and the future that serves.
pub(crate) fn spawn_server<F: Future<Output = ()>>(
    start: impl FnOnce() -> (SocketAddr, F) + Send + 'static,
) -> Served {
    // The server installs its panic log only if it is the first to log; this way the panics of a
    // test are printed.
    let _ = tracing::subscriber::set_global_default(tracing::subscriber::NoSubscriber::default());
    let (address_to, address) = mpsc::channel();
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async move {
            let (address, run) = start();
            address_to.send(address).unwrap();
            run.await;
        });
    });
    let address = address.recv_timeout(PATIENCE).unwrap();
    let deadline = Instant::now() + PATIENCE;
    while std::net::TcpStream::connect(address).is_err() {
        assert!(Instant::now() < deadline, "the server accepts nobody");
    }
    Served { address }
}

/// Builder of a request.
#[derive(Clone)]
pub(crate) struct Ask {
    method: &'static str,
    path: String,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
}

impl Ask {
    /// Returns a request without a body.
    pub(crate) fn new(method: &'static str, path: &str) -> Self {
        Self { method, path: path.to_owned(), headers: Vec::new(), body: Vec::new() }
    }

    /// Returns a POST whose bytes are declared to be JSON.
    pub(crate) fn post(body: impl Into<Vec<u8>>) -> Self {
        let mut ask = Self::new("POST", ENDPOINT).header("Content-Type", "application/json");
        ask.body = body.into();
        ask
    }

    /// Returns a message of a revision with a handshake.
    pub(crate) fn message(message: &Json) -> Self {
        Self::post(message.to_string()).header("Accept", "application/json, text/event-stream")
    }

    /// Returns a request of a revision with a handshake.
    pub(crate) fn request(method: &str, params: &Json) -> Self {
        Self::message(&json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}))
            .header("MCP-Protocol-Version", "2025-11-25")
    }

    /// Returns a request of 2026-07-28, with the required headers and `_meta`.
    pub(crate) fn stateless(method: &str, mut params: Json) -> Self {
        params["_meta"] = meta();
        let name = params["name"].as_str().map(str::to_owned);
        let message = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
        let ask = Self::message(&message)
            .header("MCP-Protocol-Version", STATELESS)
            .header("Mcp-Method", method);
        match name {
            Some(name) => ask.header("Mcp-Name", &name),
            None => ask,
        }
    }

    /// Adds a header.
    pub(crate) fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Removes a header.
    pub(crate) fn without(mut self, name: &str) -> Self {
        self.headers.retain(|(known, _)| !known.eq_ignore_ascii_case(name));
        self
    }

    /// Changes the path.
    pub(crate) fn at(mut self, path: &str) -> Self {
        path.clone_into(&mut self.path);
        self
    }

    fn bytes(&self, address: SocketAddr) -> Vec<u8> {
        let mut head = format!("{} {} HTTP/1.1\r\n", self.method, self.path);
        if !self.headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("host")) {
            let _ = write!(head, "Host: {address}\r\n");
        }
        for (name, value) in &self.headers {
            let _ = write!(head, "{name}: {value}\r\n");
        }
        let _ = write!(head, "Content-Length: {}\r\nConnection: close\r\n\r\n", self.body.len());
        [head.into_bytes(), self.body.clone()].concat()
    }
}

/// Returns a request that every server answers.
pub(crate) fn ping() -> Ask {
    Ask::request("ping", &json!({}))
}

/// Returns a call that succeeds.
pub(crate) fn call() -> Ask {
    let arguments = json!({"text": "Hi", "mode": "encode"});
    Ask::request("tools/call", &json!({"name": "base64_transform", "arguments": arguments}))
}

/// Returns the required content of `_meta` in a request of 2026-07-28.
pub(crate) fn meta() -> Json {
    json!({
        "io.modelcontextprotocol/protocolVersion": STATELESS,
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    })
}

/// An answer.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

impl Reply {
    /// Returns the value of a header.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let known = self.headers.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        known.map(|(_, value)| value.as_str())
    }

    /// Returns the body as text.
    pub(crate) fn text(&self) -> &str {
        std::str::from_utf8(&self.body).unwrap()
    }

    /// Returns the body as JSON.
    pub(crate) fn json(&self) -> Json {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// Returns the sentence of a refusal by the HTTP layer.
    pub(crate) fn detail(&self) -> String {
        let body = self.json();
        assert_eq!(body.as_object().unwrap().len(), 1, "{body}");
        assert_eq!(self.header("content-type"), Some("application/json"));
        body["detail"].as_str().unwrap().to_owned()
    }

    /// Returns the result of a successful request.
    pub(crate) fn result(&self) -> Json {
        let body = self.json();
        assert_eq!(self.status, 200, "{body}");
        assert!(body.get("error").is_none(), "{body}");
        body["result"].clone()
    }

    /// Returns the code and the message of a JSON-RPC error.
    pub(crate) fn error(&self) -> (i64, String) {
        let body = self.json();
        let error = &body["error"];
        let code = error["code"].as_i64().unwrap_or_else(|| panic!("no error: {body}"));
        (code, error["message"].as_str().unwrap().to_owned())
    }
}

impl Served {
    /// Sends a request on a new connection.
    pub(crate) fn send(&self, ask: &Ask) -> Reply {
        self.send_bytes(&ask.bytes(self.address))
    }

    /// Sends bytes and reads until the connection closes.
    pub(crate) fn send_bytes(&self, bytes: &[u8]) -> Reply {
        let mut stream = self.connect();
        stream.write_all(bytes).unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        parse(&answer)
    }

    /// Sends a request without reading the answer; dropping the connection disconnects the client.
    pub(crate) fn send_only(&self, ask: &Ask) -> TcpStream {
        let mut stream = self.connect();
        stream.write_all(&ask.bytes(self.address)).unwrap();
        stream
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream
    }

    /// Calls a tool as a client of 2025-11-25 does, and returns the result.
    pub(crate) fn call(&self, tool: &str, arguments: &Json) -> Json {
        let params = json!({"name": tool, "arguments": arguments});
        self.send(&Ask::request("tools/call", &params)).result()
    }
}

fn parse(answer: &[u8]) -> Reply {
    let end = answer.windows(4).position(|window| window == b"\r\n\r\n").expect("a head") + 4;
    let head = std::str::from_utf8(&answer[..end]).unwrap();
    let mut lines = head.lines();
    let status = lines.next().unwrap().split(' ').nth(1).unwrap().parse().unwrap();
    let headers: Vec<_> = lines
        .filter_map(|line| line.split_once(": "))
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect();
    let chunked = headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("transfer-encoding"));
    let body = if chunked { unchunk(&answer[end..]) } else { answer[end..].to_vec() };
    Reply { status, headers, body }
}

fn unchunk(mut rest: &[u8]) -> Vec<u8> {
    let mut body = Vec::new();
    while let Some(end) = rest.windows(2).position(|window| window == b"\r\n") {
        let length = std::str::from_utf8(&rest[..end]).unwrap();
        let length = usize::from_str_radix(length, 16).unwrap();
        body.extend_from_slice(&rest[end + 2..end + 2 + length]);
        rest = &rest[end + 4 + length..];
    }
    body
}
