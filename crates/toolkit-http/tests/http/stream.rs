//! Connections that are slow, broken or hostile.

use std::time::{Duration, Instant};

use toolkit_http::server::Ended;

use crate::app::{Served, post, spawn};

/// Takes the place of a request that must not be answered.
const CANARY: &str = "GET /hello HTTP/1.1\r\nhost: x\r\nx-request-id: canary\r\n\r\n";

#[track_caller]
fn is_broken(app: &Served, request: &str, status: u16) {
    let mut connection = app.connect();
    connection.try_write(request.as_bytes());
    let answer = connection.answer();
    assert_eq!(answer.status, status, "{request:?}");
    answer.detail();
    assert_eq!(answer.header("connection"), Some("close"));
    assert_eq!(answer.header("x-request-id").map(str::len), Some(36));
    assert!(connection.is_closed(), "{request:?}");
}

#[test]
fn a_request_that_can_be_read_in_two_ways_is_400_and_nothing_after_it_is_answered() {
    let app = spawn();
    let head = "POST /echo HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n";
    for (shape, body) in [
        (
            "content-length: 3\r\ntransfer-encoding: chunked\r\n",
            "0\r\n\r\n",
        ),
        (
            "transfer-encoding: chunked\r\ncontent-length: 3\r\n",
            "0\r\n\r\n",
        ),
        ("content-length: 3\r\ncontent-length: 4\r\n", "[1]"),
        ("content-length: 3\r\ncontent-length: 3\r\n", "[1]"),
        ("content-length: +3\r\n", "[1]"),
        ("content-length: 3, 3\r\n", "[1]"),
        ("content-length: -1\r\n", "[1]"),
        ("content-length: 0x3\r\n", "[1]"),
        ("content-length: 99999999999999999999\r\n", "[1]"),
        ("transfer-encoding: gzip, chunked\r\n", "0\r\n\r\n"),
        ("transfer-encoding: xchunked\r\n", "0\r\n\r\n"),
        (
            "transfer-encoding: chunked\r\ntransfer-encoding: chunked\r\n",
            "0\r\n\r\n",
        ),
        (
            "transfer-encoding: identity\r\ncontent-length: 3\r\n",
            "[1]",
        ),
        ("transfer-encoding : chunked\r\n", "0\r\n\r\n"),
        ("transfer-encoding: chunked\r\n x: y\r\n", "0\r\n\r\n"),
        ("x: a\rb\r\n", ""),
        ("x: a\0b\r\n", ""),
        ("host: y\r\n", ""),
    ] {
        is_broken(&app, &format!("{head}{shape}\r\n{body}{CANARY}"), 400);
    }
    for request in [
        "GET /hello HTTP/1.1\r\n\r\n",
        "GET  /hello HTTP/1.1\r\nhost: x\r\n\r\n",
        "\x16\x03\x01\r\n\r\n",
        "GET /hello HTTP/3.0\r\n\r\n",
    ] {
        is_broken(&app, &format!("{request}{CANARY}"), 400);
    }
}

#[test]
fn broken_chunks_are_400_and_nothing_after_them_is_answered() {
    let app = spawn();
    let head = "POST /echo HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n";
    for chunks in [
        "x\r\n",
        "-1\r\n",
        "1 1\r\nx\r\n",
        "1\nx\r\n",
        "1\r\nxx\r\n",
        "ffffffffffffffffff\r\nx",
        ";\r\n",
    ] {
        is_broken(&app, &format!("{head}{chunks}{CANARY}"), 400);
        is_broken(
            &app,
            &format!("{}{chunks}{CANARY}", head.replace("/echo", "/refuse")),
            400,
        );
    }
}

#[test]
fn a_body_longer_than_declared_is_the_next_request_and_nothing_else() {
    let app = spawn();
    let mut connection = app.connect();
    connection.write(format!("{}{CANARY}", post("/echo", "[1]")).as_bytes());
    assert_eq!(connection.answer().body, "[1]");
    let answer = connection.answer();
    assert_eq!(
        (answer.body.as_str(), answer.header("x-request-id")),
        ("hello", Some("canary"))
    );
}

#[test]
fn requests_sent_together_are_answered_in_order() {
    let app = spawn();
    let mut connection = app.connect();
    let requests: String = (0..30)
        .map(|number| post("/echo", &format!("[{number}]")))
        .collect();
    connection.write(requests.as_bytes());
    for number in 0..30 {
        assert_eq!(connection.answer().body, format!("[{number}]"));
    }
}

#[test]
fn a_head_that_is_too_large_is_431() {
    let app = spawn();
    let filler = "x".repeat(200 << 10);
    for request in [
        format!("GET /hello HTTP/1.1\r\nhost: x\r\nx: {filler}\r\n\r\n"),
        format!("GET /hello HTTP/1.1\r\nhost: x\r\nx: {filler}"),
        format!(
            "GET /hello HTTP/1.1\r\nhost: x\r\n{}",
            "x: y\r\n".repeat(200)
        ) + "\r\n",
    ] {
        is_broken(&app, &request, 431);
    }
}

#[test]
fn a_path_that_is_too_long_is_refused() {
    let app = spawn();
    let path = "x".repeat(70_000);
    is_broken(
        &app,
        &format!("GET /{path} HTTP/1.1\r\nhost: x\r\n\r\n"),
        400,
    );
}

#[test]
fn a_silent_client_is_closed_and_a_slow_head_is_408() {
    let app = spawn();
    let before = Instant::now();
    let mut silent = app.connect();
    let mut slow = app.connect();
    slow.write(b"GET /hello HTTP/1.1\r\nhost");
    // A head that trickles, also after a good request.
    let mut second = app.connect();
    second.write(format!("{CANARY}GET").as_bytes());
    assert_eq!(second.answer().body, "hello");
    while second.try_write(b"x") && before.elapsed() < Duration::from_secs(12) {
        std::thread::sleep(Duration::from_millis(300));
    }
    assert!(silent.is_closed());
    assert_eq!(slow.answer().status, 408);
    assert!(slow.is_closed());
    assert!(
        before.elapsed() < Duration::from_secs(10),
        "{:?}",
        before.elapsed()
    );
}

fn flood(path: &str, start: &str, piece: &str) {
    let app = spawn();
    let mut connection = app.connect();
    connection.write(format!("POST {path} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n{start}").as_bytes());
    let piece = piece.repeat(64 << 10);
    let mut sent = 0;
    while sent < 256 << 20 && connection.try_write(piece.as_bytes()) {
        sent += piece.len();
    }
    assert!(sent < 32 << 20, "{path}: {sent} bytes were taken");
    assert_eq!(app.get("/hello").status, 200);
}

#[test]
fn a_flood_of_framing_is_cut_off() {
    for path in ["/echo", "/refuse", "/nowhere"] {
        flood(path, "1;", "x");
        flood(path, "0\r\n", "x: y\r\n");
    }
}

#[test]
fn a_client_that_does_not_read_costs_no_more_than_its_answer() {
    let app = spawn();
    let mut connection = app.connect();
    let request = "GET /large HTTP/1.1\r\nhost: x\r\n\r\n".repeat(16);
    connection.write(request.as_bytes());
    std::thread::sleep(Duration::from_millis(300));
    assert_eq!(app.get("/hello").status, 200);
    // And in the end each is answered.
    for _ in 0..16 {
        assert_eq!(connection.answer().body.len(), 8 << 20);
    }
}

#[test]
fn of_thousands_of_requests_sent_together_each_is_answered() {
    let app = spawn();
    let mut connection = app.connect();
    let request = "GET /hello HTTP/1.1\r\nhost: x\r\n\r\n".repeat(5_000);
    connection.write(request.as_bytes());
    for _ in 0..5_000 {
        assert_eq!(connection.answer().body, "hello");
    }
}

#[test]
fn a_body_in_tiny_chunks_is_read_slowly_and_whole() {
    let app = spawn();
    let mut connection = app.connect();
    connection.write(b"POST /echo HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n");
    let before = Instant::now();
    connection.write("1\r\nx\r\n".repeat(30_000).as_bytes());
    connection.write(b"0\r\n\r\n");
    assert_eq!(connection.answer().body.len(), 30_000);
    // 3,500 pieces beyond those that are free, at 1,365 a quarter of a second: three turns, of
    // which the first may come at once. Unpaced it takes some milliseconds.
    assert!(before.elapsed() > Duration::from_millis(400));
}

#[test]
fn a_stop_answers_what_is_under_way_and_closes_what_is_idle() {
    let mut app = spawn();
    let mut idle = app.connect();
    idle.write(CANARY.as_bytes());
    assert_eq!(idle.answer().body, "hello");
    let mut busy = app.connect();
    busy.write(b"GET /slow/1500 HTTP/1.1\r\nhost: x\r\n\r\n");
    let mut late = app.connect();
    late.write(post("/echo", "[1]").split_at(20).0.as_bytes());
    std::thread::sleep(Duration::from_millis(100));
    let before = Instant::now();
    app.stop(Duration::from_secs(10));
    std::thread::sleep(Duration::from_millis(100));
    assert!(
        std::net::TcpStream::connect(app.address).is_err(),
        "still accepts"
    );
    late.write(post("/echo", "[1]").split_at(20).1.as_bytes());
    let answer = late.answer();
    assert_eq!(
        (answer.body.as_str(), answer.header("connection")),
        ("[1]", Some("close"))
    );
    let answer = busy.answer();
    assert_eq!(
        (answer.body.as_str(), answer.header("connection")),
        ("slow", Some("close"))
    );
    assert!(idle.is_closed());
    assert_eq!(app.ended(), Ended::Drained);
    assert!(
        before.elapsed() < Duration::from_secs(4),
        "{:?}",
        before.elapsed()
    );
}

#[test]
fn a_stop_with_nothing_to_do_is_quick() {
    let mut app = spawn();
    assert_eq!(app.get("/hello").status, 200);
    let before = Instant::now();
    app.stop(Duration::from_secs(10));
    assert_eq!(app.ended(), Ended::Drained);
    assert!(
        before.elapsed() < Duration::from_secs(2),
        "{:?}",
        before.elapsed()
    );
}

#[test]
fn a_stop_does_not_wait_longer_than_its_grace() {
    let mut app = spawn();
    let mut stuck = app.connect();
    stuck.write(b"GET /slow/30000 HTTP/1.1\r\nhost: x\r\n\r\n");
    let mut body = app.connect();
    body.write(post("/echo", "[1]").split_at(20).0.as_bytes());
    std::thread::sleep(Duration::from_millis(100));
    let before = Instant::now();
    app.stop(Duration::from_secs(2));
    assert_eq!(app.ended(), Ended::Cut);
    assert!(
        before.elapsed() < Duration::from_secs(2),
        "{:?}",
        before.elapsed()
    );
    assert!(stuck.is_closed());
}

#[test]
fn a_busy_connection_learns_that_it_must_leave_and_loses_no_request() {
    let mut app = spawn();
    let mut connection = app.connect();
    connection.write(CANARY.as_bytes());
    assert_eq!(connection.answer().header("connection"), None);
    app.stop(Duration::from_secs(10));
    std::thread::sleep(Duration::from_millis(300));
    connection.write(CANARY.as_bytes());
    let answer = connection.answer();
    assert_eq!(
        (answer.body.as_str(), answer.header("connection")),
        ("hello", Some("close"))
    );
    assert!(connection.is_closed());
}
