//! Honest clients beside those that take much: slow readers, page loads, uploads, and a stop.

use std::io::{self, ErrorKind};
use std::net::{Ipv4Addr, SocketAddr};
use std::time::{Duration, Instant};

use serde_json::json;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpSocket, TcpStream};
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use crate::database::Database;
use crate::helpers::{PATIENCE, Setup, until};
use crate::process::Process;

const RUN: &str = "/toolkit/api/tools/json-formatter/run";
const CONVERT: &str = "/toolkit/api/tools/data-converter/run";

/// Starts the program with default limits, but for those of a rate.
async fn start(more: &[(&str, &str)], descriptors: Option<u32>) -> (Process, Database) {
    let database = Database::sqlite();
    let mut setup = Setup::new(&[
        ("TOOLKIT_LIMITS__RUN_PER_MINUTE", "0"),
        ("TOOLKIT_LIMITS__MCP_PER_MINUTE", "0"),
    ]);
    setup.variables.extend(Setup::new(more).variables);
    setup.descriptors = descriptors;
    let process = Process::start(&setup, &database.url, &database.folder).await;
    (process, database)
}

/// An HTTP connection that is read at the pace of its test.
struct Wire {
    stream: TcpStream,
    seen: Vec<u8>,
}

impl Wire {
    /// Connects from 127.0.0.`last`.
    async fn open(process: &Process, last: u8) -> io::Result<Self> {
        let server: SocketAddr = process.address().parse().unwrap();
        let socket = TcpSocket::new_v4()?;
        socket.set_recv_buffer_size(64 << 10)?;
        socket.set_reuseaddr(true)?;
        socket.bind((Ipv4Addr::new(127, 0, 0, last), 0).into())?;
        let stream = socket.connect(server).await?;
        Ok(Self { stream, seen: Vec::new() })
    }

    async fn send(&mut self, request: &str) -> io::Result<()> {
        self.stream.write_all(request.as_bytes()).await
    }

    /// Reads one answer, so many bytes with a pause after them; returns its status.
    async fn answer(&mut self, bytes: usize, pause: Duration) -> io::Result<u16> {
        let mut piece = vec![0; bytes];
        loop {
            if let Some(whole) = whole_answer(&self.seen) {
                let status = String::from_utf8_lossy(&self.seen[9..12]).parse().unwrap();
                self.seen.drain(..whole);
                return Ok(status);
            }
            match self.stream.read(&mut piece).await? {
                0 => {
                    let end = format!("cut after {} bytes", self.seen.len());
                    return Err(io::Error::new(ErrorKind::UnexpectedEof, end));
                }
                read => self.seen.extend_from_slice(&piece[..read]),
            }
            sleep(pause).await;
        }
    }

    async fn ask(&mut self, request: &str) -> io::Result<u16> {
        self.send(request).await?;
        self.answer(64 << 10, Duration::ZERO).await
    }
}

/// The length of the answer at the beginning of these bytes, once they have all of it.
fn whole_answer(seen: &[u8]) -> Option<usize> {
    let head = seen.windows(4).position(|four| four == b"\r\n\r\n")? + 4;
    let text = String::from_utf8_lossy(&seen[..head]).to_lowercase();
    let length = text.lines().find_map(|line| line.strip_prefix("content-length: "));
    let whole = head + length.map_or(0, |length| length.parse::<usize>().unwrap());
    (seen.len() >= whole).then_some(whole)
}

fn get(path: &str) -> String {
    format!("GET {path} HTTP/1.1\r\nhost: localhost\r\n\r\n")
}

fn post(path: &str, body: &str) -> String {
    format!(
        "POST {path} HTTP/1.1\r\nhost: localhost\r\naccept: application/json\r\n\
         content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    )
}

/// A document of so many bytes for json-formatter, whose answer is about as long.
fn document(bytes: usize) -> String {
    serde_json::to_string(&vec!["0123456789"; bytes / 13]).unwrap()
}

/// Few bytes that become 8 MiB.
fn deep() -> String {
    let text = format!("{}{}1{}", "[".repeat(500), "0,".repeat(1_550), "]".repeat(500));
    json!({"text": text, "indent": 8}).to_string()
}

/// Sends a request again and again from an address.
async fn busy(process: &Process, last: u8, request: &str) {
    loop {
        let Ok(mut wire) = Wire::open(process, last).await else {
            continue;
        };
        while wire.ask(request).await.is_ok() {}
    }
}

#[tokio::test]
async fn a_reader_slower_than_the_server_gets_whole_answers_beside_busy_addresses() {
    let (process, _database) = start(&[], None).await;
    let text = document(900_000);
    let run = post(RUN, &json!({"text": text}).to_string());
    let arguments = json!({"text": text, "from_format": "json"});
    let call = json!({
        "jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": {"name": "format_data", "arguments": arguments},
    });
    let call = post("/toolkit/mcp", &call.to_string());
    let read = async |last, request: &str| {
        let mut wire = Wire::open(&process, last).await?;
        wire.send(request).await?;
        wire.answer(20 << 10, Duration::from_millis(50)).await
    };
    let readers = futures::future::join_all(
        (10..16).map(|last| read(last, if last % 2 == 0 { &run } else { &call })),
    );
    let others = (2..6).map(|last| busy(&process, last, &run));
    let answers = tokio::select! {
        answers = readers => answers,
        _ = futures::future::join_all(others) => unreachable!("they go on"),
    };
    for answer in answers {
        assert_eq!(answer.unwrap(), 200);
    }
}

/// Loads a page as a browser does, on six connections at once.
async fn page_load(process: &Process, last: u8) {
    let paths = ["/toolkit/", "/toolkit/tools/json-formatter", "/toolkit/api/tools"];
    let loads = (0..6).map(async |number| {
        let mut wire = Wire::open(process, last).await?;
        let path = paths[number % paths.len()];
        wire.ask(&get(path)).await
    });
    for status in futures::future::join_all(loads).await {
        assert_eq!(status.unwrap(), 200);
    }
}

#[tokio::test]
async fn pages_load_whole_while_four_addresses_hold_large_answers() {
    let (process, _database) = start(&[], None).await;
    let request = post(RUN, &deep());
    let mut held = Vec::new();
    for last in 2..6 {
        let mut wire = Wire::open(&process, last).await.unwrap();
        wire.send(&request).await.unwrap();
        wire.stream.readable().await.unwrap();
        held.push(wire);
    }
    for _ in 0..10 {
        page_load(&process, 20).await;
    }
}

#[tokio::test]
async fn pages_load_whole_beside_two_people_who_convert_large_documents() {
    let (process, _database) = start(&[], None).await;
    let text = "- name: a\n  value: [1, 2, 3]\n".repeat(32_000);
    let input = json!({"text": text, "from_format": "yaml", "to_format": "json"});
    let request = post(CONVERT, &input.to_string());
    let loads = async {
        for _ in 0..20 {
            page_load(&process, 20).await;
        }
    };
    tokio::select! {
        () = loads => {}
        () = busy(&process, 2, &request) => {}
        () = busy(&process, 3, &request) => {}
    }
}

#[tokio::test]
async fn half_sent_requests_of_a_whole_ipv6_network_keep_nobody_else_out() {
    let proxy = [("TOOLKIT_HTTP__TRUSTED_PROXIES", "127.0.0.1")];
    let (process, _database) = start(&proxy, Some(300)).await;
    let from = |client: &str, request: &str| {
        let header = format!("host: localhost\r\nx-forwarded-for: {client}");
        request.replacen("host: localhost", &header, 1)
    };
    // An upload that is slow and honest, before all others.
    let upload = post(RUN, &json!({"text": document(2_000)}).to_string());
    let upload = from("192.0.2.99", &upload);
    let (first, rest) = upload.split_at(upload.len() - 100);
    let mut slow = Wire::open(&process, 1).await.unwrap();
    slow.send(first).await.unwrap();
    let half = &post(RUN, "{\"text\": \"[]\"}")[..150];
    let mut flood = Vec::new();
    for number in 0..600 {
        let client = format!("2001:db8:0:{number:x}::1");
        let wire = Wire::open(&process, 1).await;
        let mut wire = wire.unwrap();
        let _ = wire.send(&from(&client, half)).await;
        flood.push(wire);
    }
    for last in 1..=12 {
        let request = from(&format!("192.0.2.{last}"), &post(RUN, "{\"text\": \"[]\"}"));
        let answer = async { Wire::open(&process, 1).await?.ask(&request).await };
        let answer = timeout(Duration::from_secs(10), answer).await;
        assert_eq!(answer.expect("an answer in time").unwrap(), 200);
    }
    assert_eq!(slow.ask(rest).await.unwrap(), 200);
}

/// Connections of an address that are kept after a request, as a browser leaves them.
async fn keep(process: &Process, last: u8, connections: usize) -> Vec<Wire> {
    let mut kept = Vec::new();
    for _ in 0..connections {
        let mut wire = Wire::open(process, last).await.unwrap();
        if matches!(wire.ask(&get("/toolkit/api/flags")).await, Ok(200)) {
            kept.push(wire);
        }
    }
    kept
}

#[tokio::test]
async fn slow_uploads_are_whole_beside_more_idle_connections_than_there_are_places() {
    let (process, _database) = start(&[], Some(200)).await;
    let body = json!({"text": document(200_000)}).to_string();
    let request = post(RUN, &body);
    // One alone, and those of an office, of a third of a megabit each.
    let uploads = (0..12).map(async |number| {
        let mut wire = Wire::open(&process, if number == 0 { 2 } else { 3 }).await?;
        for piece in request.as_bytes().chunks(4_000) {
            wire.stream.write_all(piece).await?;
            sleep(Duration::from_millis(100)).await;
        }
        wire.answer(64 << 10, Duration::ZERO).await
    });
    let browsers = async |browsers: std::ops::Range<u8>| {
        let mut open = Vec::new();
        for last in browsers {
            open.extend(keep(&process, last, 6).await);
            sleep(Duration::from_millis(100)).await;
        }
        open
    };
    let idle = browsers(10..40).await;
    assert_eq!(idle.len(), 30 * 6);
    sleep(Duration::from_secs(1)).await;
    let (answers, newcomers) = tokio::join!(futures::future::join_all(uploads), browsers(40..55));
    for answer in answers {
        assert_eq!(answer.unwrap(), 200);
    }
    assert_eq!(newcomers.len(), 15 * 6);
}

#[tokio::test]
async fn newcomers_of_an_address_with_all_its_connections_idle_are_served() {
    let (process, _database) = start(&[], None).await;
    let mut idle = keep(&process, 2, 512).await;
    assert_eq!(idle.len(), 512);
    let newcomers = keep(&process, 2, 5).await;
    assert_eq!(newcomers.len(), 5);
    // As browsers load a page.
    page_load(&process, 2).await;
    let mut last = idle.pop().unwrap();
    assert_eq!(last.ask(&get("/toolkit/api/flags")).await.unwrap(), 200, "the longest idle go");
}

#[tokio::test]
async fn with_few_descriptors_newcomers_are_served_and_idle_connections_make_room() {
    let (process, _database) = start(&[], Some(64)).await;
    let mut open = Vec::new();
    for last in 2..12 {
        for _ in 0..8 {
            let request = async {
                let mut wire = Wire::open(&process, last).await?;
                assert_eq!(wire.ask(&get("/toolkit/api/flags")).await?, 200);
                io::Result::Ok(wire)
            };
            let wire = timeout(Duration::from_secs(10), request).await;
            open.push(wire.expect("an answer in time").unwrap());
        }
        sleep(Duration::from_millis(300)).await;
    }
}

#[tokio::test]
async fn a_small_run_does_not_wait_for_chunked_bodies_that_trickle_from_the_same_address() {
    let (process, _database) = start(&[], None).await;
    let head = format!(
        "POST {RUN} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n\
         transfer-encoding: chunked\r\n\r\n1\r\n \r\n"
    );
    let mut trickling = Vec::new();
    for _ in 0..20 {
        let mut wire = Wire::open(&process, 2).await.unwrap();
        wire.send(&head).await.unwrap();
        trickling.push(wire);
    }
    let start = Instant::now();
    let request = post(RUN, "{\"text\": \"[]\"}");
    for _ in 0..5 {
        for wire in &mut trickling {
            wire.send("1\r\n \r\n").await.unwrap();
        }
        let mut wire = Wire::open(&process, 2).await.unwrap();
        assert_eq!(wire.ask(&request).await.unwrap(), 200);
    }
    // The others get their 408 after 15 seconds.
    assert!(start.elapsed() < Duration::from_secs(8), "{:?}", start.elapsed());
}

/// What became of the requests of one client until it was refused a connection.
async fn until_refused(process: &Process, last: u8, keeps: bool) -> Vec<String> {
    let (request, mut faults) = (get("/toolkit/api/flags"), Vec::new());
    loop {
        let mut wire = match Wire::open(process, last).await {
            Ok(wire) => wire,
            Err(error) if error.kind() == ErrorKind::ConnectionRefused => return faults,
            Err(error) => {
                faults.push(format!("connect: {error}"));
                continue;
            }
        };
        loop {
            match wire.ask(&request).await {
                Ok(200) if keeps && wire.seen.is_empty() => {}
                Ok(200) => break,
                // A kept connection that was closed while idle is none of a reset.
                Err(error) if keeps && error.kind() == ErrorKind::UnexpectedEof => break,
                other => {
                    faults.push(format!("{other:?}"));
                    break;
                }
            }
            sleep(Duration::from_millis(1)).await;
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stop_under_load_resets_no_request_and_accepts_newcomers_for_a_while() {
    let (mut process, _database) = start(&[], None).await;
    let clients =
        futures::future::join_all((2..10).map(|last| until_refused(&process, last, last > 7)));
    let stop = async {
        sleep(Duration::from_secs(1)).await;
        process.terminate();
        let asked = Instant::now();
        while Wire::open(&process, 20).await.is_ok() {
            sleep(Duration::from_millis(10)).await;
        }
        asked.elapsed()
    };
    let all = async { tokio::join!(clients, stop) };
    let (faults, accepted_for) = timeout(PATIENCE, all).await.unwrap();
    assert!(accepted_for > Duration::from_millis(800), "{accepted_for:?}");
    assert_eq!(faults.concat(), Vec::<String>::new());
    until("the end of the process", async || process.ended()).await;
}

#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread")]
async fn a_stop_answers_clients_whose_handshake_it_met_halfway() {
    let (process, _database) = start(&[], None).await;
    let server: SocketAddr = process.address().parse().unwrap();
    process.terminate();
    let mut clients = JoinSet::new();
    for _ in 0..150 {
        clients.spawn(async move {
            let socket = TcpSocket::new_v4()?;
            // The last packet of the handshake then leaves with the request, as on a line with such a delay.
            socket2::SockRef::from(&socket).set_tcp_quickack(false)?;
            let Ok(stream) = socket.connect(server).await else { return Ok(200) };
            sleep(Duration::from_millis(150)).await;
            Wire { stream, seen: Vec::new() }.ask(&get("/toolkit/api/flags")).await
        });
        sleep(Duration::from_millis(10)).await;
    }
    let mut faults = Vec::new();
    while let Some(answer) = timeout(PATIENCE, clients.join_next()).await.unwrap() {
        faults.extend(answer.unwrap().map_err(|error: io::Error| error.to_string()).err());
    }
    assert_eq!(faults, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn large_documents_of_one_address_beside_an_honest_one_are_all_answered() {
    let (process, _database) = start(&[], None).await;
    let request = post(RUN, &json!({"text": document(500_000)}).to_string());
    let mut people = JoinSet::new();
    for _ in 0..24 {
        let mut wire = Wire::open(&process, 2).await.unwrap();
        let request = request.clone();
        people.spawn(async move { wire.ask(&request).await });
    }
    let mut other = Wire::open(&process, 3).await.unwrap();
    assert_eq!(other.ask(&request).await.unwrap(), 200);
    while let Some(answer) = people.join_next().await {
        assert_eq!(answer.unwrap().unwrap(), 200);
    }
}
