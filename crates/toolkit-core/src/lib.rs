#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(any(
    feature = "base64",
    feature = "cidr",
    feature = "cron",
    feature = "timestamp",
    feature = "tools",
    feature = "yaml",
))]
#[cfg_attr(
    not(all(feature = "tools", feature = "cidr", feature = "json", feature = "yaml")),
    allow(dead_code, reason = "other tools use a part of it")
)]
mod around;
#[cfg(any(
    feature = "hash",
    feature = "tools",
    feature = "url",
    all(feature = "json", feature = "xml", feature = "yaml")
))]
mod choice;
#[cfg(feature = "ids")]
mod context;
#[cfg(all(feature = "json", feature = "xml", feature = "yaml"))]
mod convert;
mod echo;
mod error;
#[cfg(any(feature = "json", feature = "jwt", feature = "tools"))]
#[cfg_attr(
    not(feature = "json"),
    allow(dead_code, unused_imports, unreachable_pub, reason = "other tools use a part of it")
)]
mod json_string;
#[cfg(any(feature = "json", feature = "xml", feature = "yaml"))]
mod layout;
pub mod limits;
#[cfg(any(feature = "json", feature = "xml", feature = "yaml"))]
mod node;
#[cfg(any(
    feature = "cidr",
    feature = "cron",
    feature = "hash",
    feature = "tools",
    feature = "url",
    all(feature = "json", feature = "xml", feature = "yaml")
))]
mod serde_text;
#[cfg(any(feature = "json", feature = "xml", feature = "yaml"))]
mod text;
mod warnings;

#[cfg(feature = "tools")]
pub mod input;
#[cfg(feature = "tools")]
pub mod registry;
#[cfg(feature = "tools")]
pub mod schema;
#[cfg(feature = "tools")]
mod tool;
#[cfg(feature = "tools")]
pub mod tools;

#[cfg(feature = "base64")]
pub mod base64;
#[cfg(feature = "cidr")]
pub mod cidr;
#[cfg(feature = "cron")]
pub mod cron;
#[cfg(feature = "hash")]
pub mod digest;
#[cfg(feature = "ids")]
pub mod ids;
#[cfg(feature = "json")]
pub mod json;
#[cfg(feature = "jwt")]
pub mod jwt;
#[cfg(feature = "url")]
pub mod percent;
#[cfg(feature = "regex")]
pub mod regex;
#[cfg(feature = "timestamp")]
pub mod timestamp;
#[cfg(feature = "xml")]
pub mod xml;
#[cfg(feature = "yaml")]
pub mod yaml;

#[cfg(feature = "ids")]
pub use self::context::Context;
#[cfg(all(feature = "json", feature = "xml", feature = "yaml"))]
pub use self::convert::{Language, convert};
pub use self::echo::Echo;
#[cfg(feature = "serde_json")]
pub use self::error::json_reason;
pub use self::error::{ErrorKind, Position, ToolError};
#[cfg(feature = "os")]
pub use self::ids::OsRandom;
#[cfg(feature = "ids")]
pub use self::ids::Random;
#[cfg(any(feature = "xml", feature = "yaml"))]
pub use self::layout::Options;
#[cfg(any(feature = "json", feature = "xml", feature = "yaml"))]
pub use self::layout::{Indent, Layout};
#[cfg(any(feature = "json", feature = "xml", feature = "yaml"))]
pub use self::node::{Node, Number};
#[cfg(feature = "tools")]
pub use self::tool::{Answer, DynTool, Example, JsonOutput, Mcp, Spec, Text, Tool};
pub use self::warnings::{Warning, WarningKind, Warnings};

/// Crate whose `OffsetDateTime` appears in signatures.
#[cfg(any(feature = "cron", feature = "ids", feature = "timestamp"))]
pub use time;
/// Crate whose `Ulid` appears in signatures.
#[cfg(feature = "ids")]
pub use ulid;
/// Crate whose `Uuid` appears in signatures.
#[cfg(feature = "ids")]
pub use uuid;
