#![doc = include_str!("../README.md")]

mod context;
mod error;
pub mod input;
pub mod limits;
mod node;
pub mod registry;
pub mod schema;
mod tool;
pub mod tools;
mod warnings;

pub mod base64;
pub mod cidr;
pub mod cron;
pub mod digest;
pub mod ids;
pub mod json;
pub mod jwt;
pub mod percent;
pub mod regex;
pub mod timestamp;
pub mod xml;
pub mod yaml;

pub use self::context::{Context, Random};
pub use self::error::{Position, ToolError};
pub use self::node::Node;
pub use self::tool::{Answer, DynTool, Example, Label, Mcp, Spec, Tool};
pub use self::warnings::Warnings;
