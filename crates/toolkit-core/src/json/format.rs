//! Formatter: writes tokens pretty-printed or minified, as text or as the content of a JSON string.
//!
//! The content of an answer is escaped while it is written: a search for escapes afterwards takes
//! 20 % of a run of 38 KB.

use super::token::{Bracket, Sink};
use crate::error::ToolError;
use crate::layout::Layout;

/// A result under construction, as a JSON string if `QUOTED`.
///
/// A pretty-printed result needs an escape every few bytes, all known when they are written: the
/// quotes around a token, and the line feeds. Searching for them afterwards takes twice as long.
///
/// Beyond its limit it discards further input, so the parser need not check for room at each token.
#[derive(Debug)]
pub(super) struct Formatter<const QUOTED: bool> {
    out: Vec<u8>,
    bytes_max: usize,
    /// Indentation character, and their number per level. `None` if everything is on one line.
    indentation: Option<(u8, usize)>,
    /// Number of open arrays and objects.
    depth: usize,
}

impl<const QUOTED: bool> Formatter<QUOTED> {
    /// Creates an empty result with room for `capacity` bytes, and a limit on its length.
    pub(super) fn new(layout: Layout, capacity: usize, bytes_max: usize) -> Self {
        let mut out = Vec::with_capacity(capacity.min(bytes_max));
        if QUOTED {
            out.push(b'"');
        }
        Self { out, bytes_max, indentation: layout.indentation(), depth: 0 }
    }

    /// Returns the bytes written, which are UTF-8.
    ///
    /// # Errors
    ///
    /// Says that they exceed the limit.
    pub(super) fn finish(mut self) -> Result<Vec<u8>, ToolError> {
        if QUOTED {
            self.out.push(b'"');
        }
        if self.out.len() > self.bytes_max {
            let refusal = ToolError::result_too_large(self.bytes_max);
            return Err(refusal.with_hint("use a smaller indent, or send less at once"));
        }
        Ok(self.out)
    }

    fn is_full(&self) -> bool {
        self.out.len() > self.bytes_max
    }

    fn put(&mut self, byte: u8) {
        if !self.is_full() {
            self.out.push(byte);
        }
    }

    /// Begins a line.
    fn line(&mut self) {
        let Some((blank, count)) = self.indentation else {
            return;
        };
        if self.is_full() {
            return;
        }
        let width = count * self.depth;
        let line_feed: &[u8] = if QUOTED { b"\\n" } else { b"\n" };
        self.out.extend_from_slice(line_feed);
        if QUOTED && blank == b'\t' {
            self.out.extend_from_slice(&b"\\t".repeat(width));
        } else {
            self.out.resize(self.out.len() + width, blank);
        }
    }
}

impl<const QUOTED: bool> Sink for Formatter<QUOTED> {
    fn empty(&mut self, bracket: Bracket) {
        self.put(bracket.opening());
        self.put(bracket.closing());
    }

    fn open(&mut self, bracket: Bracket) {
        self.put(bracket.opening());
        self.depth += 1;
        self.line();
    }

    fn comma(&mut self) {
        self.put(b',');
        self.line();
    }

    fn name(&mut self, token: &[u8], has_escapes: bool) {
        self.scalar(token, has_escapes);
        self.put(b':');
        if self.indentation.is_some() {
            self.put(b' ');
        }
    }

    fn scalar(&mut self, token: &[u8], has_escapes: bool) {
        if self.is_full() {
            return;
        }
        match token {
            // Within the quotes of a valid string each quote has a backslash before it.
            [b'"', content @ .., b'"'] if QUOTED => {
                self.out.extend_from_slice(b"\\\"");
                if has_escapes {
                    for byte in content {
                        if matches!(byte, b'"' | b'\\') {
                            self.out.push(b'\\');
                        }
                        self.out.push(*byte);
                    }
                } else {
                    self.out.extend_from_slice(content);
                }
                self.out.extend_from_slice(b"\\\"");
            }
            _ => self.out.extend_from_slice(token),
        }
    }

    fn close(&mut self, bracket: Bracket) {
        self.depth -= 1;
        self.line();
        self.put(bracket.closing());
    }
}
