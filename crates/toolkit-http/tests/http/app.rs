//! A small app on a real socket, and a client that writes the bytes it is told to.

use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use actix_web::http::StatusCode;
use actix_web::{App, HttpRequest, HttpResponse, web};
use toolkit_http::body;
use toolkit_http::client_ip::Proxies;
use toolkit_http::error_response::{self, HttpError};
use toolkit_http::middleware::{self, Cors, Middleware};
use toolkit_http::rate_limiter::Limiter;
use toolkit_http::server::{Ended, Listener};
use toolkit_http::settings::{LogFormat, Network, Origins};
use toolkit_http::telemetry::{AccessLog, Sink};

/// Longer than anything that a test waits for.
const PATIENCE: Duration = Duration::from_secs(40);

/// The body limit of the app.
pub(crate) const LIMIT: usize = 1 << 20;

/// A server that is running in threads of its own.
pub(crate) struct Served {
    pub(crate) address: SocketAddr,
    log: mpsc::Receiver<Vec<u8>>,
    stop: Option<tokio::sync::oneshot::Sender<Duration>>,
    ended: mpsc::Receiver<Ended>,
}

/// Starts the app for any origin.
pub(crate) fn spawn() -> Served {
    spawn_for(Origins::Any)
}

/// Starts the app for these origins.
pub(crate) fn spawn_for(origins: Origins) -> Served {
    spawn_edge(move |log| Middleware::new(Cors::new(origins), Some(log), 1))
}

/// Starts the app after this middleware.
pub(crate) fn spawn_edge(
    middleware: impl FnOnce(AccessLog) -> Middleware + Send + 'static,
) -> Served {
    let (lines, log) = mpsc::channel();
    let (stop, stopped) = tokio::sync::oneshot::channel::<Duration>();
    let (address_to, address) = mpsc::channel();
    let (ended_to, ended) = mpsc::channel();
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Runtime::new().unwrap();
        runtime.block_on(async move {
            let sink = Sink::new(LogFormat::Json, Lines(lines));
            let middleware = middleware(AccessLog::new(sink, LogFormat::Json));
            let listener = Listener::bind("127.0.0.1:0".parse().unwrap()).unwrap();
            let limiter = web::Data::new(Limiter::new("test", 1, 3));
            let app = move || {
                App::new()
                    .app_data(limiter.clone())
                    .configure(routes)
                    .default_service(error_response::not_found())
                    .wrap(middleware.clone())
            };
            let server = listener.serve(1, app).unwrap();
            address_to.send(server.address()).unwrap();
            if let Ok(grace) = stopped.await {
                ended_to.send(server.stop(grace).await).unwrap();
            }
        });
        runtime.shutdown_background();
    });
    let address = address.recv_timeout(PATIENCE).unwrap();
    Served {
        address,
        log,
        stop: Some(stop),
        ended,
    }
}

struct Lines(mpsc::Sender<Vec<u8>>);

impl Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let _ = self.0.send(bytes.to_vec());
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

fn routes(app: &mut web::ServiceConfig) {
    let resource =
        |path: &str, methods| web::resource(path).default_service(error_response::only(methods));
    app.service(resource("/hello", "GET, HEAD").get(async || "hello"))
        .service(resource("/cached", "GET, HEAD").get(cached))
        .service(resource("/echo", "POST").post(echo))
        .service(resource("/refuse", "POST").post(refuse))
        .service(resource("/framework", "POST").post(framework))
        .service(resource("/panic", "GET, HEAD").get(panic))
        .service(resource("/slow/{ms}", "GET, HEAD").get(slow))
        .service(resource("/large", "GET, HEAD").get(async || "x".repeat(8 << 20)))
        .service(resource("/tools/{slug}", "GET, HEAD").get(tool))
        .service(resource("/limited", "POST").post(limited));
}

async fn cached() -> HttpResponse {
    HttpResponse::Ok()
        .insert_header(("cache-control", "max-age=60"))
        .body("cached")
}

async fn echo(request: HttpRequest, payload: web::Payload) -> Result<HttpResponse, HttpError> {
    let bytes = body::read_json(&request, payload.into_inner(), LIMIT).await?;
    Ok(HttpResponse::Ok()
        .content_type("application/json")
        .body(bytes))
}

async fn refuse() -> Result<HttpResponse, HttpError> {
    let refusal = HttpError::new(StatusCode::UNAUTHORIZED, "The key is missing.");
    Err(refusal.authenticate("ApiKey"))
}

async fn framework(_: web::Json<Vec<u8>>) -> &'static str {
    "read"
}

async fn panic() -> HttpResponse {
    panic!("as the test asks")
}

async fn slow(milliseconds: web::Path<u64>) -> &'static str {
    tokio::time::sleep(Duration::from_millis(*milliseconds)).await;
    "slow"
}

async fn tool(request: HttpRequest) -> String {
    middleware::set_tool(&request, "hash");
    middleware::request_id(&request).to_string()
}

/// Lets three requests through, and then one a minute.
async fn limited(
    request: HttpRequest,
    payload: web::Payload,
    limiter: web::Data<Limiter>,
) -> Result<HttpResponse, HttpError> {
    let proxies = Proxies::new(vec![Network::parse("127.0.0.1").unwrap()]);
    limiter.admit(proxies.client(&request)).await?;
    echo(request, payload).await
}

impl Served {
    /// Opens a connection.
    pub(crate) fn connect(&self) -> Connection {
        Connection::open(self.address)
    }

    /// Sends one request on a connection of its own and reads its answer.
    pub(crate) fn send(&self, request: &str) -> Answer {
        let mut connection = self.connect();
        connection.write(request.as_bytes());
        connection.answer()
    }

    /// Gets a path.
    pub(crate) fn get(&self, path: &str) -> Answer {
        self.send(&format!("GET {path} HTTP/1.1\r\nhost: x\r\n\r\n"))
    }

    /// Posts JSON.
    pub(crate) fn post(&self, path: &str, body: &str) -> Answer {
        self.send(&post(path, body))
    }

    /// Asks the server to stop within a grace.
    pub(crate) fn stop(&mut self, grace: Duration) {
        self.stop.take().unwrap().send(grace).unwrap();
    }

    /// Waits for the end of the server.
    pub(crate) fn ended(&self) -> Ended {
        self.ended.recv_timeout(PATIENCE).unwrap()
    }

    /// Waits for a log line that has these words.
    pub(crate) fn log_line(&self, words: &str) -> serde_json::Value {
        let deadline = Instant::now() + PATIENCE;
        let mut text = String::new();
        while Instant::now() < deadline {
            let Ok(bytes) = self.log.recv_timeout(Duration::from_secs(1)) else {
                continue;
            };
            text.push_str(&String::from_utf8(bytes).unwrap());
            if let Some(line) = text.lines().find(|line| line.contains(words)) {
                return serde_json::from_str(line).unwrap();
            }
        }
        panic!("no line with {words} in {text}");
    }
}

/// The bytes of a POST of JSON.
pub(crate) fn post(path: &str, body: &str) -> String {
    let length = body.len();
    format!(
        "POST {path} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n\r\n{body}"
    )
}

/// A connection that writes the bytes it is told to.
pub(crate) struct Connection {
    stream: TcpStream,
    pending: Vec<u8>,
}

impl Connection {
    /// Opens a connection.
    pub(crate) fn open(address: SocketAddr) -> Self {
        let stream = TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream.set_nodelay(true).unwrap();
        Self {
            stream,
            pending: Vec::new(),
        }
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

    /// Says that no more bytes come.
    pub(crate) fn finish(&mut self) {
        self.stream.shutdown(Shutdown::Write).unwrap();
    }

    /// Reads an answer, with its body.
    pub(crate) fn answer(&mut self) -> Answer {
        self.answer_to("GET")
    }

    /// Reads the answer to a method: that to HEAD has no body.
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
            let length = answer
                .header("content-length")
                .map_or(0, |length| length.parse().unwrap());
            while self.pending.len() < length {
                assert!(self.more(), "closed within a body");
            }
            answer.body = String::from_utf8(self.pending.drain(..length).collect()).unwrap();
        }
        answer
    }

    /// Whether the server closes, and says nothing more before. A reset is a way to close.
    pub(crate) fn is_closed(&mut self) -> bool {
        assert_eq!(String::from_utf8_lossy(&self.pending), "");
        !self.more()
    }

    /// Everything that comes until the server closes.
    pub(crate) fn rest(&mut self) -> String {
        while self.more() {}
        String::from_utf8(std::mem::take(&mut self.pending)).unwrap()
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
    bytes
        .windows(pattern.len())
        .position(|window| window == pattern)
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
        let status = lines
            .next()
            .unwrap()
            .split(' ')
            .nth(1)
            .unwrap()
            .parse()
            .unwrap();
        let header = |line: &str| {
            let (name, value) = line.split_once(": ")?;
            Some((name.to_ascii_lowercase(), value.to_owned()))
        };
        Self {
            status,
            headers: lines.filter_map(header).collect(),
            body: String::new(),
        }
    }

    /// The value of a header that stands there once.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let mut values = self.headers.iter().filter(|(known, _)| known == name);
        let value = values.next();
        assert!(values.next().is_none(), "{name} stands twice");
        value.map(|(_, value)| value.as_str())
    }

    /// The names of all headers.
    pub(crate) fn header_names(&self) -> Vec<&str> {
        self.headers.iter().map(|(name, _)| name.as_str()).collect()
    }

    /// The sentence of a refusal, which must have nothing but that.
    #[track_caller]
    pub(crate) fn detail(&self) -> String {
        assert_eq!(
            self.header("content-type"),
            Some("application/json"),
            "{self:?}"
        );
        let body: serde_json::Value = serde_json::from_str(&self.body).unwrap();
        let members = body.as_object().unwrap();
        assert_eq!(members.len(), 1, "{body}");
        let detail = members["detail"].as_str().unwrap();
        assert!(detail.ends_with('.'), "{detail}");
        detail.to_owned()
    }
}
