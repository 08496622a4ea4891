//! Formatter: writes the tokens pretty-printed or minified.

use super::output::{BoundedOutput, CHUNK};
use super::token::{Bracket, Sink};
use crate::error::ToolError;
use crate::layout::{Indent, Layout};

/// Something that can be written as tokens.
pub(super) trait Source {
    /// What becomes known on the way.
    type Learnt;

    /// Bytes of its tokens, roughly.
    fn bytes(&self) -> usize;

    /// Hands the tokens on.
    fn write(self, sink: &mut impl Sink) -> Result<Self::Learnt, ToolError>;
}

/// Writes tokens in a layout, up to a bound on the bytes of the result.
pub(super) fn write<S: Source>(
    source: S,
    layout: Layout,
    bytes_max: usize,
) -> Result<(String, S::Learnt), ToolError> {
    let (blank, indent) = match layout {
        Layout::Pretty {
            indent: Indent::Spaces(count),
        } => (b' ', count),
        Layout::Pretty {
            indent: Indent::Tab,
        } => (b'\t', 1),
        Layout::Minified => {
            let mut line = OneLine(BoundedOutput::new(source.bytes(), bytes_max));
            let learnt = source.write(&mut line)?;
            return Ok((line.0.finish()?, learnt));
        }
    };
    let mut lines = Lines {
        // Two spaces a level lengthen a usual document by half.
        page: BoundedOutput::new(source.bytes() * 2, bytes_max),
        blank,
        indent: indent.into(),
        width: 0,
    };
    let learnt = source.write(&mut lines)?;
    Ok((lines.page.finish()?, learnt))
}

/// Writes without white space.
struct OneLine(BoundedOutput);

impl Sink for OneLine {
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
        self.0.copy(bytes, start, end);
        self.0.byte(b':');
    }

    #[inline]
    fn scalar(&mut self, bytes: &[u8], start: usize, end: usize) {
        self.0.copy(bytes, start, end);
    }

    #[inline]
    fn close(&mut self, bracket: Bracket) {
        self.0.byte(bracket.closing());
    }
}

/// Writes an item or member a line.
struct Lines {
    page: BoundedOutput,
    /// What a line begins with: spaces or tabs.
    blank: u8,
    /// How many of them for each level.
    indent: usize,
    /// How many of them on this level.
    width: usize,
}

impl Lines {
    /// Ends a line with a few bytes, of which the last is a line feed, and indents the next one.
    #[inline]
    fn line<const N: usize>(&mut self, end: [u8; N]) {
        let blanks = [self.blank; CHUNK];
        let mut first = blanks;
        if let Some(head) = first.first_chunk_mut() {
            *head = end;
        }
        self.page.fill(first, blanks, N + self.width);
    }
}

impl Sink for Lines {
    #[inline]
    fn empty(&mut self, bracket: Bracket) {
        self.page.put(both(bracket), 2);
    }

    #[inline]
    fn open(&mut self, bracket: Bracket) {
        self.width += self.indent;
        self.line([bracket.opening(), b'\n']);
    }

    #[inline]
    fn comma(&mut self) {
        self.line(*b",\n");
    }

    #[inline]
    fn name(&mut self, bytes: &[u8], start: usize, end: usize) {
        self.page.copy(bytes, start, end);
        self.page.put(chunk(b": "), 2);
    }

    #[inline]
    fn scalar(&mut self, bytes: &[u8], start: usize, end: usize) {
        self.page.copy(bytes, start, end);
    }

    #[inline]
    fn close(&mut self, bracket: Bracket) {
        self.width -= self.indent;
        self.line(*b"\n");
        self.page.put(chunk(&[bracket.closing()]), 1);
    }
}

/// The two bytes of an array or object without content.
const fn both(bracket: Bracket) -> [u8; CHUNK] {
    chunk(&[bracket.opening(), bracket.closing()])
}

/// Fills a few bytes up to a chunk.
#[inline]
const fn chunk<const N: usize>(bytes: &[u8; N]) -> [u8; CHUNK] {
    let mut chunk = [0; CHUNK];
    if let Some(head) = chunk.first_chunk_mut() {
        *head = *bytes;
    }
    chunk
}
