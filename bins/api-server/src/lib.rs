//! The REST API: the catalog, the runs of the tools, and what reaches a person or a model.

mod auth;
mod background;
pub mod cli;
mod error;
mod gates;
mod handlers;
mod https;
mod input;
mod llm;
mod mail;
pub mod openapi;
mod pages;
mod routes;
mod server;
mod state;
mod targets;
mod turnstile;

pub use self::server::{Server, StartError};
