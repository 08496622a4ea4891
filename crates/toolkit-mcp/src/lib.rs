#![doc = include_str!("../README.md")]

mod discovery;
mod endpoint;
mod error;
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
mod tool_calls;
mod tools;

pub use self::endpoint::{Access, Endpoint};
pub use self::guard::Guard;
pub use self::mcp::{Mcp, McpMount};
pub use self::rmcp_adapter::RmcpAdapter;
pub use self::routes::{endpoint as endpoint_routes, is_ours};
pub use self::tool_calls::ToolCalls;
