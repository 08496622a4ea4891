//! Tests of the REST API: the real server on a free port, with the servers that it calls faked at
//! the socket.
//!
//! PostgreSQL runs where `TOOLKIT_TEST_POSTGRES` holds the URL of a server (`.ci/postgres` starts
//! one).
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::print_stdout,
    reason = "a test fails by a panic"
)]

mod cargo_run;
mod catalog;
mod chat;
mod chat_models;
mod chat_stream;
mod contact;
mod copy;
mod crash;
mod database;
mod doctor;
mod documentation;
mod faults;
mod flags;
mod full_disk;
mod health;
mod helpers;
mod honest;
mod http_proxy;
mod idempotency;
mod keys;
mod limits;
mod lists;
mod mail;
mod mail_tls;
mod mcp;
mod metrics;
mod model;
mod model_ends;
mod outage;
mod pages;
mod process;
#[path = "../../../../crates/toolkit-store/tests/store/proxy.rs"]
mod proxy;
mod records;
mod reload;
mod run;
mod secrets;
mod shares;
mod sink;
mod site;
mod sites;
#[path = "../../../../crates/toolkit-store/tests/store/small_disk.rs"]
mod small_disk;
mod stopping;
mod subscribe;
mod tls;
mod turnstile;
mod webhooks;
