//! The MCP server: nine tools over Streamable HTTP, without sessions.

mod call;
mod handler;
mod tools;

pub use self::handler::Handler;
