//! Fake model provider: sends events according to a plan, and counts them.

use std::io;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

const HEAD: &[u8] =
    b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n";

const END: &str = "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n";

/// A call of a tool that takes long: its pattern backtracks over every way to split the text.
const LONG_CALL: &str = concat!(
    r#"data: {"model":"m","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"c","type":"function","#,
    r#""function":{"name":"regex_test","arguments":"{\"pattern\":\"(a+)+b\\\\1\",\"text\":\""#,
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
    r#"\"}"}}]},"finish_reason":"tool_calls"}]}"#,
    "\n\ndata: [DONE]\n\n"
);

/// Behavior of the provider on a request.
#[derive(Clone, Copy)]
pub(crate) enum Plan {
    /// This many events, one by one, with this pause between them; each contains the time at which
    /// it was sent.
    Paced { events: usize, pause: Duration },
    /// This many events at once.
    Flood { events: usize },
    /// An endless series of events of this many characters, as fast as they are read.
    Endless { characters: usize },
    /// This many events of this many characters, as fast as they are read.
    Text { events: usize, characters: usize },
    /// One event, then silence.
    Silent,
    /// A call of a tool that takes long, in a body that does not end.
    Tool,
}

/// A running provider.
pub(crate) struct Model {
    address: SocketAddr,
    shared: Arc<Shared>,
}

struct Shared {
    plan: Mutex<Plan>,
    started: Instant,
    /// Bytes sent.
    sent: AtomicU64,
    /// Connections that the other side closed before the end, and the time of the last one.
    closed: AtomicUsize,
    closed_at: Mutex<Option<Instant>>,
}

impl Model {
    pub(crate) async fn start() -> io::Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let address = listener.local_addr()?;
        let shared = Arc::new(Shared {
            plan: Mutex::new(Plan::Silent),
            started: Instant::now(),
            sent: AtomicU64::new(0),
            closed: AtomicUsize::new(0),
            closed_at: Mutex::new(None),
        });
        let serving = Arc::clone(&shared);
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let shared = Arc::clone(&serving);
                tokio::spawn(async move {
                    let _ = serve(stream, &shared).await;
                });
            }
        });
        Ok(Self { address, shared })
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Sets the plan for all connections, and resets the counters.
    pub(crate) fn plan(&self, plan: Plan) {
        self.shared.sent.store(0, Ordering::SeqCst);
        self.shared.closed.store(0, Ordering::SeqCst);
        self.plan_for_new(plan);
    }

    /// Sets the plan for new requests only.
    pub(crate) fn plan_for_new(&self, plan: Plan) {
        if let Ok(mut current) = self.shared.plan.lock() {
            *current = plan;
        }
    }

    /// Microseconds since the start, as in its events.
    pub(crate) fn now(&self) -> u64 {
        micros(self.shared.started)
    }

    /// Bytes sent since the last plan.
    pub(crate) fn sent(&self) -> u64 {
        self.shared.sent.load(Ordering::SeqCst)
    }

    /// Connections closed before the end since the last plan.
    pub(crate) fn closed(&self) -> usize {
        self.shared.closed.load(Ordering::SeqCst)
    }

    /// Waits until this many connections are closed; returns when the last one was.
    pub(crate) async fn wait_closed(&self, count: usize, patience: Duration) -> Option<Instant> {
        let end = Instant::now() + patience;
        while self.closed() < count {
            if Instant::now() > end {
                return None;
            }
            tokio::time::sleep(Duration::from_micros(200)).await;
        }
        self.shared.closed_at.lock().ok().and_then(|at| *at)
    }
}

impl Shared {
    fn note_close(&self) {
        if let Ok(mut at) = self.closed_at.lock() {
            *at = Some(Instant::now());
        }
        self.closed.fetch_add(1, Ordering::SeqCst);
    }
}

fn micros(since: Instant) -> u64 {
    u64::try_from(since.elapsed().as_micros()).unwrap_or(u64::MAX)
}

fn event(text: &str) -> String {
    format!(
        "data: {{\"id\":\"chatcmpl-1\",\"object\":\"chat.completion.chunk\",\"model\":\"m\",\"choices\":[{{\"index\":0,\"delta\":{{\"content\":\"{text}\"}},\"finish_reason\":null}}]}}\n\n"
    )
}

fn chunk(text: &str) -> Vec<u8> {
    format!("{:x}\r\n{text}\r\n", text.len()).into_bytes()
}

async fn serve(mut stream: TcpStream, shared: &Shared) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let mut bytes = Vec::new();
    loop {
        read_request(&mut stream, &mut bytes).await?;
        let plan = shared.plan.lock().map_or(Plan::Silent, |plan| *plan);
        let answered = answer(&mut stream, plan, shared).await;
        if answered.is_err() {
            shared.note_close();
            return answered;
        }
    }
}

/// Reads and discards a request whose body has a `Content-Length`.
async fn read_request(stream: &mut TcpStream, bytes: &mut Vec<u8>) -> io::Result<()> {
    loop {
        let text = String::from_utf8_lossy(bytes);
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let mut lines = head.lines().map(str::to_ascii_lowercase);
            let length = lines.find_map(|line| line.strip_prefix("content-length: ")?.parse().ok());
            if body.len() >= length.unwrap_or(0usize) {
                bytes.clear();
                return Ok(());
            }
        }
        if stream.read_buf(bytes).await? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
    }
}

async fn answer(stream: &mut TcpStream, plan: Plan, shared: &Shared) -> io::Result<()> {
    stream.write_all(HEAD).await?;
    match plan {
        Plan::Paced { events, pause } => {
            let mut clock = tokio::time::interval(pause);
            clock.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
            for _ in 0..events {
                clock.tick().await;
                let stamp = format!("{} ", micros(shared.started));
                stream.write_all(&chunk(&event(&stamp))).await?;
            }
        }
        Plan::Flood { events } => {
            let body = event("word ").repeat(events);
            stream.write_all(&chunk(&body)).await?;
        }
        Plan::Text { events, characters } => {
            send_all(stream, shared, events, characters).await?;
        }
        Plan::Endless { characters } => {
            send_all(stream, shared, usize::MAX, characters).await?;
        }
        Plan::Silent => return hang(stream, &event("Hi")).await,
        Plan::Tool => return hang(stream, LONG_CALL).await,
    }
    stream.write_all(&chunk(END)).await?;
    stream.write_all(b"0\r\n\r\n").await
}

async fn send_all(
    stream: &mut TcpStream,
    shared: &Shared,
    events: usize,
    characters: usize,
) -> io::Result<()> {
    // Six bytes per character on both connections, so that the limit of a reply's text is not
    // reached.
    let piece = chunk(&event(&"\\u0001".repeat(characters)));
    for _ in 0..events {
        stream.write_all(&piece).await?;
        shared.sent.fetch_add(piece.len() as u64, Ordering::SeqCst);
    }
    Ok(())
}

/// Sends something, and waits until the other side closes the connection.
async fn hang(stream: &mut TcpStream, text: &str) -> io::Result<()> {
    stream.write_all(&chunk(text)).await?;
    let mut rest = [0; 64];
    while stream.read(&mut rest).await? > 0 {}
    Err(io::ErrorKind::UnexpectedEof.into())
}
