#![doc = include_str!("../README.md")]

pub mod prepared;
pub mod settings;
