#![doc = include_str!("../README.md")]

pub mod admin;
pub mod body;
pub mod bounds;
pub mod client_ip;
mod connection;
pub mod detail;
pub mod edge;
pub mod limiter;
pub mod panics;
pub mod prepared;
pub mod probe;
pub mod process;
pub mod request_id;
pub mod server;
pub mod settings;
pub mod telemetry;
pub mod tls;
