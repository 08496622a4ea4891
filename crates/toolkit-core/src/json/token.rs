//! Tokens of a text: emitted by the parser, received by a sink.

/// Receives the tokens of a text, in order, up to the first error.
///
/// The token of a string includes its quotes. A sink ignores what it does not override.
pub(super) trait Sink {
    /// An empty array or object.
    fn empty(&mut self, bracket: Bracket) {
        self.open(bracket);
        self.close(bracket);
    }

    /// Start of an array or object that is not empty.
    fn open(&mut self, _bracket: Bracket) {}

    /// Another item or member follows.
    fn comma(&mut self) {}

    /// A member's name. Its value is next.
    fn name(&mut self, _token: &[u8], _has_escapes: bool) {}

    /// A string, number or literal.
    fn scalar(&mut self, _token: &[u8], _has_escapes: bool) {}

    /// An array or object ends.
    fn close(&mut self, _bracket: Bracket) {}
}

/// For text that is only validated.
impl Sink for () {}

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
