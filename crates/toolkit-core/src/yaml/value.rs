//! Scalar values of the core schema.

use std::borrow::Cow;

/// Value of a scalar. Numbers are JSON text with their original digits.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Value<'a> {
    Null,
    Bool(bool),
    Int(Cow<'a, str>),
    Float(Cow<'a, str>),
    /// Digits after `0o` or `0x`, and the number of bits of each.
    Radix(&'a str, u32),
    /// `.inf`, `-.inf` or `.nan`.
    NonFinite(&'a str),
    /// A string that is not a number only because of its leading zeros.
    Padded(&'a str),
    Text(&'a str),
}
