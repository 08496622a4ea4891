#![doc = include_str!("../README.md")]

pub mod body;
pub mod bounds;
pub mod client_ip;
mod connection;
pub mod detail;
pub mod prepared;
pub mod request_id;
pub mod settings;
