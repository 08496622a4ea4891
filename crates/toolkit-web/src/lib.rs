#![doc = include_str!("../README.md")]

mod assets;
mod catalog;
mod graph;

pub use self::assets::{Asset, asset, assets, is_built, paths, revision, version, version_of};
pub use self::graph::preloads;
