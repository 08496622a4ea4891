//! What measuring programs share: a server as a child process, clients that ask it, and documents to work on.

pub mod cases;
pub mod client;
pub mod process;
pub mod samples;
