#![doc = include_str!("../README.md")]

mod discovery;
mod endpoint;
mod error;
mod fast_path;
mod framing;
mod guard;
mod handler;
mod identity;
mod mcp;
mod message;
mod protocol;
mod rmcp_adapter;
mod routes;
mod skill;
pub mod stdio;
mod tools;

pub use self::endpoint::{Access, Endpoint};
pub use self::fast_path::FastPath;
pub use self::guard::Guard;
pub use self::mcp::{BesideApi, Mcp};
pub use self::rmcp_adapter::RmcpAdapter;
pub use self::routes::{endpoint as endpoint_routes, is_ours};
