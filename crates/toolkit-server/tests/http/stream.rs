//! Connections: clients that are slow, broken or hostile.

use std::time::{Duration, Instant};

use actix_web::{App, HttpResponse, web};
use toolkit_server::server::{Ended, Listener};

use crate::app::{PATIENCE, Served, spawn};
use crate::client::post;

/// A request that must not be answered.
const CANARY: &str = "GET /hello HTTP/1.1\r\nhost: x\r\nx-request-id: canary\r\n\r\n";

#[track_caller]
fn is_broken(app: &Served, request: &str, status: u16) {
    let mut connection = app.connect();
    connection.try_write(request.as_bytes());
    let answer = connection.answer();
    // The HTTP layer's own response.
    assert_eq!((answer.status, answer.body.as_str()), (status, ""), "{request:?}");
    assert!(connection.is_closed(), "{request:?}");
}

#[test]
fn an_ambiguous_request_is_400_and_nothing_after_it_is_answered() {
    let app = spawn();
    let head = "POST /echo HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n";
    for (shape, body) in [
        ("content-length: 3\r\ntransfer-encoding: chunked\r\n", "0\r\n\r\n"),
        ("transfer-encoding: chunked\r\ncontent-length: 3\r\n", "0\r\n\r\n"),
        ("content-length: 3\r\ncontent-length: 4\r\n", "[1]"),
        ("content-length: 3\r\ncontent-length: 3\r\n", "[1]"),
        ("content-length: +3\r\n", "[1]"),
        ("content-length: 3, 3\r\n", "[1]"),
        ("content-length: -1\r\n", "[1]"),
        ("content-length: 0x3\r\n", "[1]"),
        ("content-length: 99999999999999999999\r\n", "[1]"),
        ("transfer-encoding: gzip, chunked\r\n", "0\r\n\r\n"),
        ("transfer-encoding: xchunked\r\n", "0\r\n\r\n"),
        ("transfer-encoding: chunked\r\ntransfer-encoding: chunked\r\n", "0\r\n\r\n"),
        ("transfer-encoding: identity\r\ncontent-length: 3\r\n", "[1]"),
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
        is_broken(&app, &format!("{}{chunks}{CANARY}", head.replace("/echo", "/refuse")), 400);
    }
}

#[test]
fn a_body_longer_than_declared_is_the_next_request_and_nothing_else() {
    let app = spawn();
    let mut connection = app.connect();
    connection.write(format!("{}{CANARY}", post("/echo", "[1]")).as_bytes());
    assert_eq!(connection.answer().body, "[1]");
    let answer = connection.answer();
    assert_eq!((answer.body.as_str(), answer.header("x-request-id")), ("hello", Some("canary")));
}

#[test]
fn requests_sent_together_are_answered_in_order() {
    let app = spawn();
    let mut connection = app.connect();
    let requests: String = (0..30).map(|number| post("/echo", &format!("[{number}]"))).collect();
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
        format!("GET /hello HTTP/1.1\r\nhost: x\r\n{}", "x: y\r\n".repeat(200)) + "\r\n",
    ] {
        is_broken(&app, &request, 431);
    }
}

#[test]
fn a_path_that_is_too_long_is_refused() {
    let app = spawn();
    let path = "x".repeat(70_000);
    is_broken(&app, &format!("GET /{path} HTTP/1.1\r\nhost: x\r\n\r\n"), 400);
}

#[test]
fn a_silent_client_and_a_slow_head_are_closed() {
    let app = spawn();
    let before = Instant::now();
    let mut silent = app.connect();
    let mut slow = app.connect();
    slow.write(b"GET /hello HTTP/1.1\r\nhost");
    // A head that arrives in tiny pieces, also after a valid request.
    let mut second = app.connect();
    second.write(format!("{CANARY}GET").as_bytes());
    assert_eq!(second.answer().body, "hello");
    while second.try_write(b"x") && before.elapsed() < Duration::from_secs(20) {
        std::thread::sleep(Duration::from_millis(300));
    }
    assert!(silent.is_closed());
    assert!(slow.is_closed());
    // A deadline restarted with each byte would not have passed after 20 seconds, and the one for
    // idle connections is 30.
    assert!(before.elapsed() < Duration::from_secs(15), "{:?}", before.elapsed());
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
    assert!(sent < 32 << 20, "{path}: {sent} bytes were accepted");
    assert_eq!(app.get("/hello").status, 200);
}

#[test]
fn a_flood_of_chunk_framing_closes_the_connection() {
    for path in ["/echo", "/refuse", "/nowhere"] {
        flood(path, "1;", "x");
        flood(path, "0\r\n", "x: y\r\n");
    }
}

#[test]
fn a_client_that_does_not_read_uses_no_more_memory_than_its_answer() {
    let app = spawn();
    let mut connection = app.connect();
    let request = "GET /large HTTP/1.1\r\nhost: x\r\n\r\n".repeat(16);
    connection.write(request.as_bytes());
    std::thread::sleep(Duration::from_millis(300));
    assert_eq!(app.get("/hello").status, 200);
    // In the end each request is answered.
    for _ in 0..16 {
        assert_eq!(connection.answer().body.len(), 8 << 20);
    }
}

#[test]
fn a_client_that_read_its_answer_late_may_ask_again() {
    let app = spawn();
    let mut connection = app.connect();
    connection.write(b"GET /large HTTP/1.1\r\nhost: x\r\n\r\n");
    std::thread::sleep(Duration::from_millis(300));
    assert_eq!(connection.answer().body.len(), 8 << 20);
    assert_eq!(connection.get("/hello").status, 200);
}

#[test]
fn each_of_thousands_of_pipelined_requests_is_answered() {
    let app = spawn();
    let mut connection = app.connect();
    let request = "GET /hello HTTP/1.1\r\nhost: x\r\n\r\n".repeat(5_000);
    connection.write(request.as_bytes());
    for _ in 0..5_000 {
        assert_eq!(connection.answer().body, "hello");
    }
}

#[test]
fn a_shutdown_answers_requests_in_progress_and_closes_idle_connections() {
    let mut app = spawn();
    let mut idle = app.connect();
    idle.write(CANARY.as_bytes());
    assert_eq!(idle.answer().body, "hello");
    let mut busy = app.connect();
    busy.write(b"GET /held HTTP/1.1\r\nhost: x\r\n\r\n");
    let mut late = app.connect();
    late.write(post("/echo", "[1]").split_at(20).0.as_bytes());
    app.until_in_flight(1);
    app.until_open(3);
    let before = Instant::now();
    app.stop(Duration::from_secs(30));
    app.until_stopping();
    late.write(post("/echo", "[1]").split_at(20).1.as_bytes());
    let answer = late.answer();
    assert_eq!((answer.body.as_str(), answer.header("connection")), ("[1]", Some("close")));
    assert!(idle.is_closed());
    app.gate.open();
    let answer = busy.answer();
    assert_eq!((answer.body.as_str(), answer.header("connection")), ("held", Some("close")));
    assert_eq!(app.ended(), Ended::Drained);
    // A running server keeps idle connections for 30 seconds.
    assert!(before.elapsed() < Duration::from_secs(15), "{:?}", before.elapsed());
}

#[test]
fn a_shutdown_without_requests_is_quick() {
    let mut app = spawn();
    assert_eq!(app.get("/hello").status, 200);
    app.until_open(0);
    let before = Instant::now();
    app.stop(Duration::from_secs(30));
    assert_eq!(app.ended(), Ended::Drained);
    assert!(before.elapsed() < Duration::from_secs(8), "{:?}", before.elapsed());
}

#[test]
fn a_shutdown_does_not_exceed_its_grace_period() {
    let mut app = spawn();
    let mut stuck = app.connect();
    stuck.write(b"GET /held HTTP/1.1\r\nhost: x\r\n\r\n");
    let mut body = app.connect();
    body.write(post("/echo", "[1]").split_at(20).0.as_bytes());
    app.until_in_flight(1);
    app.until_open(2);
    app.stop(Duration::from_secs(1));
    // Neither would end by itself before the test gives up.
    assert_eq!(app.ended(), Ended::TimedOut);
    assert!(stuck.is_closed());
}

/// Uses tokio's paused clock, which delays of a busy machine do not affect.
#[tokio::test(start_paused = true)]
async fn a_shutdown_ends_shortly_before_its_grace_period() {
    let listener = Listener::bind("127.0.0.1:0".parse().unwrap()).unwrap();
    let app = || App::new().default_service(web::to(async || HttpResponse::Ok()));
    let server = listener.serve(1, app).unwrap();
    let state = server.state();
    let _open = std::net::TcpStream::connect(server.address()).unwrap();
    let started = Instant::now();
    while state.connections() == 0 {
        assert!(started.elapsed() < PATIENCE);
        // The server, too, is a task of this thread. The clock advances only while all of them
        // wait.
        tokio::task::yield_now().await;
    }
    let (before, grace) = (tokio::time::Instant::now(), Duration::from_secs(1));
    assert_eq!(server.stop(grace).await, Ended::TimedOut);
    let took = before.elapsed();
    assert!(grace.mul_f32(0.9) <= took && took < grace, "{took:?}");
}

#[tokio::test(start_paused = true)]
async fn a_server_without_connections_stops_after_the_second_for_balancers() {
    let listener = Listener::bind("127.0.0.1:0".parse().unwrap()).unwrap();
    let app = || App::new().default_service(web::to(async || HttpResponse::Ok()));
    let server = listener.serve(1, app).unwrap();
    let before = tokio::time::Instant::now();
    assert_eq!(server.stop(Duration::from_secs(30)).await, Ended::Drained);
    let took = before.elapsed();
    assert!(took < Duration::from_millis(1_100), "{took:?}");
}

#[test]
fn a_busy_connection_is_asked_to_close_and_loses_no_request() {
    let mut app = spawn();
    let mut connection = app.connect();
    connection.write(CANARY.as_bytes());
    assert_eq!(connection.answer().header("connection"), None);
    app.stop(Duration::from_secs(10));
    app.until_stopping();
    connection.write(CANARY.as_bytes());
    let answer = connection.answer();
    assert_eq!((answer.body.as_str(), answer.header("connection")), ("hello", Some("close")));
    assert!(connection.is_closed());
}
