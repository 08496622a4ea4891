//! A small app on a real socket.

use std::future::poll_fn;
use std::io::Write;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::{Arc, Mutex, mpsc};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use actix_web::http::StatusCode;
use actix_web::{App, HttpRequest, HttpResponse, web};
use futures_core::Stream;
use tokio::sync::Semaphore;
use toolkit_server::accounts::{Account, Accounts};
use toolkit_server::body;
use toolkit_server::connections;
use toolkit_server::error_response::{self, HttpError};
use toolkit_server::middleware::{self, Middleware};
use toolkit_server::rate_limiter::Limiter;
use toolkit_server::server::{Ended, Listener, State};
use toolkit_server::settings::{Http, Limits, Network, Origins};
use toolkit_server::telemetry::json_line;

use crate::client::{Answer, Connection, post};

/// Longer than any wait of a test.
pub(crate) const PATIENCE: Duration = Duration::from_secs(40);

/// The body limit of the app.
pub(crate) const LIMIT: usize = 1 << 20;

/// Holds requests until a test releases them.
#[derive(Clone)]
pub(crate) struct Gate(Arc<Semaphore>);

impl Gate {
    pub(crate) fn closed() -> Self {
        Self(Arc::new(Semaphore::new(0)))
    }

    /// Releases all waiting requests, and all later ones.
    pub(crate) fn open(&self) {
        self.0.close();
    }

    pub(crate) async fn pass(&self) {
        let _ = self.0.acquire().await;
    }
}

/// Waits until a condition holds.
#[track_caller]
pub(crate) fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    let deadline = Instant::now() + PATIENCE;
    while !is_so() {
        assert!(Instant::now() < deadline, "not within {PATIENCE:?}: {what}");
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// Repeats an action until it takes less than a given time, a few times at most: on a busy machine
/// one measurement says little.
#[track_caller]
pub(crate) fn takes_less_than(bound: Duration, mut attempt: impl FnMut()) {
    let mut times = Vec::new();
    for _ in 0..5 {
        let before = Instant::now();
        attempt();
        times.push(before.elapsed());
        if before.elapsed() < bound {
            return;
        }
    }
    panic!("never under {bound:?}: {times:?}");
}

/// A running server in separate threads.
pub(crate) struct Served {
    pub(crate) address: SocketAddr,
    /// Gate that `/held` waits for.
    pub(crate) gate: Gate,
    state: State,
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
    spawn_edge(move || Middleware::new().cors(origins))
}

/// Starts the app with these accounts.
pub(crate) fn spawn_serving(accounts: Accounts) -> Served {
    spawn_app(|| Middleware::new().cors(Origins::Any), accounts)
}

/// Starts the app after this middleware.
pub(crate) fn spawn_edge(middleware: impl FnOnce() -> Middleware + Send + 'static) -> Served {
    let http =
        Http { trusted_proxies: vec![Network::parse("127.0.0.1/32").unwrap()], ..Http::default() };
    spawn_app(middleware, Accounts::new(&Limits::default(), &http))
}

fn spawn_app(
    middleware: impl FnOnce() -> Middleware + Send + 'static,
    accounts: Accounts,
) -> Served {
    let (lines, log) = mpsc::channel();
    let (stop, stopped) = tokio::sync::oneshot::channel::<Duration>();
    let (started_to, started) = mpsc::channel();
    let (ended_to, ended) = mpsc::channel();
    let gate = Gate::closed();
    let held = web::Data::new(gate.clone());
    let kept = web::Data::new(Kept::new("nothing"));
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Runtime::new().unwrap();
        runtime.block_on(async move {
            let middleware = middleware();
            let log = log_to(lines);
            let listener = Listener::bind("127.0.0.1:0".parse().unwrap()).unwrap();
            let listener = listener.serving(accounts);
            let limiter = web::Data::new(Limiter::new("test", 1, 3));
            let app = move || {
                // For as long as the worker's thread.
                std::mem::forget(tracing::dispatcher::set_default(&log));
                let app = App::new()
                    .app_data(limiter.clone())
                    .app_data(held.clone())
                    .app_data(kept.clone())
                    .configure(routes)
                    .default_service(error_response::not_found());
                middleware.clone().wrap(app)
            };
            let server = listener.serve(1, app).unwrap();
            let started = (server.address(), server.state());
            assert!(started_to.send(started).is_ok());
            if let Ok(grace) = stopped.await {
                ended_to.send(server.stop(grace).await).unwrap();
            }
        });
        runtime.shutdown_background();
    });
    let (address, state) = started.recv_timeout(PATIENCE).unwrap();
    Served { address, gate, state, log, stop: Some(stop), ended }
}

/// A log of the format that the servers have, line by line.
fn log_to(lines: mpsc::Sender<Vec<u8>>) -> tracing::Dispatch {
    let log = tracing_subscriber::fmt().event_format(json_line());
    log.with_writer(Mutex::new(Lines(lines))).finish().into()
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
        .service(resource("/held", "GET, HEAD").get(held))
        .service(resource("/begun", "GET, HEAD").get(begun))
        .service(resource("/streamed", "GET, HEAD").get(streamed))
        .service(resource("/keep", "POST").post(keep))
        .service(resource("/kept", "GET, HEAD").get(kept))
        .service(resource("/large", "GET, HEAD").get(async || "x".repeat(8 << 20)))
        .service(resource("/result", "POST").post(result))
        .service(resource("/tools/{slug}", "GET, HEAD").get(tool))
        .service(resource("/limited", "POST").post(limited));
}

async fn cached() -> HttpResponse {
    HttpResponse::Ok().insert_header(("cache-control", "max-age=60")).body("cached")
}

async fn echo(request: HttpRequest, payload: web::Payload) -> Result<HttpResponse, HttpError> {
    let bytes = body::read_json(&request, payload.into_inner(), LIMIT).await?;
    Ok(HttpResponse::Ok().content_type("application/json").body(bytes))
}

/// A result of 16 MiB, more than the system takes of what nobody reads.
async fn result(request: HttpRequest, payload: web::Payload) -> Result<HttpResponse, HttpError> {
    body::read_json(&request, payload.into_inner(), LIMIT).await?;
    Ok(HttpResponse::Ok().body(connections::hold(&request, "x".repeat(8 << 20))))
}

async fn refuse() -> Result<HttpResponse, HttpError> {
    let refusal = HttpError::new(StatusCode::UNAUTHORIZED, "The key is missing.");
    Err(refusal.authenticate("ApiKey"))
}

async fn framework(_: web::Json<Vec<u8>>) -> &'static str {
    "read"
}

async fn panic() -> HttpResponse {
    panic!("as the test requires")
}

async fn slow(milliseconds: web::Path<u64>) -> &'static str {
    tokio::time::sleep(Duration::from_millis(*milliseconds)).await;
    "slow"
}

async fn held(gate: web::Data<Gate>) -> &'static str {
    gate.pass().await;
    "held"
}

/// Streams one word, and then nothing more.
async fn begun() -> HttpResponse {
    struct Begun(bool);

    impl Stream for Begun {
        type Item = Result<web::Bytes, std::io::Error>;

        fn poll_next(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Self::Item>> {
            if std::mem::replace(&mut self.0, true) {
                return Poll::Pending;
            }
            Poll::Ready(Some(Ok(web::Bytes::from_static(b"begun"))))
        }
    }

    HttpResponse::Ok().streaming(Begun(false))
}

/// Streams two words.
async fn streamed() -> HttpResponse {
    let words = ["two ", "words"].map(|word| Ok::<_, std::io::Error>(web::Bytes::from(word)));
    HttpResponse::Ok().streaming(futures::stream::iter(words))
}

/// Result of reading a body after its request was answered.
type Kept = Mutex<&'static str>;

/// Answers at once, and reads the body once the gate is open.
async fn keep(payload: web::Payload, gate: web::Data<Gate>, kept: web::Data<Kept>) -> &'static str {
    let mut payload = payload.into_inner();
    actix_web::rt::spawn(async move {
        gate.pass().await;
        let first = poll_fn(|cx| Pin::new(&mut payload).poll_next(cx)).await;
        *kept.lock().unwrap() = match first {
            Some(Ok(_)) => "bytes",
            Some(Err(_)) => "an error",
            None => "its end",
        };
    });
    "answered"
}

async fn kept(kept: web::Data<Kept>) -> &'static str {
    *kept.lock().unwrap()
}

async fn tool(request: HttpRequest) -> String {
    middleware::set_tool(&request, "hash");
    middleware::request_id(&request).to_string()
}

/// Admits three requests, and then one a minute.
async fn limited(
    request: HttpRequest,
    payload: web::Payload,
    limiter: web::Data<Limiter>,
) -> Result<HttpResponse, HttpError> {
    limiter.admit(Account::of(&request).client()).await?;
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

    /// Waits until this many requests are in progress.
    pub(crate) fn until_in_flight(&self, requests: usize) {
        let is_so = || self.state.in_flight() == requests;
        until("requests in progress", is_so);
    }

    /// Waits until this many connections are open.
    pub(crate) fn until_open(&self, connections: usize) {
        let is_so = || self.state.connections() == connections;
        until("open connections", is_so);
    }

    /// Waits until the server has closed its listening socket and asks clients to close.
    pub(crate) fn until_stopping(&self) {
        until("the stop", || self.state.is_draining());
    }

    /// Asks the server to stop within a grace period.
    pub(crate) fn stop(&mut self, grace: Duration) {
        self.stop.take().unwrap().send(grace).unwrap();
    }

    /// Waits for the end of the server.
    pub(crate) fn ended(&self) -> Ended {
        self.ended.recv_timeout(PATIENCE).unwrap()
    }

    /// Waits for a log line that contains these words.
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
