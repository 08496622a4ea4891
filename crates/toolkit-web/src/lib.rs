#![doc = include_str!("../README.md")]

mod assets;
mod catalog;
mod graph;
mod imports;
mod tools;

pub use self::assets::{Asset, asset, assets, paths, revision, version, version_of};
pub use self::graph::preloads;
pub use self::tools::{ToolModule, asks_server, tool_module};
