//! Request bodies: their type, their length, and the time they may take.

use std::time::{Duration, Instant};

use crate::app::{LIMIT, spawn, takes_less_than, until};
use crate::client::{post, post_in_two};

fn typed(content_type: &str, body: &str) -> String {
    post("/echo", body).replace("content-type: application/json\r\n", content_type)
}

#[test]
fn every_spelling_of_the_json_type_is_accepted() {
    let app = spawn();
    for content_type in [
        "content-type: application/json\r\n",
        "Content-Type: APPLICATION/JSON; charset=UTF-8\r\n",
        "content-type: application/vnd.api+json\r\n",
    ] {
        let answer = app.send(&typed(content_type, "[1]"));
        assert_eq!((answer.status, answer.body.as_str()), (200, "[1]"), "{content_type}");
    }
}

#[test]
fn a_body_of_another_type_is_415_and_names_the_accepted_type() {
    let app = spawn();
    for content_type in [
        "",
        "content-type: text/plain\r\n",
        "content-type: application/x-www-form-urlencoded\r\n",
        "content-type: json\r\n",
        "content-type:\r\n",
    ] {
        let answer = app.send(&typed(content_type, "[1]"));
        assert_eq!(answer.status, 415, "{content_type}");
        assert!(answer.detail().contains("application/json"));
    }
}

#[test]
fn a_request_without_a_body_needs_no_type() {
    let app = spawn();
    for head in [
        "",
        "content-length: 0\r\n",
        "content-type: text/plain\r\n",
        "content-type: text/plain\r\ncontent-length: 0\r\n",
    ] {
        let answer = app.send(&format!("POST /echo HTTP/1.1\r\nhost: x\r\n{head}\r\n"));
        assert_eq!((answer.status, answer.body.as_str()), (200, ""), "{head}");
        assert_eq!(answer.header("connection"), None, "{head}");
    }
    let chunked = "POST /echo HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n";
    assert_eq!(app.send(&format!("{chunked}0\r\n\r\n")).status, 200);
    assert_eq!(app.send(&format!("{chunked}1\r\n1\r\n0\r\n\r\n")).status, 415);
}

#[test]
fn an_encoded_body_is_415_and_identity_is_not_an_encoding() {
    let app = spawn();
    for (encoding, status) in [
        ("identity", 200),
        ("Identity", 200),
        ("gzip", 415),
        ("br", 415),
        ("identity, gzip", 415),
        ("zzz", 415),
    ] {
        let head = format!("content-type: application/json\r\ncontent-encoding: {encoding}\r\n");
        let answer = app.send(&typed(&head, "[1]"));
        assert_eq!(answer.status, status, "{encoding}");
    }
}

#[test]
fn a_body_at_the_limit_is_accepted_and_one_byte_more_is_413() {
    let app = spawn();
    let body = "x".repeat(LIMIT);
    let mut connection = app.connect();
    connection.write(post("/echo", &body).as_bytes());
    assert!(connection.answer().body == body);

    let answer = app.post("/echo", &format!("{body}x"));
    assert_eq!(answer.status, 413);
    assert!(answer.detail().contains("1048576"));
}

#[test]
fn a_large_body_is_refused_before_it_is_sent_and_with_no_100() {
    let app = spawn();
    let head = "POST /echo HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n";
    for expect in ["", "expect: 100-continue\r\n"] {
        let mut connection = app.connect();
        connection.write(format!("{head}{expect}content-length: 33554432\r\n\r\n").as_bytes());
        assert_eq!(connection.answer().status, 413, "{expect}");
        connection.rest();
    }
}

#[test]
fn a_client_that_sends_everything_before_reading_gets_its_413() {
    let app = spawn();
    let mut connection = app.connect();
    assert!(connection.try_write(post("/echo", &"x".repeat(8 << 20)).as_bytes()));
    assert_eq!(connection.answer().status, 413);
}

#[test]
fn a_client_that_waits_for_a_100_gets_it_when_its_body_is_needed() {
    let app = spawn();
    let mut connection = app.connect();
    let (head, body) = post_in_two("/echo", "[1]");
    connection.write(head.as_bytes());
    assert_eq!(connection.answer().status, 100);
    connection.write(body.as_bytes());
    assert_eq!(connection.answer().body, "[1]");

    // Refused unread: no 100, and the client need not send.
    let mut connection = app.connect();
    connection.write(head.replace("/echo", "/refuse").as_bytes());
    assert_eq!(connection.answer().status, 401);
}

#[test]
fn chunks_are_joined() {
    let app = spawn();
    let head = "POST /echo HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n";
    let mut connection = app.connect();
    connection.write(head.as_bytes());
    for chunk in ["2\r\n[1\r\n", "1;x=y\r\n]\r\n", "0\r\n\r\n"] {
        connection.write(chunk.as_bytes());
        std::thread::sleep(Duration::from_millis(20));
    }
    assert_eq!(connection.answer().body, "[1]");
    // The connection is still usable.
    connection.write(post("/echo", "[2]").as_bytes());
    assert_eq!(connection.answer().body, "[2]");
}

#[test]
fn twenty_thousand_tiny_chunks_are_read_without_a_pause() {
    let app = spawn();
    let mut request = "POST /echo HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n".to_owned();
    request.push_str(&"1\r\nx\r\n".repeat(20_000));
    request.push_str("0\r\n\r\n");
    // With a pause after every 8 KiB, as for more of them, it would take over 3 seconds.
    takes_less_than(Duration::from_secs(2), || {
        let answer = app.send(&request);
        assert_eq!((answer.status, answer.body.len()), (200, 20_000));
    });
}

#[test]
fn a_body_in_pieces_at_the_limit_is_accepted_and_one_byte_more_is_413() {
    let app = spawn();
    let head = "POST /echo HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n";
    for (bytes, status) in [(LIMIT, 200), (LIMIT + 1, 413)] {
        let mut connection = app.connect();
        connection.write(head.as_bytes());
        let mut left = bytes;
        while left > 0 {
            let piece = left.min(1 << 16);
            let chunk = format!("{piece:x}\r\n{}\r\n", "x".repeat(piece));
            connection.write(chunk.as_bytes());
            left -= piece;
        }
        connection.write(b"0\r\n\r\n");
        let answer = connection.answer();
        assert_eq!(answer.status, status);
        assert!(status == 413 || answer.body.len() == LIMIT);
    }
}

#[test]
fn a_chunked_body_over_the_limit_is_413_and_the_connection_closes() {
    let app = spawn();
    let mut connection = app.connect();
    connection.write(b"POST /echo HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n");
    let chunk = format!("10000\r\n{}\r\n", "x".repeat(1 << 16));
    let mut sent = 0;
    while sent < 1 << 30 && connection.try_write(chunk.as_bytes()) {
        sent += chunk.len();
    }
    // The buffers of two sockets are in between.
    assert!(sent < 32 << 20, "{sent} bytes were accepted");
}

#[test]
fn an_endless_body_gets_its_413_when_the_client_reads() {
    let app = spawn();
    let mut connection = app.connect();
    connection.write(b"POST /echo HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n");
    let chunk = format!("10000\r\n{}\r\n", "x".repeat(1 << 16));
    for _ in 0..17 {
        connection.write(chunk.as_bytes());
    }
    let answer = connection.answer();
    assert_eq!((answer.status, answer.header("connection")), (413, Some("close")));
    answer.detail();
    assert!(connection.is_closed());
}

#[test]
fn a_refused_request_keeps_its_connection_when_its_body_is_small() {
    let app = spawn();
    let mut connection = app.connect();
    for body in ["{}", &"x".repeat(60_000)] {
        for path in ["/refuse", "/nowhere", "/hello"] {
            connection.write(post(path, body).as_bytes());
            let answer = connection.answer();
            assert!(answer.status >= 400);
            assert_eq!(answer.header("connection"), None, "{path}");
        }
    }
    // Also when the body arrives a little after its head.
    let request = post("/refuse", "{}");
    let (head, body) = request.split_at(request.len() - 2);
    connection.write(head.as_bytes());
    std::thread::sleep(Duration::from_millis(100));
    connection.write(body.as_bytes());
    assert_eq!(connection.answer().status, 401);
    connection.write(post("/echo", "[1]").as_bytes());
    assert_eq!(connection.answer().body, "[1]");
}

#[test]
fn a_refused_request_whose_body_does_not_arrive_is_answered_soon() {
    let app = spawn();
    let mut connection = app.connect();
    let request = post("/refuse", "{}");
    let before = Instant::now();
    connection.write(&request.as_bytes()[..request.len() - 2]);
    let answer = connection.answer();
    assert_eq!((answer.status, answer.header("connection")), (401, Some("close")));
    // The deadline of an expected body is 15 seconds.
    assert!(before.elapsed() < Duration::from_secs(8), "{:?}", before.elapsed());
    assert!(connection.is_closed());
}

#[test]
fn a_body_that_does_not_arrive_is_408_and_others_are_served_meanwhile() {
    let app = spawn();
    let mut silent = app.connect();
    let request = post("/echo", "[1, 2, 3]");
    silent.write(&request.as_bytes()[..request.len() - 4]);
    let mut trickling = app.connect();
    trickling.write(b"POST /echo HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n");
    let before = Instant::now();
    while before.elapsed() < Duration::from_secs(20) && trickling.try_write(b"1\r\nx\r\n") {
        let fast = Instant::now();
        assert_eq!(app.get("/hello").status, 200);
        // Waiting for the others would take 15 seconds.
        assert!(fast.elapsed() < Duration::from_secs(5));
        std::thread::sleep(Duration::from_millis(500));
    }
    for connection in [&mut silent, &mut trickling] {
        let answer = connection.answer();
        assert_eq!((answer.status, answer.header("connection")), (408, Some("close")));
        assert!(answer.detail().contains("15 seconds"));
    }
    // A deadline restarted with each chunk would end after 35 seconds.
    assert!(before.elapsed() < Duration::from_secs(28), "{:?}", before.elapsed());
}

#[test]
fn a_body_kept_beyond_its_request_yields_nothing_more() {
    let app = spawn();
    let mut connection = app.connect();
    // Too much to be waited for before the answer.
    let request = post("/keep", &"x".repeat(100_000));
    let (head, body) = request.split_at(request.len() - 100_000);
    connection.write(head.as_bytes());
    assert_eq!(connection.answer().body, "answered");
    connection.try_write(&body.as_bytes()[..1_000]);
    app.gate.open();
    until("the reader of the body", || app.get("/kept").body != "nothing");
    assert_eq!(app.get("/kept").body, "an error");
}

#[test]
fn a_body_that_ends_early_is_422_for_a_client_that_still_reads() {
    let app = spawn();
    let mut connection = app.connect();
    let request = post("/echo", "[1, 2, 3]");
    connection.write(&request.as_bytes()[..request.len() - 4]);
    connection.finish();
    assert_eq!(connection.answer().status, 422);
}

#[test]
fn an_upgrade_is_ignored_and_the_body_is_read() {
    let app = spawn();
    for upgrade in ["websocket", "h2c", "WebSocket", "unknown"] {
        for path in ["/echo", "/refuse"] {
            let head = format!("host: x\r\nconnection: upgrade\r\nupgrade: {upgrade}");
            let mut connection = app.connect();
            let before = Instant::now();
            connection.write(post(path, "[1]").replace("host: x", &head).as_bytes());
            let answer = connection.answer();
            assert_eq!(answer.status, if path == "/echo" { 200 } else { 401 }, "{upgrade} {path}");
            assert_eq!(answer.header("connection"), Some("close"));
            assert_eq!(answer.header("upgrade"), None);
            // An undetected body would be waited for for 15 seconds.
            assert!(before.elapsed() < Duration::from_secs(8), "{upgrade} {path}");
        }
    }
    // Also a body that arrives in two pieces: only its length tells where it ends.
    let head = "host: x\r\nconnection: upgrade\r\nupgrade: h2c";
    let request = post("/echo", "[1]").replace("host: x", head);
    let (first, second) = request.split_at(request.len() - 1);
    let mut connection = app.connect();
    connection.write(first.as_bytes());
    std::thread::sleep(Duration::from_millis(50));
    connection.write(second.as_bytes());
    let before = Instant::now();
    assert_eq!(connection.answer().body, "[1]");
    assert!(before.elapsed() < Duration::from_secs(8));

    let get = "GET /hello HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n";
    assert_eq!(app.send(get).body, "hello");
    let without_length = get.replace("GET /hello", "POST /echo");
    assert_eq!(app.send(&without_length).status, 200);
}
