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
    let page = BoundedOutput::new(capacity(&source, layout), bytes_max);
    let (page, learnt) = write_to(page, source, layout)?;
    Ok((page.finish()?, learnt))
}

/// The bytes of the result, roughly.
pub(super) fn capacity(source: &impl Source, layout: Layout) -> usize {
    match layout {
        // Two spaces a level lengthen a usual document by half.
        Layout::Pretty { .. } => source.bytes() * 2,
        Layout::Minified => source.bytes(),
    }
}

/// Writes tokens in a layout to a page.
pub(super) fn write_to<S: Source, P: Page>(
    page: P,
    source: S,
    layout: Layout,
) -> Result<(P, S::Learnt), ToolError> {
    let (blank, indent) = match layout {
        Layout::Pretty {
            indent: Indent::Spaces(count),
        } => (b' ', count),
        Layout::Pretty {
            indent: Indent::Tab,
        } => (b'\t', 1),
        Layout::Minified => {
            let mut line = OneLine(page);
            let learnt = source.write(&mut line)?;
            return Ok((line.0, learnt));
        }
    };
    let mut lines = Lines {
        page,
        blank,
        indent: indent.into(),
        width: 0,
    };
    let learnt = source.write(&mut lines)?;
    Ok((lines.page, learnt))
}

/// What tokens are written to: as they are, or as the content of a string.
pub(super) trait Page {
    /// Writes a token; that of a string includes its quotes.
    fn token(&mut self, bytes: &[u8], start: usize, end: usize);

    /// Writes a byte between tokens.
    fn byte(&mut self, byte: u8);

    /// Writes the first `meant` bytes of a chunk between tokens.
    fn put(&mut self, chunk: [u8; CHUNK], meant: usize);

    /// Ends a line with a few bytes, and begins the next one with so many blanks.
    fn line<const N: usize>(&mut self, end: [u8; N], blank: u8, width: usize);
}

impl Page for BoundedOutput {
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

impl<P: Page> Sink for OneLine<P> {
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

/// Writes an item or member a line.
struct Lines<P> {
    page: P,
    /// What a line begins with: spaces or tabs.
    blank: u8,
    /// How many of them for each level.
    indent: usize,
    /// How many of them on this level.
    width: usize,
}

impl<P: Page> Lines<P> {
    #[inline]
    fn line<const N: usize>(&mut self, end: [u8; N]) {
        self.page.line(end, self.blank, self.width);
    }
}

impl<P: Page> Sink for Lines<P> {
    #[inline]
    fn empty(&mut self, bracket: Bracket) {
        self.page.put(both(bracket), 2);
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
        self.page.token(bytes, start, end);
        self.page.put(chunk(b": "), 2);
    }

    #[inline]
    fn scalar(&mut self, bytes: &[u8], start: usize, end: usize) {
        self.page.token(bytes, start, end);
    }

    #[inline]
    fn close(&mut self, bracket: Bracket) {
        self.width -= self.indent;
        self.line([]);
        self.page.put(chunk(&[bracket.closing()]), 1);
    }
}

/// The two bytes of an array or object without content.
const fn both(bracket: Bracket) -> [u8; CHUNK] {
    chunk(&[bracket.opening(), bracket.closing()])
}

/// Fills a few bytes up to a chunk.
#[inline]
pub(super) const fn chunk<const N: usize>(bytes: &[u8; N]) -> [u8; CHUNK] {
    let mut chunk = [0; CHUNK];
    if let Some(head) = chunk.first_chunk_mut() {
        *head = *bytes;
    }
    chunk
}
