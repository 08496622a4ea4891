//! Accounts: clients that take more than their share, and others beside them.

use std::net::Ipv4Addr;
use std::time::{Duration, Instant};

use toolkit_server::accounts::Accounts;
use toolkit_server::settings::{Http, Limits};

use crate::app::{Served, spawn_serving};
use crate::client::{Connection, post};

/// An address other than that of the clients that take too much.
const OTHER: Ipv4Addr = Ipv4Addr::new(127, 0, 0, 2);

/// A server whose clients have a share of 2 MiB, and eight connections each.
fn small() -> Served {
    let limits = Limits { memory_mib: 32, client_connections: 8, ..Limits::default() };
    spawn_serving(Accounts::new(&limits, &Http::default()))
}

#[test]
fn one_address_has_so_many_connections_and_another_its_own() {
    let app = small();
    let mut open: Vec<_> = (0..8).map(|_| app.connect()).collect();
    let request = post("/echo", "[1]");
    let (first, rest) = request.as_bytes().split_at(20);
    for connection in &mut open {
        connection.write(first);
    }
    app.until_open(8);
    assert!(app.connect().is_closed());
    let mut other = Connection::open_from(OTHER, app.address);
    assert_eq!(other.get("/hello").body, "hello");
    for connection in &mut open {
        connection.write(rest);
        assert_eq!(connection.answer().body, "[1]");
    }
    assert_eq!(app.get("/hello").body, "hello", "an idle one makes room");
    drop(open);
    app.until_open(1);
    assert_eq!(app.get("/hello").body, "hello");
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
        connection.write(&partial[..100_000]);
    }
    std::thread::sleep(Duration::from_millis(200));
    let before = Instant::now();
    let mut other = Connection::open_from(OTHER, app.address);
    other.write(request.as_bytes());
    assert_eq!(other.answer().body.len(), megabyte.len());
    assert!(before.elapsed() < Duration::from_secs(5), "the other waited");
    for connection in &mut begun {
        assert_eq!(connection.answer().status, 408);
    }
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
fn an_upload_that_waits_for_memory_is_not_cut_for_being_slow() {
    let app = small();
    let reader = |last| Connection::open_from(Ipv4Addr::new(127, 0, 0, last), app.address);
    let mut readers: Vec<_> = (3..7).map(reader).collect();
    for reader in &mut readers {
        reader.write(post("/result", "{}").as_bytes());
    }
    std::thread::sleep(Duration::from_millis(300));
    let mut upload = app.connect();
    upload.write(post("/echo", &"x".repeat(200_000)).as_bytes());
    // They hold all of the memory until they have read their results.
    for seconds in 1..=10 {
        std::thread::sleep(Duration::from_secs(1));
        assert!(readers.iter_mut().all(|it| it.rest_is_whole((8 << 20) / 10 * seconds)));
    }
    assert!(readers.iter_mut().all(|it| it.rest_is_whole(8 << 20)));
    assert_eq!(upload.answer().body.len(), 200_000);
}

#[test]
fn past_three_quarters_of_the_memory_unread_results_are_cut_and_one_that_is_read_is_whole() {
    let app = small();
    let mut reader = Connection::open_from(OTHER, app.address);
    reader.write(post("/result", "{}").as_bytes());
    let mut unread: Vec<_> = (0..2).map(|_| app.connect()).collect();
    for connection in &mut unread {
        connection.write(post("/result", "{}").as_bytes());
    }
    let before = Instant::now();
    // Twice as fast as it must be.
    for mib in 1..=8 {
        std::thread::sleep(Duration::from_millis(1_800));
        assert!(reader.rest_is_whole(mib << 20), "cut after {mib} MiB");
        if mib == 2 {
            // A small request does not wait meanwhile.
            assert_eq!(app.post("/echo", "[1]").body, "[1]");
        }
    }
    assert!(before.elapsed() > Duration::from_secs(12));
    let cut = unread.iter_mut().map(|it| !it.rest_is_whole(8 << 20));
    assert!(cut.filter(|is_cut| *is_cut).count() >= 1);
}
