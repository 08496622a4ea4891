//! Clients that take more than their share: they wait or are refused, and no other client is.

use std::net::Ipv4Addr;
use std::time::{Duration, Instant};

use toolkit_server::clients::Clients;
use toolkit_server::settings::{Http, Limits};

use crate::app::{Served, spawn_serving, until};
use crate::client::{Connection, post};

/// An address other than that of the clients that take too much.
const OTHER: Ipv4Addr = Ipv4Addr::new(127, 0, 0, 2);

/// A server whose clients have a share of 2 MiB, and eight connections each.
fn small() -> Served {
    let limits = Limits {
        memory_mib: 32,
        client_connections: 8,
        ..Limits::default()
    };
    spawn_serving(Clients::new(&limits, &Http::default()))
}

#[test]
fn one_address_has_so_many_connections_and_another_its_own() {
    let app = small();
    let mut open: Vec<_> = (0..8).map(|_| app.connect()).collect();
    app.until_open(8);
    assert!(app.connect().is_closed());
    let mut other = Connection::open_from(OTHER, app.address);
    assert_eq!(other.get("/hello").body, "hello");
    for connection in &mut open {
        assert_eq!(connection.get("/hello").body, "hello");
    }
    drop(open);
    app.until_open(1);
    assert_eq!(app.get("/hello").body, "hello");
}

#[test]
fn a_result_that_nobody_reads_is_cut_and_keeps_its_client_waiting_until_then() {
    let app = small();
    let mut unread = app.connect();
    unread.write(post("/result", "{}").as_bytes());
    // What the system takes is not what the client takes.
    std::thread::sleep(Duration::from_millis(500));
    let before = Instant::now();
    let mut waiting = app.connect();
    waiting.write(post("/echo", "[1]").as_bytes());
    let mut other = Connection::open_from(OTHER, app.address);
    other.write(post("/echo", "[2]").as_bytes());
    assert_eq!(other.answer().body, "[2]");
    assert!(
        before.elapsed() < Duration::from_secs(5),
        "the other waited"
    );
    assert_eq!(waiting.answer().body, "[1]");
    let waited = before.elapsed();
    assert!(waited > Duration::from_secs(6), "{waited:?}");
    assert!(!unread.rest_is_whole(8 << 20));
}

#[test]
fn a_client_that_reads_its_result_late_gets_all_of_it() {
    let app = small();
    let mut late = app.connect();
    late.write(post("/result", "{}").as_bytes());
    std::thread::sleep(Duration::from_secs(2));
    assert_eq!(late.answer().body.len(), 8 << 20);
    assert_eq!(late.get("/hello").body, "hello");
}

#[test]
fn incomplete_bodies_of_one_address_keep_no_other_from_sending() {
    let app = small();
    let megabyte = "x".repeat(1 << 20);
    let request = post("/echo", &megabyte);
    let partial = &request.as_bytes()[..request.len() - 1];
    let mut begun: Vec<_> = (0..8).map(|_| app.connect()).collect();
    for connection in &mut begun {
        // The rest stays with the system while the client has no room.
        connection.write(&partial[..100_000]);
    }
    std::thread::sleep(Duration::from_millis(200));
    let before = Instant::now();
    let mut other = Connection::open_from(OTHER, app.address);
    other.write(request.as_bytes());
    assert_eq!(other.answer().body.len(), megabyte.len());
    assert!(
        before.elapsed() < Duration::from_secs(5),
        "the other waited"
    );
    let answers: Vec<_> = begun.iter_mut().map(Connection::answer).collect();
    // Two of them have room, until their time is over with that of all others.
    assert!(
        answers
            .iter()
            .all(|answer| matches!(answer.status, 408 | 503))
    );
}

#[test]
fn a_request_that_finds_no_room_in_time_is_503() {
    let app = small();
    let mut slow = app.connect();
    slow.write(post("/result", "{}").as_bytes());
    let mut waiting = app.connect();
    std::thread::sleep(Duration::from_millis(500));
    waiting.write(post("/echo", "[1]").as_bytes());
    // Slowly, but fast enough to be left alone.
    for step in 1..=34 {
        assert!(slow.rest_is_whole(step * (64 << 10)), "cut");
        std::thread::sleep(Duration::from_millis(500));
    }
    let answer = waiting.answer();
    assert_eq!(
        (answer.status, answer.header("retry-after")),
        (503, Some("2"))
    );
    assert!(answer.detail().contains("in progress"));
}

#[test]
fn large_bodies_of_one_address_wait_their_turn() {
    let app = small();
    let request = post("/echo", &"x".repeat(1 << 20));
    let (address, request) = (app.address, request.as_bytes());
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(move || {
                let mut connection = Connection::open(address);
                for _ in 0..2 {
                    connection.write(request);
                    assert_eq!(connection.answer().body.len(), 1 << 20);
                }
            });
        }
    });
}

#[test]
fn requests_that_wait_for_room_are_not_in_progress() {
    let app = small();
    let mut unread = app.connect();
    unread.write(post("/result", "{}").as_bytes());
    std::thread::sleep(Duration::from_millis(500));
    let mut waiting = app.connect();
    waiting.write(post("/echo", "[1]").as_bytes());
    let mut held = app.connect();
    held.write(b"GET /held HTTP/1.1\r\nhost: x\r\n\r\n");
    app.until_in_flight(1);
    app.gate.open();
    assert_eq!(held.answer().body, "held");
    drop(unread);
    until("the waiting request", || app.get("/hello").status == 200);
    assert_eq!(waiting.answer().body, "[1]");
}
