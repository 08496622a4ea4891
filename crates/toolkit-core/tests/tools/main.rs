//! Encoders, digests, tokens, identifiers, timestamps and address blocks against their standards.
#![expect(
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by a panic"
)]

mod advice;
mod base64;
mod cidr;
mod digest;
mod error_kinds;
mod example;
mod ids;
mod jwt;
mod linear;
mod percent;
mod support;
mod timestamp;
mod warning_kinds;
