#![doc = include_str!("../README.md")]

mod lane;
mod runner;

pub use self::runner::{Failure, Runner};
