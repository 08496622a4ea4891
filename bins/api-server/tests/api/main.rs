//! The REST API from outside: the real server on a free port, its far ends faked at the socket.
//!
//! PostgreSQL runs where `TOOLKIT_TEST_POSTGRES` holds the URL of a server (`.ci/postgres` starts one).
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::print_stdout,
    reason = "a test fails by a panic"
)]

mod chat;
mod contact;
mod crash;
mod database;
mod faults;
mod health;
mod helpers;
mod keys;
mod mail;
mod mail_tls;
mod metrics;
mod process;
#[path = "../../../../crates/toolkit-store/tests/store/proxy.rs"]
mod proxy;
mod secrets;
mod sink;
#[path = "../../../../crates/toolkit-store/tests/store/small_disk.rs"]
mod small_disk;
mod stopping;
mod subscribe;
mod tls;
mod turnstile;
