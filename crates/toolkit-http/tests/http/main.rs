//! The crate as its users see it: one test binary, one file for each part.

#![expect(clippy::unwrap_used, reason = "helpers of a test may fail it")]

mod documents;
mod settings;
