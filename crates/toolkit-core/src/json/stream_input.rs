//! Input of the streaming formatter: a window of the text, and a position in it.

use std::io::Read;

use super::stream_error::StreamError;

/// Bytes read at once.
pub(super) const CHUNK_BYTES: usize = 64 << 10;
/// Maximum length of a number, in bytes: a longer one is refused.
const BUFFER_BYTES_MAX: usize = 1 << 20;

/// A window of the text, consisting of whole characters.
pub(super) struct Input {
    buffer: Vec<u8>,
    /// End of the complete characters.
    valid: usize,
    /// End of the bytes read.
    filled: usize,
    is_end: bool,
    is_start: bool,
    line: usize,
    column: usize,
}

impl Input {
    pub(super) fn new() -> Self {
        Self {
            buffer: vec![0; CHUNK_BYTES],
            valid: 0,
            filled: 0,
            is_end: false,
            is_start: true,
            line: 1,
            column: 1,
        }
    }

    pub(super) fn bytes(&self) -> &[u8] {
        self.buffer.get(..self.valid).unwrap_or_default()
    }

    /// Whether the reader is at its end.
    pub(super) fn is_end(&self) -> bool {
        self.is_end
    }

    /// Drops the processed bytes, moves the rest to the front, and reads more.
    pub(super) fn refill(
        &mut self,
        reader: &mut impl Read,
        done: usize,
    ) -> Result<(), StreamError> {
        self.count(done);
        self.buffer.copy_within(done..self.filled, 0);
        self.filled -= done;
        if self.filled == self.buffer.len() {
            if self.buffer.len() >= BUFFER_BYTES_MAX {
                return Err(self.refusal(0, "a number of over 1 MiB"));
            }
            self.buffer.resize(self.buffer.len() * 2, 0);
        }
        while !self.is_end && self.filled < self.buffer.len() {
            let room = self.buffer.get_mut(self.filled..).unwrap_or_default();
            match reader.read(room) {
                Ok(0) => self.is_end = true,
                Ok(read) => self.filled += read,
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(error) => return Err(StreamError::Io(error)),
            }
        }
        self.validate()?;
        self.drop_byte_order_mark();
        Ok(())
    }

    /// Finds the end of the complete characters.
    fn validate(&mut self) -> Result<(), StreamError> {
        let filled = self.buffer.get(..self.filled).unwrap_or_default();
        self.valid = match std::str::from_utf8(filled) {
            Ok(_) => self.filled,
            Err(error) if error.error_len().is_none() && !self.is_end => error.valid_up_to(),
            Err(error) => return Err(self.refusal(error.valid_up_to(), "bytes that are not UTF-8")),
        };
        Ok(())
    }

    fn drop_byte_order_mark(&mut self) {
        if std::mem::take(&mut self.is_start) && self.bytes().starts_with(b"\xEF\xBB\xBF") {
            self.buffer.copy_within(3..self.filled, 0);
            self.filled -= 3;
            self.valid -= 3;
        }
    }

    /// Counts lines and columns of the processed bytes.
    fn count(&mut self, done: usize) {
        let bytes = self.buffer.get(..done).unwrap_or_default();
        let breaks = count(bytes, |byte| byte == b'\n');
        let mut last_line = bytes;
        if breaks > 0 {
            let last = bytes.iter().rposition(|byte| *byte == b'\n');
            last_line = bytes
                .get(last.map_or(0, |last| last + 1)..)
                .unwrap_or_default();
            self.line += breaks;
            self.column = 1;
        }
        // All bytes of a character but its first are continuations (RFC 3629 §3).
        self.column += count(last_line, |byte| byte & 0xC0 != 0x80);
    }

    pub(super) fn refusal(&mut self, at: usize, message: &'static str) -> StreamError {
        self.count(at);
        StreamError::syntax(message, self.line, self.column)
    }
}

/// Counts bytes: few enough at a time for a single byte to hold their sum, so that sixteen are
/// counted at once.
fn count(bytes: &[u8], is_counted: impl Fn(u8) -> bool) -> usize {
    let few = bytes.chunks(240);
    let counts = few.map(|few| {
        few.iter()
            .map(|&byte| u8::from(is_counted(byte)))
            .sum::<u8>()
    });
    counts.map(usize::from).sum()
}
