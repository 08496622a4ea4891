//! Formatter: writes tokens pretty-printed or minified.

use super::findings::Findings;
use super::output::{BoundedOutput, CHUNK, Output, chunk};
use super::token::{Bracket, Sink};
use crate::error::ToolError;
use crate::layout::Layout;

/// A value that can be written as tokens.
pub(super) trait Source<'a> {
    /// Approximate number of bytes of its tokens.
    fn bytes(&self) -> usize;

    /// Writes the tokens to `sink`.
    fn write(self, sink: &mut impl Sink) -> Result<Findings<'a>, ToolError>;
}

/// Writes tokens in a layout, up to a limit on the length of the result.
pub(super) fn write<'a>(
    source: impl Source<'a>,
    layout: Layout,
    bytes_max: usize,
) -> Result<(String, Findings<'a>), ToolError> {
    let output = BoundedOutput::new(capacity(&source, layout), bytes_max);
    let (output, findings) = write_to(output, source, layout)?;
    Ok((output.finish()?, findings))
}

/// Approximate length of the result, in bytes.
pub(super) fn capacity<'a>(source: &impl Source<'a>, layout: Layout) -> usize {
    match layout {
        // Two spaces per level lengthen a typical document by half.
        Layout::Pretty { .. } => source.bytes() * 2,
        Layout::Minified => source.bytes(),
    }
}

/// Writes tokens in a layout to an output.
pub(super) fn write_to<'a, P: Output>(
    output: P,
    source: impl Source<'a>,
    layout: Layout,
) -> Result<(P, Findings<'a>), ToolError> {
    let Some((blank, indent)) = layout.indentation() else {
        let mut line = OneLine(output);
        let findings = source.write(&mut line)?;
        return Ok((line.0, findings));
    };
    let mut lines = Lines {
        output,
        blank,
        indent,
        width: 0,
    };
    let findings = source.write(&mut lines)?;
    Ok((lines.output, findings))
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
