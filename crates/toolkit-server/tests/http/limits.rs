//! Rate limits as seen by a client, in one process.

use crate::app::spawn;
use crate::client::post;

fn from(address: &str) -> String {
    post("/limited", "[1]").replace("host: x", &format!("host: x\r\nx-forwarded-for: {address}"))
}

#[test]
fn over_the_limit_is_429_with_whole_seconds_to_wait() {
    let app = spawn();
    for _ in 0..3 {
        assert_eq!(app.send(&from("192.0.2.1")).status, 200);
    }
    let answer = app.send(&from("192.0.2.1"));
    assert_eq!(answer.status, 429);
    let wait: u64 = answer.header("retry-after").unwrap().parse().unwrap();
    assert!((58..=60).contains(&wait), "{wait}");
    let words = format!("Try again in {wait} seconds.");
    assert!(answer.detail().ends_with(&words));
    assert!(!answer.header_names().iter().any(|name| name.starts_with("x-ratelimit")));
    // Other clients and unlimited paths are not affected.
    assert_eq!(app.send(&from("192.0.2.2")).status, 200);
    assert_eq!(app.get("/hello").status, 200);
}

#[test]
fn a_limit_is_checked_before_the_body_and_counts_requests_refused_later() {
    let app = spawn();
    let wrong_type = from("192.0.2.1").replace("application/json", "text/plain");
    for _ in 0..3 {
        assert_eq!(app.send(&wrong_type).status, 415);
    }
    assert_eq!(app.send(&wrong_type).status, 429);
}

#[test]
fn every_spelling_of_an_address_has_one_limit() {
    let app = spawn();
    for address in ["192.0.2.1", "::ffff:192.0.2.1", "6.6.6.6, 192.0.2.1"] {
        assert_eq!(app.send(&from(address)).status, 200);
    }
    assert_eq!(app.send(&from("192.0.2.1:4711")).status, 429);
    for number in 0..3 {
        assert_eq!(app.send(&from(&format!("2001:db8::{number}"))).status, 200);
    }
    assert_eq!(app.send(&from("2001:DB8::ffff:1")).status, 429);
    assert_eq!(app.send(&from("2001:db8:0:1::1")).status, 200);
}
