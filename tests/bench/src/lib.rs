//! Measurement library: a server as a child process, clients that load it, and documents to work
//! on.

pub mod cases;
pub mod client;
pub mod process;
pub mod samples;
