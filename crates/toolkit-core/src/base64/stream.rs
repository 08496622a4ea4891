//! Streaming encoder and decoder: Base64 over a writer and a reader.

use std::io::{self, Read, Write};

use super::{Alphabet, Decoded, Defect, Fault, encode, read};
use crate::error::{Position, ToolError};

/// Number of bytes encoded or decoded at once.
const CHUNK_BYTES: usize = 48 << 10;

/// Writer that encodes its input, and writes the characters to another writer.
///
/// ```
/// use std::io::Write;
/// use toolkit_core::base64::{Alphabet, Encoder};
///
/// let mut encoder = Encoder::new(Vec::new(), Alphabet::Standard);
/// encoder.write_all(b"a")?;
/// encoder.write_all(b"?>")?;
/// assert_eq!(encoder.finish()?, b"YT8+");
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Encoder<W> {
    writer: W,
    alphabet: Alphabet,
    /// Bytes of an incomplete group of three.
    pending: Vec<u8>,
}

impl<W: Write> Encoder<W> {
    /// Creates an encoder.
    pub const fn new(writer: W, alphabet: Alphabet) -> Self {
        Self {
            writer,
            alphabet,
            pending: Vec::new(),
        }
    }

    /// Writes the last characters with their padding, and returns the writer. Without this call
    /// they are lost.
    ///
    /// # Errors
    ///
    /// Errors of the writer.
    pub fn finish(mut self) -> io::Result<W> {
        let last = encode(&self.pending, self.alphabet);
        self.writer.write_all(last.as_bytes())?;
        self.writer.flush()?;
        Ok(self.writer)
    }
}

impl<W: Write> Write for Encoder<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let taken = bytes.len().min(CHUNK_BYTES);
        self.pending
            .extend_from_slice(bytes.get(..taken).unwrap_or_default());
        let whole = self.pending.len() / 3 * 3;
        let text = encode(self.pending.get(..whole).unwrap_or_default(), self.alphabet);
        self.writer.write_all(text.as_bytes())?;
        self.pending.drain(..whole);
        Ok(taken)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.flush()
    }
}

/// Reader that decodes Base64 from another reader.
///
/// White space is dropped, as in files with lines of 76 characters; padding is optional. Invalid
/// Base64 is an error of the kind `InvalidData` that holds a [`ToolError`].
///
/// ```
/// use std::io::Read;
/// use toolkit_core::base64::Decoder;
///
/// let mut decoded = Vec::new();
/// Decoder::new(&b"aGVs\nbG8="[..], None).read_to_end(&mut decoded)?;
/// assert_eq!(decoded, b"hello");
/// assert!(Decoder::new(&b"a%"[..], None).read_to_end(&mut decoded).is_err());
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Decoder<R> {
    reader: R,
    wanted: Option<Alphabet>,
    /// Alphabet of the input so far.
    seen: Option<Alphabet>,
    /// Characters that are not decoded yet.
    pending: Vec<u8>,
    /// Decoded bytes, and how many of them were read.
    decoded: Vec<u8>,
    given: usize,
    /// Number of characters before the pending ones; `None` once white space was dropped.
    offset: Option<usize>,
    is_end: bool,
}

impl<R: Read> Decoder<R> {
    /// Creates a decoder of the given alphabet or, without one, of the detected one.
    pub const fn new(reader: R, alphabet: Option<Alphabet>) -> Self {
        Self {
            reader,
            wanted: alphabet,
            seen: alphabet,
            pending: Vec::new(),
            decoded: Vec::new(),
            given: 0,
            offset: Some(0),
            is_end: false,
        }
    }

    fn refill(&mut self) -> io::Result<()> {
        let mut chunk = vec![0; CHUNK_BYTES];
        let read = self.reader.read(&mut chunk)?;
        self.is_end = read == 0;
        chunk.truncate(read);
        for run in chunk.split(u8::is_ascii_whitespace) {
            self.pending.extend_from_slice(run);
        }
        if chunk.iter().any(u8::is_ascii_whitespace) {
            self.offset = None;
        }
        self.seen = self
            .seen
            .or_else(|| chunk.iter().copied().find_map(Alphabet::of));
        self.decode()
    }

    /// Decodes the pending characters except, before the end, the last four: they may be padded.
    fn decode(&mut self) -> io::Result<()> {
        let length = self.pending.len();
        let whole = if self.is_end {
            length
        } else {
            (length / 4 * 4).saturating_sub(4)
        };
        let characters = self.pending.get(..whole).unwrap_or_default();
        let padding = characters.iter().position(|byte| *byte == b'=');
        if let Some(index) = padding.filter(|_| !self.is_end) {
            return Err(self.refusal(Fault {
                defect: Defect::Padding,
                index,
            }));
        }
        let Decoded { bytes, .. } =
            read(characters, self.seen).map_err(|fault| self.refusal(fault))?;
        self.pending.drain(..whole);
        self.offset = self.offset.map(|offset| offset + whole);
        self.decoded = bytes;
        self.given = 0;
        Ok(())
    }

    fn refusal(&self, fault: Fault) -> io::Error {
        let defect = match fault.defect {
            Defect::Excluded(_) if self.wanted.is_none() => Defect::Mixed,
            defect => defect,
        };
        let what = defect.what().trim_end_matches(',');
        let mut error = ToolError::new(format!("has {what}"));
        if let Some(offset) = self.offset {
            error = error.at(Position::Offset(offset + fault.index));
        }
        io::Error::new(io::ErrorKind::InvalidData, error)
    }
}

impl<R: Read> Read for Decoder<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        while self.given == self.decoded.len() && !self.is_end && !out.is_empty() {
            self.refill()?;
        }
        let mut rest = self.decoded.get(self.given..).unwrap_or_default();
        let count = rest.read(out)?;
        self.given += count;
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::base64::decode_exact;

    /// Returns a few bytes at a time, as a socket does.
    struct Trickle<'a>(&'a [u8], usize);

    impl Read for Trickle<'_> {
        fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
            let most = out.len().min(self.1);
            self.0.read(&mut out[..most])
        }
    }

    fn decoded(text: &[u8], step: usize) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        Decoder::new(Trickle(text, step), None).read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    proptest! {
        #[test]
        fn pieces_give_what_the_whole_gives(
            bytes in prop::collection::vec(any::<u8>(), 0..200),
            step in 1..40_usize,
            is_url in any::<bool>(),
        ) {
            let alphabet = if is_url { Alphabet::Url } else { Alphabet::Standard };
            let mut encoder = Encoder::new(Vec::new(), alphabet);
            for piece in bytes.chunks(step) {
                encoder.write_all(piece).unwrap();
            }
            let text = encoder.finish().unwrap();
            prop_assert_eq!(&text, &encode(&bytes, alphabet).into_bytes());
            prop_assert_eq!(decoded(&text, step).unwrap(), bytes);
        }

        #[test]
        fn a_stream_is_refused_where_the_whole_text_is(text in "[aB-Z0-9+/_=%-]{0,24}", step in 1..30_usize) {
            prop_assert_eq!(decoded(text.as_bytes(), step).is_ok(), decode_exact(&text).is_ok());
        }
    }

    #[test]
    fn a_refusal_gives_the_position() {
        let error = decoded(b"aGVsbG8%aGVsbG8=", 3).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::InvalidData);
        assert_eq!(
            error.to_string(),
            "The input has a character that is not Base64 at offset 7."
        );
        let mixed = decoded(b"a-+a", 1).unwrap_err().to_string();
        assert!(
            mixed.contains("both the standard and the URL-safe"),
            "{mixed}"
        );
    }
}
