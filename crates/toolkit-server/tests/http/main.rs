//! The crate as seen by its users: one test binary, one file for each part.

#![expect(clippy::unwrap_used, clippy::panic, reason = "helpers of a test may fail it")]
#![expect(clippy::indexing_slicing, reason = "helpers of a test may fail it")]
#![expect(clippy::print_stdout, reason = "a test that is skipped says so")]

mod accounts;
mod admin;
mod app;
mod architecture;
mod body;
mod client;
mod figures;
mod generated;
mod limits;
mod middleware;
mod process;
mod reference;
mod settings;
mod shared_limits;
mod stream;
mod traces;
