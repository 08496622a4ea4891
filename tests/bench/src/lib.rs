//! What measuring programs share: a server as a child process, and clients that ask it.

pub mod cases;
pub mod client;
pub mod process;
