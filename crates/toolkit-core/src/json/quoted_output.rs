//! Quoted output: a result as the content of a JSON string, escaped while it is written.
//!
//! A pretty-printed result needs an escape every few bytes, all known when they are written: the
//! quotes around a token, and the line feeds. Writing it first and searching for them afterwards
//! takes twice as long.

use super::output::{BoundedOutput, CHUNK, Output, chunk, line_start, too_large};
use crate::error::ToolError;
use crate::scan;

/// A result under construction, between the quotes of a string.
#[derive(Debug)]
pub(super) struct QuotedOutput {
    output: BoundedOutput,
    /// The bytes before the string, which are kept if the result is too large.
    before: Vec<u8>,
    /// Bytes added by escapes.
    added: usize,
}

impl QuotedOutput {
    /// Begins a string after the content of `out`, with room for `capacity` bytes, of which the
    /// result can take at most `quoted_bytes_max`.
    pub(super) fn begin(out: &mut Vec<u8>, capacity: usize, quoted_bytes_max: usize) -> Self {
        let before = out.clone();
        let bytes_max = before.len().saturating_add(quoted_bytes_max);
        let mut output = BoundedOutput::after(std::mem::take(out), capacity, bytes_max);
        output.byte(b'"');
        Self {
            output,
            before,
            added: 2,
        }
    }

    /// Ends the string and returns it in `out`; returns `false` if it would exceed its limit, and
    /// restores `out`.
    ///
    /// # Errors
    ///
    /// Says that the text in the string exceeds `bytes_max`.
    pub(super) fn finish(mut self, bytes_max: usize, out: &mut Vec<u8>) -> Result<bool, ToolError> {
        self.output.byte(b'"');
        let text_bytes = self.output.len - self.before.len() - self.added;
        let written = self.output.into_bytes();
        let fits = written.is_some();
        *out = written.unwrap_or(self.before);
        if text_bytes > bytes_max {
            return Err(too_large(bytes_max));
        }
        Ok(fits)
    }

    /// Copies the inside of a string, starting at or shortly before its first backslash.
    #[inline(never)]
    fn copy_escapes(&mut self, bytes: &[u8], mut at: usize, end: usize) {
        while at < end {
            let word = scan::word(bytes, at);
            let run = scan::run(scan::string_stops(word)).min(end - at);
            self.output.copy(bytes, at, at + run);
            at += run;
            if run < scan::WORD && at < end {
                self.output
                    .put(chunk(&[b'\\', scan::byte_of(word, run)]), 2);
                self.added += 1;
                at += 1;
            }
        }
    }
}

impl Output for QuotedOutput {
    #[inline]
    fn token(&mut self, bytes: &[u8], start: usize, end: usize) {
        if bytes.get(start) != Some(&b'"') {
            self.output.copy(bytes, start, end);
            return;
        }
        // The quotes are copied with the text, each after a backslash.
        self.output.byte(b'\\');
        let inside = end - 1;
        let rest = self.output.copy_until(bytes, start, inside, has_backslash);
        if rest < inside {
            if rest == start {
                self.output.byte(b'"');
            }
            self.copy_escapes(bytes, rest.max(start + 1), inside);
        }
        self.output.put(chunk(b"\\\""), 2);
        self.added += 2;
    }

    #[inline]
    fn byte(&mut self, byte: u8) {
        self.output.byte(byte);
    }

    #[inline]
    fn put(&mut self, chunk: [u8; CHUNK], meant: usize) {
        self.output.put(chunk, meant);
    }

    #[inline]
    fn line<const N: usize>(&mut self, end: [u8; N], blank: u8, width: usize) {
        let first = line_start(end, *b"\\n", blank);
        self.added += 1;
        if blank == b'\t' {
            self.output.put(first, N + 2);
            let tabs = *b"\\t\\t\\t\\t\\t\\t\\t\\t";
            self.output.fill(tabs, tabs, 2 * width);
            self.added += width;
        } else {
            self.output.fill(first, [blank; CHUNK], N + 2 + width);
        }
    }
}

/// Whether a chunk has a backslash: a valid string has no quote inside without one.
#[inline]
fn has_backslash(chunk: [u8; CHUNK]) -> bool {
    let is_backslash = |byte: &u8| *byte == b'\\';
    // All bytes are compared, which takes a few instructions.
    chunk
        .iter()
        .fold(false, |found, byte| found | is_backslash(byte))
}
