//! Tokens of a text: what the parser emits, and who takes them.

/// What takes the tokens of a text, in order, as far as it is valid.
///
/// A token is a range of bytes; that of a string includes its quotes.
pub(super) trait Sink {
    /// An array or object without content.
    fn empty(&mut self, bracket: Bracket);

    /// An array or object begins; something is in it.
    fn open(&mut self, bracket: Bracket);

    /// Another item or member follows.
    fn comma(&mut self);

    /// A member's name; its value is next.
    fn name(&mut self, bytes: &[u8], start: usize, end: usize);

    /// A string, number or literal.
    fn scalar(&mut self, bytes: &[u8], start: usize, end: usize);

    /// An array or object ends.
    fn close(&mut self, bracket: Bracket);
}

/// Takes the tokens and does nothing: for a text that is only checked.
impl Sink for () {
    fn empty(&mut self, _: Bracket) {}
    fn open(&mut self, _: Bracket) {}
    fn comma(&mut self) {}
    fn name(&mut self, _: &[u8], _: usize, _: usize) {}
    fn scalar(&mut self, _: &[u8], _: usize, _: usize) {}
    fn close(&mut self, _: Bracket) {}
}

/// What encloses values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Bracket {
    Array,
    Object,
}

/// An array or object that has not ended.
#[derive(Debug, Clone, Copy)]
pub(super) struct Frame {
    pub bracket: Bracket,
    /// Where it was opened.
    pub open: usize,
    /// Where its names begin.
    pub names: usize,
}

impl Bracket {
    pub(super) const fn opening(self) -> u8 {
        match self {
            Self::Array => b'[',
            Self::Object => b'{',
        }
    }

    pub(super) const fn closing(self) -> u8 {
        match self {
            Self::Array => b']',
            Self::Object => b'}',
        }
    }
}
