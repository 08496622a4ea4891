#![doc = include_str!("../README.md")]

mod call;
pub mod cli;
mod discovery;
mod endpoint;
mod envelope;
mod error;
mod fast_path;
mod framing;
mod guard;
mod handler;
mod identity;
mod protocol;
mod rmcp_adapter;
mod routes;
mod server;
pub mod stdio;
mod tools;

pub use self::endpoint::Endpoint;
pub use self::fast_path::FastPath;
pub use self::guard::Guard;
pub use self::rmcp_adapter::RmcpAdapter;
pub use self::routes::endpoint as endpoint_routes;
pub use self::server::{Server, StartError};
