//! Scalar values of the core schema.

use std::borrow::Cow;

/// What a scalar stands for. Numbers are JSON text with the digits they came with.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Value<'a> {
    Null,
    Bool(bool),
    Int(Cow<'a, str>),
    Float(Cow<'a, str>),
    /// Digits after `0o` or `0x`, and the bits that each stands for.
    Radix(&'a str, u32),
    /// `.inf`, `-.inf` or `.nan`.
    NonFinite(&'a str),
    /// A string that is not a number only because of its leading zeros.
    Padded(&'a str),
    Text(&'a str),
}
