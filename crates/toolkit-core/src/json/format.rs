//! Formatter: writes tokens pretty-printed or minified.

use super::output::{BoundedOutput, CHUNK};
use super::token::{Bracket, Sink};
use crate::error::ToolError;
use crate::layout::{Indent, Layout};

/// A value that can be written as tokens.
pub(super) trait Source {
    /// Findings of the pass.
    type Findings;

    /// Approximate number of bytes of its tokens.
    fn bytes(&self) -> usize;

    /// Writes the tokens to `sink`.
    fn write(self, sink: &mut impl Sink) -> Result<Self::Findings, ToolError>;
}

/// Writes tokens in a layout, up to a limit on the length of the result.
pub(super) fn write<S: Source>(
    source: S,
    layout: Layout,
    bytes_max: usize,
) -> Result<(String, S::Findings), ToolError> {
    let output = BoundedOutput::new(capacity(&source, layout), bytes_max);
    let (output, findings) = write_to(output, source, layout)?;
    Ok((output.finish()?, findings))
}

/// Approximate length of the result, in bytes.
pub(super) fn capacity(source: &impl Source, layout: Layout) -> usize {
    match layout {
        // Two spaces per level lengthen a typical document by half.
        Layout::Pretty { .. } => source.bytes() * 2,
        Layout::Minified => source.bytes(),
    }
}

/// Writes tokens in a layout to an output.
pub(super) fn write_to<S: Source, P: Output>(
    output: P,
    source: S,
    layout: Layout,
) -> Result<(P, S::Findings), ToolError> {
    let (blank, indent) = match layout {
        Layout::Pretty {
            indent: Indent::Spaces(count),
        } => (b' ', count),
        Layout::Pretty {
            indent: Indent::Tab,
        } => (b'\t', 1),
        Layout::Minified => {
            let mut line = OneLine(output);
            let findings = source.write(&mut line)?;
            return Ok((line.0, findings));
        }
    };
    let mut lines = Lines {
        output,
        blank,
        indent: indent.into(),
        width: 0,
    };
    let findings = source.write(&mut lines)?;
    Ok((lines.output, findings))
}

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

impl Output for BoundedOutput {
    #[inline]
    fn token(&mut self, bytes: &[u8], start: usize, end: usize) {
        self.copy(bytes, start, end);
    }

    #[inline]
    fn byte(&mut self, byte: u8) {
        Self::byte(self, byte);
    }

    #[inline]
    fn put(&mut self, chunk: [u8; CHUNK], meant: usize) {
        Self::put(self, chunk, meant);
    }

    #[inline]
    fn line<const N: usize>(&mut self, end: [u8; N], blank: u8, width: usize) {
        let blanks = [blank; CHUNK];
        let mut first = blanks;
        if let Some(head) = first.first_chunk_mut() {
            *head = end;
        }
        if let Some(line_feed) = first.get_mut(N) {
            *line_feed = b'\n';
        }
        self.fill(first, blanks, N + 1 + width);
    }
}

/// Writes without white space.
struct OneLine<P>(P);

impl<P: Output> Sink for OneLine<P> {
    #[inline]
    fn empty(&mut self, bracket: Bracket) {
        self.0.put(both(bracket), 2);
    }

    #[inline]
    fn open(&mut self, bracket: Bracket) {
        self.0.byte(bracket.opening());
    }

    #[inline]
    fn comma(&mut self) {
        self.0.byte(b',');
    }

    #[inline]
    fn name(&mut self, bytes: &[u8], start: usize, end: usize) {
        self.0.token(bytes, start, end);
        self.0.byte(b':');
    }

    #[inline]
    fn scalar(&mut self, bytes: &[u8], start: usize, end: usize) {
        self.0.token(bytes, start, end);
    }

    #[inline]
    fn close(&mut self, bracket: Bracket) {
        self.0.byte(bracket.closing());
    }
}

/// Writes one item or member per line.
struct Lines<P> {
    output: P,
    /// Indentation character: space or tab.
    blank: u8,
    /// Indentation characters per level.
    indent: usize,
    /// Indentation characters on this level.
    width: usize,
}

impl<P: Output> Lines<P> {
    #[inline]
    fn line<const N: usize>(&mut self, end: [u8; N]) {
        self.output.line(end, self.blank, self.width);
    }
}

impl<P: Output> Sink for Lines<P> {
    #[inline]
    fn empty(&mut self, bracket: Bracket) {
        self.output.put(both(bracket), 2);
    }

    #[inline]
    fn open(&mut self, bracket: Bracket) {
        self.width += self.indent;
        self.line([bracket.opening()]);
    }

    #[inline]
    fn comma(&mut self) {
        self.line(*b",");
    }

    #[inline]
    fn name(&mut self, bytes: &[u8], start: usize, end: usize) {
        self.output.token(bytes, start, end);
        self.output.put(chunk(b": "), 2);
    }

    #[inline]
    fn scalar(&mut self, bytes: &[u8], start: usize, end: usize) {
        self.output.token(bytes, start, end);
    }

    #[inline]
    fn close(&mut self, bracket: Bracket) {
        self.width -= self.indent;
        self.line([]);
        self.output.put(chunk(&[bracket.closing()]), 1);
    }
}

/// The two brackets of an empty array or object.
const fn both(bracket: Bracket) -> [u8; CHUNK] {
    chunk(&[bracket.opening(), bracket.closing()])
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
