//! Honest clients beside the attacks: readers at 3.2 Mbit/s, uploads at 0.3 Mbit/s, browsers that load
//! pages on six connections at once, and newcomers of an address whose other connections are idle.
//! Nothing of theirs may be cut; large work alone may be put off.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::net::{Ipv4Addr, SocketAddr};
use std::rc::Rc;
use std::time::{Duration, Instant};

use serde_json::json;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::task::{JoinSet, LocalSet};
use tokio::time::{sleep, sleep_until};
use toolkit_measure::Result;
use toolkit_measure::cases::{self, Case};
use toolkit_measure::client::{head_length, runtime};

use crate::attack::connect;

/// Bytes that a reader takes, and how often.
const PIECE: usize = 20_000;
const EVERY: Duration = Duration::from_millis(50);

/// Numbers at a depth of 500 in the documents of the readers: answers of 3.3 and of 7.6 MiB. An MCP answer
/// contains its result twice: with a third, of 4.8 and of 7.6.
const NUMBERS: [usize; 2] = [375, 1_500];

/// Bytes of an upload, and of its pieces. One address sends one at a time, another one many, as an office.
const UPLOAD: usize = 400_000;
const UPLOAD_PIECE: usize = 4_000;
const UPLOAD_EVERY: Duration = Duration::from_millis(100);
const UPLOADS: [u8; 2] = [1, 11];

/// Addresses of browsers, and connections of each.
const BROWSERS: u8 = 4;
const CONNECTIONS: u8 = 6;
/// Pause of a browser after a page.
const PAUSE: Duration = Duration::from_secs(1);

/// What became of the answers to honest clients.
#[derive(Default)]
pub(crate) struct Honest {
    /// Answers that were read whole, and pages.
    pub(crate) answers: usize,
    pub(crate) pages: usize,
    /// Bodies that were taken whole, and newcomers that were served.
    pub(crate) uploads: usize,
    pub(crate) newcomers: usize,
    /// Large requests that were put off by 503 before any work.
    pub(crate) put_off: usize,
    /// What was cut, and what was refused otherwise.
    pub(crate) faults: BTreeMap<String, usize>,
}

impl Honest {
    fn fault(&mut self, what: &str, fault: &str) {
        *self.faults.entry(format!("{what}: {fault}")).or_default() += 1;
    }
}

/// Reads and loads for the given time.
pub(crate) fn ask(server: SocketAddr, is_mcp: bool, time: Duration) -> Result<Honest> {
    let (seen, tasks) = (Rc::new(RefCell::new(Honest::default())), LocalSet::new());
    let end = Instant::now() + time;
    for (last, numbers) in (1..).zip(NUMBERS) {
        let numbers = if is_mcp { numbers / 3 } else { numbers };
        let (seen, request) = (Rc::clone(&seen), document(numbers, is_mcp).request(server));
        tasks.spawn_local(async move {
            while Instant::now() < end {
                let source = Ipv4Addr::new(127, 3, 0, last);
                match exchange(source, server, &request, Some(EVERY)).await {
                    Ok(()) => seen.borrow_mut().answers += 1,
                    Err(fault) if fault.to_string() == "503" => seen.borrow_mut().put_off += 1,
                    Err(fault) => seen.borrow_mut().fault("reader", &fault.to_string()),
                }
                // Within the rate limit.
                sleep(PAUSE).await;
            }
        });
    }
    load_pages(&tasks, &seen, server, is_mcp, end);
    send(&tasks, &seen, server, is_mcp, end);
    runtime()?.block_on(tasks);
    Ok(seen.take())
}

/// Loads pages and sends bodies for the given time; connects from an address whose other connections
/// are idle, if there is one.
pub(crate) fn visit(
    server: SocketAddr,
    time: Duration,
    crowded: Option<Ipv4Addr>,
) -> Result<Honest> {
    let (seen, tasks) = (Rc::new(RefCell::new(Honest::default())), LocalSet::new());
    let end = Instant::now() + time;
    load_pages(&tasks, &seen, server, false, end);
    send(&tasks, &seen, server, false, end);
    if let Some(source) = crowded {
        let seen = Rc::clone(&seen);
        tasks.spawn_local(async move {
            let request = b"GET /toolkit/api/flags HTTP/1.1\r\nHost: localhost\r\n\r\n";
            while Instant::now() < end {
                match exchange(source, server, request, None).await {
                    Ok(()) => seen.borrow_mut().newcomers += 1,
                    Err(fault) => seen.borrow_mut().fault("newcomer", &fault.to_string()),
                }
                sleep(PAUSE).await;
            }
        });
    }
    runtime()?.block_on(tasks);
    Ok(seen.take())
}

type Tally = Rc<RefCell<Honest>>;

fn load_pages(tasks: &LocalSet, seen: &Tally, server: SocketAddr, is_mcp: bool, end: Instant) {
    for last in 1..=BROWSERS {
        let seen = Rc::clone(seen);
        tasks.spawn_local(async move {
            let source = Ipv4Addr::new(127, 3, 1, last);
            while Instant::now() < end {
                match page(source, server, is_mcp).await {
                    Ok(()) => seen.borrow_mut().pages += 1,
                    Err(fault) => seen.borrow_mut().fault("page", &fault.to_string()),
                }
                sleep(PAUSE).await;
            }
        });
    }
}

/// Sends bodies slowly.
fn send(tasks: &LocalSet, seen: &Tally, server: SocketAddr, is_mcp: bool, end: Instant) {
    let text = "x".repeat(UPLOAD);
    let case = if is_mcp {
        cases::call("hash_text", &json!({"text": text, "algorithm": "sha256"}), false)
    } else {
        cases::run("upload", "hash-generator", &json!({"text": text, "algorithm": "sha256"}))
    };
    let request: Rc<[u8]> = case.request(server).into();
    for (last, uploads) in (1..).zip(UPLOADS) {
        for _ in 0..uploads {
            let (seen, request) = (Rc::clone(seen), Rc::clone(&request));
            tasks.spawn_local(async move {
                while Instant::now() < end {
                    match upload(Ipv4Addr::new(127, 3, 2, last), server, &request).await {
                        Ok(()) => seen.borrow_mut().uploads += 1,
                        Err(fault) if fault.to_string() == "503" => seen.borrow_mut().put_off += 1,
                        Err(fault) => seen.borrow_mut().fault("upload", &fault.to_string()),
                    }
                    sleep(PAUSE).await;
                }
            });
        }
    }
}

async fn upload(source: Ipv4Addr, server: SocketAddr, request: &[u8]) -> Result<()> {
    let mut stream = connect(source, server).await?;
    let mut sent = 0;
    for piece in request.chunks(UPLOAD_PIECE) {
        // What the server answered before it closed the connection says why.
        if stream.write_all(piece).await.is_err() {
            break;
        }
        sent += piece.len();
        sleep(UPLOAD_EVERY).await;
    }
    let mut head = [0; 12];
    let answer = stream.read_exact(&mut head).await;
    answer.map_err(|fault| format!("{fault} after {} KB", sent / 1_000))?;
    let status = String::from_utf8_lossy(head.get(9..).unwrap_or_default());
    if status == "200" { Ok(()) } else { Err(status.into()) }
}

fn document(numbers: usize, is_mcp: bool) -> Case {
    let (open, close) = ("[".repeat(500), "]".repeat(500));
    let text = format!("{open}{}1{close}", "1,".repeat(numbers));
    let input = json!({"text": text, "from_format": "json", "indent": 8});
    if is_mcp {
        cases::call("format_data", &input, false)
    } else {
        cases::run("reader", "data-converter", &input)
    }
}

/// Loads a page with what it needs, on all connections at once.
async fn page(source: Ipv4Addr, server: SocketAddr, is_mcp: bool) -> Result<()> {
    let paths: [&'static str; 3] = if is_mcp {
        ["/llms.txt", "/toolkit/mcp/server-card", "/llms.txt"]
    } else {
        ["/toolkit/", "/toolkit/tools/json-formatter", "/toolkit/api/tools"]
    };
    let mut loads = JoinSet::new();
    for path in paths.into_iter().cycle().take(CONNECTIONS.into()) {
        let request = format!("GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n");
        loads.spawn_local(async move {
            let loaded = exchange(source, server, request.as_bytes(), None).await;
            loaded.map_err(|fault| fault.to_string())
        });
    }
    while let Some(loaded) = loads.join_next().await {
        loaded??;
    }
    Ok(())
}

/// Sends a request and reads its answer, at the pace of a reader or at once.
async fn exchange(
    source: Ipv4Addr,
    server: SocketAddr,
    request: &[u8],
    every: Option<Duration>,
) -> Result<()> {
    let mut stream = connect(source, server).await?;
    stream.write_all(request).await?;
    let (mut seen, mut length, mut piece) = (0, None, vec![0; PIECE]);
    let mut due = tokio::time::Instant::now();
    while length.is_none_or(|length| seen < length) {
        let read = stream.read(&mut piece).await?;
        if read == 0 {
            return Err("it was cut".into());
        }
        if length.is_none() {
            let start = piece.get(..read).unwrap_or_default();
            if !start.starts_with(b"HTTP/1.1 200 ") {
                return Err(String::from_utf8_lossy(start.get(9..12).unwrap_or_default()).into());
            }
            let head = head_length(start);
            let text = String::from_utf8_lossy(start.get(..head).unwrap_or_default());
            let text = text.to_ascii_lowercase();
            let mut lines = text.lines();
            let body = lines.find_map(|line| line.strip_prefix("content-length:"));
            length = Some(head + body.unwrap_or("0").trim().parse::<usize>()?);
        }
        seen += read;
        if let Some(every) = every {
            // On average: a read returns less than a piece.
            due +=
                every.mul_f64(f64::from(u32::try_from(read)?) / f64::from(u32::try_from(PIECE)?));
            sleep_until(due).await;
        }
    }
    Ok(())
}
