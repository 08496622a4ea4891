//! Bounded output buffer: the bytes of a result, up to a limit.

use crate::error::ToolError;

/// Bytes written at once even if fewer are meant: a store of fixed size is one instruction, and the
/// excess is overwritten by the next write.
pub(super) const CHUNK: usize = 16;
/// Bytes of the buffer beyond its limit, so that the last ones are written like all others.
const SLACK: usize = 4 * CHUNK;

/// A result under construction.
///
/// Beyond its limit it frees its memory and discards further input, so the parser need not check
/// for room at each token.
#[derive(Debug)]
pub(super) struct BoundedOutput {
    /// Bytes written so far, followed by zeros; empty after an overflow.
    bytes: Vec<u8>,
    pub(super) len: usize,
    bytes_max: usize,
}

impl BoundedOutput {
    /// Creates an empty output with room for `capacity` bytes, and a limit on its length.
    pub(super) fn new(capacity: usize, bytes_max: usize) -> Self {
        Self {
            bytes: vec![0; capacity.min(bytes_max) + SLACK],
            len: 0,
            bytes_max,
        }
    }

    /// Continues after the content of a buffer, with room for `capacity` bytes more and a limit on
    /// the total.
    #[cfg(feature = "tools")]
    pub(super) fn after(mut bytes: Vec<u8>, capacity: usize, bytes_max: usize) -> Self {
        let len = bytes.len();
        bytes.resize((len + capacity).min(bytes_max.max(len)) + SLACK, 0);
        Self {
            bytes,
            len,
            bytes_max,
        }
    }

    /// Writes a whole chunk at a position in or after the content.
    #[inline]
    fn write(&mut self, at: usize, chunk: [u8; CHUNK]) {
        if let Some(to) = chunk_at(&mut self.bytes, at) {
            *to = chunk;
            return;
        }
        let bytes = std::mem::take(&mut self.bytes);
        self.bytes = grown(bytes, at + CHUNK, self.bytes_max);
        if let Some(to) = chunk_at(&mut self.bytes, at) {
            *to = chunk;
        }
    }

    /// Writes the first `meant` bytes of a chunk.
    #[inline]
    pub(super) fn put(&mut self, chunk: [u8; CHUNK], meant: usize) {
        self.write(self.len, chunk);
        self.len += meant;
    }

    /// Writes a byte: singly, since in a dense result a chunk would reach to the address of the
    /// next token's bytes modulo 4096, which processors treat as an overlap.
    #[inline]
    pub(super) fn byte(&mut self, byte: u8) {
        if let Some(to) = self.bytes.get_mut(self.len) {
            *to = byte;
            self.len += 1;
            return;
        }
        self.put([byte; CHUNK], 1);
    }

    /// Writes `meant` bytes: the first chunk, and more like `filler`.
    #[inline]
    pub(super) fn fill(&mut self, first: [u8; CHUNK], filler: [u8; CHUNK], meant: usize) {
        self.write(self.len, first);
        let mut done = CHUNK;
        // Once the output has overflowed, a line costs no more than its first chunk, however wide
        // it is.
        while done < meant && !self.bytes.is_empty() {
            self.write(self.len + done, filler);
            done += CHUNK;
        }
        self.len += meant;
    }

    /// Copies a range of bytes.
    #[inline]
    pub(super) fn copy(&mut self, from: &[u8], start: usize, end: usize) {
        let mut at = start;
        while at < end {
            self.write(self.len + (at - start), chunk_of(from, at));
            at += CHUNK;
        }
        self.len += end - start;
    }

    /// Copies a range of bytes up to the first chunk with a byte that stops it, and returns the
    /// end.
    #[cfg(feature = "tools")]
    #[inline]
    pub(super) fn copy_until(
        &mut self,
        from: &[u8],
        start: usize,
        end: usize,
        stops: impl Fn([u8; CHUNK]) -> bool,
    ) -> usize {
        let mut at = start;
        while at < end {
            let chunk = chunk_of(from, at);
            if stops(chunk) {
                self.len += at - start;
                return at;
            }
            self.write(self.len + (at - start), chunk);
            at += CHUNK;
        }
        self.len += end - start;
        end
    }

    /// Returns the text written.
    ///
    /// # Errors
    ///
    /// Says that it exceeds the limit.
    pub(super) fn finish(self) -> Result<String, ToolError> {
        let bytes_max = self.bytes_max;
        let too_large = || too_large(bytes_max);
        // Whole tokens of valid text and brackets between them are valid UTF-8.
        let bytes = self.into_bytes().ok_or_else(too_large)?;
        String::from_utf8(bytes).map_err(|_| too_large())
    }

    /// The bytes written; `None` if they exceed the limit.
    pub(super) fn into_bytes(mut self) -> Option<Vec<u8>> {
        if self.bytes.is_empty() || self.len > self.bytes_max {
            return None;
        }
        self.bytes.truncate(self.len);
        Some(self.bytes)
    }
}

/// Error for a result that exceeds a limit.
pub(super) fn too_large(bytes_max: usize) -> ToolError {
    ToolError::result_too_large(bytes_max).with_hint("use a smaller indent, or send less at once")
}

#[inline]
fn chunk_at(bytes: &mut [u8], at: usize) -> Option<&mut [u8; CHUNK]> {
    bytes.get_mut(at..)?.first_chunk_mut()
}

/// The bytes from a position on, padded with zeros after the end.
#[inline]
pub(super) fn chunk_of(from: &[u8], at: usize) -> [u8; CHUNK] {
    match from.get(at..).and_then(<[u8]>::first_chunk) {
        Some(chunk) => *chunk,
        None => last_chunk(from, at),
    }
}

/// The bytes from `at` to the end, which are fewer than a chunk.
#[cold]
fn last_chunk(from: &[u8], at: usize) -> [u8; CHUNK] {
    let mut chunk = [0; CHUNK];
    for (to, from) in chunk.iter_mut().zip(from.iter().skip(at)) {
        *to = *from;
    }
    chunk
}

/// The bytes of an output with room for more, or an empty buffer after an overflow.
///
#[expect(
    clippy::needless_pass_by_value,
    reason = "an output that is not borrowed stays in registers, which is 10 % faster"
)]
#[cold]
#[inline(never)]
fn grown(bytes: Vec<u8>, needed: usize, bytes_max: usize) -> Vec<u8> {
    let size_max = bytes_max.saturating_add(SLACK);
    if bytes.is_empty() || needed > size_max {
        return Vec::new();
    }
    let doubled = bytes.len().saturating_mul(2).min(size_max);
    // Fresh zeros cost nothing if the system provides them; lengthening would write them.
    let mut longer = vec![0; doubled.max(needed)];
    if let Some(head) = longer.get_mut(..bytes.len()) {
        head.copy_from_slice(&bytes);
    }
    longer
}
