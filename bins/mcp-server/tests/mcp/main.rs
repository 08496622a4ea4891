//! Tests of the MCP server over real sockets, one file for each part of the protocol.

#![expect(
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by a panic"
)]

mod bundle;
mod discovery;
mod generated;
mod guard;
mod helpers;
mod leaving;
mod lifecycle;
mod metrics;
mod rates;
mod refusals;
mod spellings;
mod stdio;
mod tools_call;
mod tools_list;
mod transport;
