#![doc = include_str!("../README.md")]

pub mod accounts;
pub mod admin;
pub mod body;
pub mod connections;
mod descriptors;
pub mod error_response;
pub mod limits;
#[cfg(all(target_os = "linux", target_env = "gnu"))]
mod memory;
pub mod middleware;
pub mod panics;
pub mod probe;
pub mod process;
pub mod rate_limiter;
pub mod reload;
pub mod request_id;
pub mod runner;
pub mod server;
pub mod service;
pub mod settings;
pub mod snapshot;
pub mod static_response;
pub mod telemetry;
pub mod tls;
pub mod version;
