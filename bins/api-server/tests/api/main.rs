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
mod health;
mod helpers;
mod keys;
mod mail;
mod secrets;
mod sink;
mod subscribe;
mod turnstile;
