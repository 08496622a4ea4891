//! Measurement library: servers as child processes, a load generator, sample documents and tables.
#![expect(
    clippy::missing_errors_doc,
    reason = "all errors have the same cause: a program cannot be started, or has ended"
)]

pub mod cases;
pub mod client;
pub mod load;
pub mod process;
pub mod samples;
pub mod table;
