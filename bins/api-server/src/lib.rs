//! The REST API: the catalog, the runs of the tools, and what reaches a person or a model.

pub mod cli;
mod error;
mod gates;
mod handlers;
pub mod openapi;
mod pages;
mod routes;
mod server;
mod state;
mod targets;

pub use self::server::{Server, StartError};
