#![doc = include_str!("../README.md")]

mod api;
mod background;
mod chat;
mod error;
mod flags;
mod health;
mod http_client;
mod input;
mod office;
pub mod openapi;
mod rate_limits;
mod routes;
mod sender;
mod site;
mod state;
mod tools;

pub use self::api::{Api, ApiError, check};
pub use self::background::{Background, Sending, Upkeep};
pub use self::office::commands;
