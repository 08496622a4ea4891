//! Tokenizer for RFC 8259: white space (§2) and strings (§7). Numbers (§6) are in `node/number.rs`.
//!
//! Each function takes the position of a token's start and returns the position after it, or the
//! position of the error: passed by value, a position stays in a register.

use super::first_few::FirstFew;
use crate::json_string;
pub(super) use crate::node::number::{byte, scan as number};

/// Skips white space.
pub(super) fn blanks(bytes: &[u8], mut at: usize) -> usize {
    while matches!(byte(bytes, at), b' ' | b'\n' | b'\r' | b'\t') {
        at += 1;
    }
    at
}

/// Escapes seen so far.
#[derive(Debug, Default)]
pub(super) struct Escapes {
    /// Position of the last one.
    pub last: usize,
    /// Positions of lone surrogates.
    pub lone_surrogates: FirstFew<usize>,
}

/// Scans a string, starting at its opening quote.
pub(super) fn string(bytes: &[u8], open: usize, escapes: &mut Escapes) -> Result<usize, usize> {
    let mut at = open + 1;
    loop {
        at += json_string::plain_length(bytes.get(at..).unwrap_or_default());
        match byte(bytes, at) {
            b'"' => return Ok(at + 1),
            b'\\' => at = pass_escape(bytes, at, escapes)?,
            _ => return Err(at),
        }
    }
}

/// Scans an escape, starting at its backslash.
#[inline(never)]
fn pass_escape(bytes: &[u8], at: usize, escapes: &mut Escapes) -> Result<usize, usize> {
    let unit = |at| bytes.get(at..).and_then(json_string::unit);
    escapes.last = at;
    match byte(bytes, at + 1) {
        b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => return Ok(at + 2),
        b'u' => {}
        _ => return Err(at),
    }
    match unit(at) {
        Some(0xD800..=0xDBFF) if matches!(unit(at + 6), Some(0xDC00..=0xDFFF)) => Ok(at + 12),
        Some(0xD800..=0xDFFF) => {
            escapes.lone_surrogates.push(at);
            Ok(at + 6)
        }
        Some(_) => Ok(at + 6),
        None => Err(at),
    }
}
