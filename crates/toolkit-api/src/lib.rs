#![doc = include_str!("../README.md")]

mod altcha;
mod api;
mod apps;
mod background;
mod captcha;
pub mod commands;
mod error;
mod extract;
mod forms;
mod handlers;
mod http_client;
mod input;
mod listed;
mod llm;
mod mail;
mod open_streams;
pub mod openapi;
mod pages;
mod rate_limits;
mod response_cache;
mod routes;
mod site;
mod state;
mod texts;
mod turnstile;
mod webhooks;

pub use self::api::{Api, ApiError, check};
pub use self::background::{Background, Sending, Upkeep};
