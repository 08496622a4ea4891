//! Output buffer of the streaming formatter.

/// Bytes written at once even if fewer are meant: a store of fixed size is one instruction, and the
/// excess is overwritten by the next write.
pub(super) const CHUNK: usize = 16;

/// Bytes waiting to be written.
#[derive(Debug)]
pub(super) struct StreamOutput {
    /// Waiting bytes, followed by unused ones.
    bytes: Vec<u8>,
    len: usize,
}

impl StreamOutput {
    /// Creates a buffer with room for `capacity` bytes, which grows as needed.
    pub(super) fn new(capacity: usize) -> Self {
        Self {
            bytes: vec![0; capacity],
            len: 0,
        }
    }

    pub(super) const fn len(&self) -> usize {
        self.len
    }

    pub(super) fn bytes(&self) -> &[u8] {
        self.bytes.get(..self.len).unwrap_or_default()
    }

    pub(super) const fn clear(&mut self) {
        self.len = 0;
    }

    #[inline]
    fn store(&mut self, at: usize, chunk: [u8; CHUNK]) {
        if let Some(to) = self.bytes.get_mut(at..).and_then(<[u8]>::first_chunk_mut) {
            *to = chunk;
        } else {
            self.grow(at, chunk);
        }
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self, at: usize, chunk: [u8; CHUNK]) {
        self.bytes.resize(2 * (at + CHUNK), 0);
        self.store(at, chunk);
    }

    /// Writes the first `meant` bytes of a chunk.
    #[inline]
    pub(super) fn put(&mut self, chunk: [u8; CHUNK], meant: usize) {
        self.store(self.len, chunk);
        self.len += meant;
    }

    /// Writes `meant` bytes: the first chunk, and more like `filler`.
    #[inline]
    pub(super) fn fill(&mut self, first: [u8; CHUNK], filler: [u8; CHUNK], meant: usize) {
        self.store(self.len, first);
        let mut done = CHUNK;
        while done < meant {
            self.store(self.len + done, filler);
            done += CHUNK;
        }
        self.len += meant;
    }

    /// Writes a range of bytes.
    #[inline]
    pub(super) fn copy(&mut self, from: &[u8], start: usize, end: usize) {
        let mut at = start;
        while at < end {
            let Some(chunk) = from.get(at..).and_then(<[u8]>::first_chunk) else {
                return self.copy_last(from.get(at..end).unwrap_or_default(), end - start);
            };
            self.store(self.len + (at - start), *chunk);
            at += CHUNK;
        }
        self.len += end - start;
    }

    /// Writes the end of a range that is less than a chunk from the end of its source.
    #[cold]
    #[inline(never)]
    fn copy_last(&mut self, rest: &[u8], length: usize) {
        let mut chunk = [0; CHUNK];
        for (to, from) in chunk.iter_mut().zip(rest) {
            *to = *from;
        }
        self.store(self.len + length - rest.len(), chunk);
        self.len += length;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copying_and_filling_write_exactly_the_meant_bytes() {
        let source: Vec<u8> = (0..100).collect();
        for start in 0..source.len() {
            for end in start..=source.len() {
                let mut out = StreamOutput::new(3);
                out.put([b'('; CHUNK], 1);
                out.copy(&source, start, end);
                out.fill([b'-'; CHUNK], [b'_'; CHUNK], end - start);
                let length = end - start;
                let (copied, filled) = out.bytes().split_at(1 + length);
                assert_eq!(copied.split_first(), Some((&b'(', &source[start..end])));
                let expected = |index| if index < CHUNK { b'-' } else { b'_' };
                assert_eq!(filled, (0..length).map(expected).collect::<Vec<_>>());
                out.clear();
                assert_eq!((out.len(), out.bytes()), (0, &[][..]));
            }
        }
    }
}
