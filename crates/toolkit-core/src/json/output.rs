//! Bounded output buffer: the bytes of a result, up to a limit.

use crate::error::ToolError;

/// Bytes that are written at once though fewer may be meant: a store of fixed size is one
/// instruction, and what is too much is overwritten by what follows.
pub(super) const CHUNK: usize = 16;
/// Bytes that a page has beyond its bound, so that the last ones are written like all others.
const SLACK: usize = 4 * CHUNK;

/// A result in the making.
///
/// Beyond its bound it lets go of its memory and takes what comes without keeping it, so that the
/// reader need not ask at each token whether there is room.
#[derive(Debug)]
pub(super) struct BoundedOutput {
    /// What was written, and zeros after it; nothing at all when there was too much.
    bytes: Vec<u8>,
    pub(super) len: usize,
    bytes_max: usize,
}

impl BoundedOutput {
    /// Starts an empty page with room for `capacity` bytes, and a bound on how many it takes.
    pub(super) fn new(capacity: usize, bytes_max: usize) -> Self {
        Self {
            bytes: vec![0; capacity.min(bytes_max) + SLACK],
            len: 0,
            bytes_max,
        }
    }

    /// Goes on after what a buffer holds, with room for `capacity` bytes more and a bound on all.
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

    /// Writes a whole chunk somewhere after what is there.
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

    /// Writes a byte: alone, as in a dense result a chunk would reach to where the next token's
    /// bytes are read, modulo 4096, and processors take such places for the same one.
    #[inline]
    pub(super) fn byte(&mut self, byte: u8) {
        if let Some(to) = self.bytes.get_mut(self.len) {
            *to = byte;
            self.len += 1;
            return;
        }
        self.put([byte; CHUNK], 1);
    }

    /// Writes `meant` bytes: the first chunk, and others like `filler`.
    #[inline]
    pub(super) fn fill(&mut self, first: [u8; CHUNK], filler: [u8; CHUNK], meant: usize) {
        self.write(self.len, first);
        let mut done = CHUNK;
        // Once the page is full, a line costs no more than its first chunk, however wide it is.
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

    /// Copies a range of bytes as far as a chunk has none that stops it, and returns where it ends.
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

    /// The text that was written.
    ///
    /// # Errors
    ///
    /// Says that it is larger than the bound.
    pub(super) fn finish(self) -> Result<String, ToolError> {
        let bytes_max = self.bytes_max;
        let too_large = || too_large(bytes_max);
        // Whole tokens of a text and brackets between them are text again.
        let bytes = self.into_bytes().ok_or_else(too_large)?;
        String::from_utf8(bytes).map_err(|_| too_large())
    }

    /// What was written; none where it is larger than the bound.
    pub(super) fn into_bytes(mut self) -> Option<Vec<u8>> {
        if self.bytes.is_empty() || self.len > self.bytes_max {
            return None;
        }
        self.bytes.truncate(self.len);
        Some(self.bytes)
    }
}

/// Refuses a result that is larger than a bound.
pub(super) fn too_large(bytes_max: usize) -> ToolError {
    ToolError::result_too_large(bytes_max).with_hint("use a smaller indent, or send less at once")
}

#[inline]
fn chunk_at(bytes: &mut [u8], at: usize) -> Option<&mut [u8; CHUNK]> {
    bytes.get_mut(at..)?.first_chunk_mut()
}

/// The bytes from a place on; zeros after the end.
#[inline]
pub(super) fn chunk_of(from: &[u8], at: usize) -> [u8; CHUNK] {
    match from.get(at..).and_then(<[u8]>::first_chunk) {
        Some(chunk) => *chunk,
        None => last_chunk(from, at),
    }
}

/// The bytes from `at` to the end, which is nearer than a chunk.
#[cold]
fn last_chunk(from: &[u8], at: usize) -> [u8; CHUNK] {
    let mut chunk = [0; CHUNK];
    for (to, from) in chunk.iter_mut().zip(from.iter().skip(at)) {
        *to = *from;
    }
    chunk
}

/// The bytes of a page with room for more, or none at all when it is full.
///
#[expect(
    clippy::needless_pass_by_value,
    reason = "a page that nothing borrows stays in registers, which is a tenth of the speed"
)]
#[cold]
#[inline(never)]
fn grown(bytes: Vec<u8>, needed: usize, bytes_max: usize) -> Vec<u8> {
    let size_max = bytes_max.saturating_add(SLACK);
    if bytes.is_empty() || needed > size_max {
        return Vec::new();
    }
    let doubled = bytes.len().saturating_mul(2).min(size_max);
    // Fresh zeros cost nothing where the system gives them; lengthening would write them.
    let mut longer = vec![0; doubled.max(needed)];
    if let Some(head) = longer.get_mut(..bytes.len()) {
        head.copy_from_slice(&bytes);
    }
    longer
}
