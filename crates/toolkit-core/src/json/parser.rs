//! Parser for RFC 8259: emits events in one pass from left to right, without recursion and without
//! a tree.

use super::cursor::{self, Escapes};
use super::diagnose::{Fault, FaultKind};
use super::duplicate_keys::Names;
use super::findings::Findings;
use super::token::{Bracket, Frame, Sink};
use crate::error::ToolError;
use crate::limits::NESTING_MAX;

/// Validates text and passes on its tokens.
///
/// # Errors
///
/// Says where the text is not JSON, and what is wrong there.
pub(super) fn parse_events<'a>(
    text: &'a str,
    sink: &mut impl Sink,
) -> Result<Findings<'a>, ToolError> {
    let mut parser = Parser {
        bytes: text.as_bytes(),
        frames: Vec::new(),
        names: Names::new(text),
        escapes: Escapes::default(),
    };
    parser.document(sink).map_err(|fault| fault.explain(text, &parser.frames))?;
    Ok(Findings {
        text,
        duplicates: parser.names.duplicates,
        lone_surrogates: parser.escapes.lone_surrogates,
    })
}

struct Parser<'a> {
    bytes: &'a [u8],
    frames: Vec<Frame>,
    names: Names<'a>,
    escapes: Escapes,
}

/// Kind of a value, and the position after it.
enum Value {
    /// An array or object has begun: another value is next.
    Open(usize),
    Complete(usize),
}

impl Parser<'_> {
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
            b'[' => return self.open(Bracket::Array, start, sink),
            b'{' => return self.open(Bracket::Object, start, sink),
            _ => return Err(Fault::new(FaultKind::Value, start)),
        };
        sink.scalar(self.token(start, end), self.escapes.last > start);
        Ok(Value::Complete(end))
    }

    fn string(&mut self, open: usize) -> Result<usize, Fault> {
        cursor::string(self.bytes, open, &mut self.escapes)
            .map_err(|at| Fault::new(FaultKind::String { open }, at))
    }

    fn token(&self, start: usize, end: usize) -> &[u8] {
        self.bytes.get(start..end).unwrap_or_default()
    }

    /// Matches `true`, `false` or `null`.
    fn literal(&self, at: usize, word: &[u8]) -> Result<usize, Fault> {
        let rest = self.bytes.get(at..).unwrap_or_default();
        let end = rest.starts_with(word).then_some(at + word.len());
        end.ok_or(Fault::new(FaultKind::Value, at))
    }

    /// Parses the start of an array or object, or all of an empty one, which counts as a level of
    /// nesting too.
    fn open(
        &mut self,
        bracket: Bracket,
        open: usize,
        sink: &mut impl Sink,
    ) -> Result<Value, Fault> {
        let at = cursor::blanks(self.bytes, open + 1);
        if self.frames.len() == NESTING_MAX {
            return Err(Fault::new(FaultKind::Depth, open));
        }
        if cursor::byte(self.bytes, at) == bracket.closing() {
            sink.empty(bracket);
            return Ok(Value::Complete(at + 1));
        }
        self.frames.push(Frame { bracket, open, names: self.names.len() });
        sink.open(bracket);
        Ok(Value::Open(match bracket {
            Bracket::Array => at,
            Bracket::Object => self.name(at, sink)?,
        }))
    }

    /// Parses a member's name and colon.
    fn name(&mut self, at: usize, sink: &mut impl Sink) -> Result<usize, Fault> {
        let start = cursor::blanks(self.bytes, at);
        if cursor::byte(self.bytes, start) != b'"' {
            return Err(Fault::new(FaultKind::Name, start));
        }
        let end = self.string(start)?;
        let has_escapes = self.escapes.last > start;
        if has_escapes {
            self.names.push_escaped(start);
        } else {
            self.names.push(start, end);
        }
        sink.name(self.token(start, end), has_escapes);
        let colon = cursor::blanks(self.bytes, end);
        if cursor::byte(self.bytes, colon) != b':' {
            return Err(Fault::new(FaultKind::Colon, colon));
        }
        Ok(colon + 1)
    }

    /// Parses up to where the next value begins. `None` at the end.
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
