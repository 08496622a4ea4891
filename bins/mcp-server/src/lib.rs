#![doc = include_str!("../README.md")]

mod bridge;
mod call;
pub mod cli;
mod discovery;
mod endpoint;
mod error;
mod framing;
mod guard;
mod handler;
mod identity;
mod protocol;
mod routes;
mod server;
mod sketch;
mod straight;
mod tools;

pub use self::bridge::Bridge;
pub use self::endpoint::Endpoint;
pub use self::guard::Guard;
pub use self::routes::endpoint as endpoint_routes;
pub use self::server::{Server, StartError};
pub use self::straight::Straight;
