//! Bounded output buffer: the bytes of a result, up to a limit.

use crate::error::ToolError;

/// Bytes written at once even if fewer are meant: a store of fixed size is one instruction, and the
/// excess is overwritten by the next write.
pub(super) const CHUNK: usize = 16;
/// Bytes of the buffer beyond its limit, so that the last ones are written like all others.
const SLACK: usize = 4 * CHUNK;

/// Destination of tokens: plain, or as the content of a string.
pub(super) trait Output {
    /// Writes a token; that of a string includes its quotes.
    fn token(&mut self, bytes: &[u8], start: usize, end: usize);

    /// Writes a byte between tokens.
    fn byte(&mut self, byte: u8);

    /// Writes the first `meant` bytes of a chunk between tokens.
    fn put(&mut self, chunk: [u8; CHUNK], meant: usize);

    /// Ends a line with a few bytes, and starts the next one with `width` blanks.
    fn line<const N: usize>(&mut self, end: [u8; N], blank: u8, width: usize);
}

/// A result under construction.
///
/// Beyond its limit it frees its memory and discards further input, so the parser need not check
/// for room at each token.
#[derive(Debug)]
pub(super) struct BoundedOutput {
    /// Bytes written so far, followed by unused ones; empty after an overflow.
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
        self.copy_until(from, start, end, |_| false);
    }

    /// Copies a range of bytes up to the first chunk with a byte that stops it, and returns the
    /// end.
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

    /// The bytes written so far.
    pub(super) fn bytes(&self) -> &[u8] {
        self.bytes.get(..self.len).unwrap_or_default()
    }

    /// Returns the text written.
    ///
    /// # Errors
    ///
    /// Says that it exceeds the limit.
    pub(super) fn finish(self) -> Result<String, ToolError> {
        let bytes_max = self.bytes_max;
        // Whole tokens of valid text and brackets between them are valid UTF-8.
        let text = self.into_bytes().map(String::from_utf8);
        text.and_then(Result::ok)
            .ok_or_else(|| too_large(bytes_max))
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

impl Output for BoundedOutput {
    #[inline]
    fn token(&mut self, bytes: &[u8], start: usize, end: usize) {
        self.copy(bytes, start, end);
    }

    /// Writes a byte: singly, since in a dense result a chunk would reach to the address of the
    /// next token's bytes modulo 4096, which processors treat as an overlap.
    #[inline]
    fn byte(&mut self, byte: u8) {
        if let Some(to) = self.bytes.get_mut(self.len) {
            *to = byte;
            self.len += 1;
            return;
        }
        self.put([byte; CHUNK], 1);
    }

    #[inline]
    fn put(&mut self, chunk: [u8; CHUNK], meant: usize) {
        self.write(self.len, chunk);
        self.len += meant;
    }

    #[inline]
    fn line<const N: usize>(&mut self, end: [u8; N], blank: u8, width: usize) {
        self.fill(
            line_start(end, *b"\n", blank),
            [blank; CHUNK],
            N + 1 + width,
        );
    }
}

/// The end of a line, a line break, and blanks of the next line.
#[inline]
pub(super) fn line_start<const N: usize, const M: usize>(
    end: [u8; N],
    line_break: [u8; M],
    blank: u8,
) -> [u8; CHUNK] {
    let mut chunk = [blank; CHUNK];
    if let Some((to, rest)) = chunk.split_first_chunk_mut() {
        *to = end;
        if let Some(to) = rest.first_chunk_mut() {
            *to = line_break;
        }
    }
    chunk
}

/// Pads a few bytes to a chunk.
#[inline]
pub(super) const fn chunk<const N: usize>(bytes: &[u8; N]) -> [u8; CHUNK] {
    let mut chunk = [0; CHUNK];
    if let Some(head) = chunk.first_chunk_mut() {
        *head = *bytes;
    }
    chunk
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
fn chunk_of(from: &[u8], at: usize) -> [u8; CHUNK] {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copying_and_filling_write_exactly_the_meant_bytes() {
        let source: Vec<u8> = (0..100).collect();
        for start in 0..source.len() {
            for end in start..=source.len() {
                let mut out = BoundedOutput::new(3, usize::MAX);
                out.put([b'('; CHUNK], 1);
                out.copy(&source, start, end);
                out.fill([b'-'; CHUNK], [b'_'; CHUNK], end - start);
                let length = end - start;
                let (copied, filled) = out.bytes().split_at(1 + length);
                assert_eq!(copied.split_first(), Some((&b'(', &source[start..end])));
                let expected = |index| if index < CHUNK { b'-' } else { b'_' };
                assert_eq!(filled, (0..length).map(expected).collect::<Vec<_>>());
            }
        }
    }
}
