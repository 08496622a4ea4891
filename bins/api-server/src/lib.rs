//! `api-server` as a library, so that tests can start the program's own server.

pub mod cli;
mod server;

pub use self::server::Server;
