#![doc = include_str!("../README.md")]

mod blocking_pool;
mod runner;

pub use self::runner::{Failure, Runner};
