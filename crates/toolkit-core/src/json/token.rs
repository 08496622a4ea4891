//! Tokens of a text: emitted by the parser, received by a sink.

/// Receives the tokens of a text, in order, up to the first error.
///
/// A token is a range of bytes; that of a string includes its quotes.
pub(super) trait Sink {
    /// An empty array or object.
    fn empty(&mut self, bracket: Bracket);

    /// Start of an array or object that is not empty.
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

/// Ignores the tokens, for text that is only validated.
impl Sink for () {
    fn empty(&mut self, _: Bracket) {}
    fn open(&mut self, _: Bracket) {}
    fn comma(&mut self) {}
    fn name(&mut self, _: &[u8], _: usize, _: usize) {}
    fn scalar(&mut self, _: &[u8], _: usize, _: usize) {}
    fn close(&mut self, _: Bracket) {}
}

/// Kind of brackets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Bracket {
    Array,
    Object,
}

/// An open array or object.
#[derive(Debug, Clone, Copy)]
pub(super) struct Frame {
    pub bracket: Bracket,
    /// Position at which it was opened.
    pub open: usize,
    /// Index of its first name.
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
