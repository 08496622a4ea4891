//! The MCP server: nine tools over Streamable HTTP, without sessions.

mod bridge;
mod call;
mod error;
mod handler;
mod straight;
mod tools;

pub use self::bridge::Bridge;
pub use self::handler::Handler;
