//! REST API server: catalog, tool runs, chat, contact, newsletter and web pages.

mod background;
pub mod cli;
mod error;
mod extract;
mod handlers;
mod http_client;
mod input;
mod llm;
mod mail;
mod open_streams;
pub mod openapi;
mod pages;
mod rate_limits;
mod response_cache;
mod routes;
mod server;
mod site;
mod slugs;
mod state;
mod turnstile;

pub use self::server::{Server, StartError};
