//! The grammar of RFC 8259, walked once from left to right, without recursion and without a tree.

use super::cursor::{self, Escapes};
use super::defect::{Fault, FaultKind};
use super::names::Names;
use super::notes::Notes;
use crate::error::ToolError;
use crate::limits::NESTING_MAX;

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
    names: usize,
}

/// Checks a text and hands on its tokens.
///
/// # Errors
///
/// Says where the text is not JSON, and what is wrong there.
#[inline]
pub(super) fn walk<'a>(text: &'a str, sink: &mut impl Sink) -> Result<Notes<'a>, ToolError> {
    let mut walk = Walk {
        bytes: text.as_bytes(),
        frames: Vec::new(),
        names: Names::new(text),
        escapes: Escapes::new(),
    };
    walk.document(sink)
        .map_err(|fault| fault.explain(text, &walk.frames))?;
    Ok(Notes {
        text,
        duplicates: walk.names.duplicates,
        lone_surrogates: walk.escapes.lone_surrogates,
    })
}

struct Walk<'a> {
    bytes: &'a [u8],
    frames: Vec<Frame>,
    names: Names<'a>,
    escapes: Escapes,
}

/// What a value comes to, and the place behind it.
enum Value {
    /// An array or object has begun: another value is next.
    Open(usize),
    Complete(usize),
}

impl Walk<'_> {
    #[inline]
    fn document(&mut self, sink: &mut impl Sink) -> Result<(), Fault> {
        let mut at = 0;
        loop {
            at = match self.value(at, sink)? {
                Value::Open(at) => at,
                Value::Complete(at) => match self.after(at, sink)? {
                    Some(at) => at,
                    None => return Ok(()),
                },
            };
        }
    }

    #[inline]
    fn value(&mut self, at: usize, sink: &mut impl Sink) -> Result<Value, Fault> {
        let start = cursor::blanks(self.bytes, at);
        let end = match cursor::byte(self.bytes, start) {
            b'"' => self.string(start)?,
            b'-' | b'0'..=b'9' => {
                cursor::number(self.bytes, start).map_err(|at| Fault::new(FaultKind::Number, at))?
            }
            b't' => self.literal(start, b"true")?,
            b'f' => self.literal(start, b"false")?,
            b'n' => self.literal(start, b"null")?,
            b'[' => return self.array(start, sink),
            b'{' => return self.object(start, sink),
            _ => return Err(Fault::new(FaultKind::Value, start)),
        };
        sink.scalar(self.bytes, start, end);
        Ok(Value::Complete(end))
    }

    #[inline]
    fn string(&mut self, open: usize) -> Result<usize, Fault> {
        cursor::string(self.bytes, open, &mut self.escapes)
            .map_err(|at| Fault::new(FaultKind::String { open }, at))
    }

    #[inline]
    fn literal(&self, at: usize, word: &[u8]) -> Result<usize, Fault> {
        cursor::literal(self.bytes, at, word).map_err(|at| Fault::new(FaultKind::Value, at))
    }

    #[inline]
    fn array(&mut self, open: usize, sink: &mut impl Sink) -> Result<Value, Fault> {
        let at = cursor::blanks(self.bytes, open + 1);
        if cursor::byte(self.bytes, at) == b']' {
            sink.empty(Bracket::Array);
            return self.complete(at + 1, open);
        }
        self.push(Bracket::Array, open)?;
        sink.open(Bracket::Array);
        Ok(Value::Open(at))
    }

    #[inline]
    fn object(&mut self, open: usize, sink: &mut impl Sink) -> Result<Value, Fault> {
        let at = cursor::blanks(self.bytes, open + 1);
        if cursor::byte(self.bytes, at) == b'}' {
            sink.empty(Bracket::Object);
            return self.complete(at + 1, open);
        }
        self.push(Bracket::Object, open)?;
        sink.open(Bracket::Object);
        Ok(Value::Open(self.name(at, sink)?))
    }

    /// An empty array or object is a level of nesting too.
    #[inline]
    fn complete(&self, at: usize, open: usize) -> Result<Value, Fault> {
        if self.frames.len() == NESTING_MAX {
            return Err(Fault::new(FaultKind::Depth, open));
        }
        Ok(Value::Complete(at))
    }

    #[inline]
    fn push(&mut self, bracket: Bracket, open: usize) -> Result<(), Fault> {
        if self.frames.len() == NESTING_MAX {
            return Err(Fault::new(FaultKind::Depth, open));
        }
        self.frames.push(Frame {
            bracket,
            open,
            names: self.names.len(),
        });
        Ok(())
    }

    /// Reads a member's name and colon.
    #[expect(
        clippy::inline_always,
        reason = "a branch of its own behind `{` and behind `,` is foreseen better by the processor"
    )]
    #[inline(always)]
    fn name(&mut self, at: usize, sink: &mut impl Sink) -> Result<usize, Fault> {
        let start = cursor::blanks(self.bytes, at);
        if cursor::byte(self.bytes, start) != b'"' {
            return Err(Fault::new(FaultKind::Name, start));
        }
        let end = self.string(start)?;
        if self.escapes.last > start {
            self.names.push_escaped(start);
        } else {
            self.names.push(start, end);
        }
        sink.name(self.bytes, start, end);
        let colon = cursor::blanks(self.bytes, end);
        if cursor::byte(self.bytes, colon) != b':' {
            return Err(Fault::new(FaultKind::Colon, colon));
        }
        Ok(colon + 1)
    }

    /// Reads what follows a value, up to where the next value begins; at the end there is none.
    #[inline]
    fn after(&mut self, mut at: usize, sink: &mut impl Sink) -> Result<Option<usize>, Fault> {
        loop {
            at = cursor::blanks(self.bytes, at);
            let Some(frame) = self.frames.last() else {
                let is_end = at == self.bytes.len();
                let fault = Fault::new(FaultKind::End, at);
                return if is_end { Ok(None) } else { Err(fault) };
            };
            match (frame.bracket, cursor::byte(self.bytes, at)) {
                (Bracket::Array, b',') => {
                    sink.comma();
                    return Ok(Some(at + 1));
                }
                (Bracket::Object, b',') => {
                    sink.comma();
                    return self.name(at + 1, sink).map(Some);
                }
                (Bracket::Array, b']') => sink.close(Bracket::Array),
                (Bracket::Object, b'}') => {
                    self.names.close(frame.names);
                    sink.close(Bracket::Object);
                }
                _ => return Err(Fault::new(FaultKind::CommaOrEnd, at)),
            }
            self.frames.pop();
            at += 1;
        }
    }
}
