//! The crate as its users see it: one test binary, one file for each part.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "helpers of a test may fail it"
)]
#![expect(clippy::indexing_slicing, reason = "helpers of a test may fail it")]

mod app;
mod body;
mod documents;
mod edge;
mod limits;
mod settings;
mod wire;
