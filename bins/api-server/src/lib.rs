//! `api-server` as a library, so that tests start the server that the program runs.

pub mod cli;
mod server;

pub use self::server::{Server, StartError};
