//! Tests of the store, on SQLite and PostgreSQL.
#![expect(
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    clippy::string_slice,
    clippy::unwrap_used,
    reason = "a test fails by a panic, and prints what it skips"
)]

mod contacts;
mod crash;
mod failover;
mod faults;
mod full_disk;
mod helpers;
mod keys;
mod lost_file;
mod open;
mod outbox;
mod postgres_server;
mod privacy;
mod proxy;
mod retention;
mod secrets;
mod servers;
mod small_disk;
mod subscriptions;
mod webhooks;
