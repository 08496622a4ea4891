//! Streaming formatter: from a reader to a writer, in memory that does not grow with the text.
//!
//! A state machine over one chunk at a time. A string may go on from chunk to chunk; a number, a
//! literal or an escape that the end of a chunk cuts is moved to the front of the next one.

use std::io::{Read, Write};

use super::cursor;
use super::scan;
use super::stream_error::StreamError;
use super::token::Bracket;
use crate::layout::{Indent, Layout};
use crate::limits::NESTING_MAX;

/// Bytes that are read at once.
const CHUNK_BYTES: usize = 64 << 10;
/// Bytes that are written at once, or a line more.
const OUT_BYTES: usize = 2 * CHUNK_BYTES;
/// Bytes of the longest number: one that does not fit is refused.
const BUFFER_BYTES_MAX: usize = 1 << 20;

/// Formats a text from a reader to a writer, without holding all of it.
///
/// It takes what [`format()`](super::format()) takes and writes what that writes, but does not
/// look for names that stand twice in an object, nor sort; a number has at most 1 MiB.
///
/// ```
/// use toolkit_core::json::{self, Layout};
///
/// let mut out = Vec::new();
/// json::format_stream(&b"{\"a\": [1, 2.50]}"[..], &mut out, Layout::Minified)?;
/// assert_eq!(out, br#"{"a":[1,2.50]}"#);
/// # Ok::<(), json::StreamError>(())
/// ```
///
/// # Errors
///
/// Says where the text is not JSON, or what the reader or the writer said. What was written by then
/// stays written.
pub fn format_stream(
    mut reader: impl Read,
    mut writer: impl Write,
    layout: Layout,
) -> Result<(), StreamError> {
    let mut input = Input::new();
    let mut machine = Machine::new(layout);
    loop {
        input.refill(&mut reader, machine.done)?;
        machine.done = 0;
        let mut is_full = true;
        while is_full {
            let result = machine.run(input.bytes(), input.is_end);
            writer.write_all(&machine.out).map_err(StreamError::Io)?;
            machine.out.clear();
            is_full = result.map_err(|message| input.refusal(machine.done, message))?;
        }
        if input.is_end {
            return writer.flush().map_err(StreamError::Io);
        }
    }
}

/// A window of the text, which is whole characters.
struct Input {
    buffer: Vec<u8>,
    /// The end of the characters that are whole.
    valid: usize,
    /// The end of the bytes that were read.
    filled: usize,
    is_end: bool,
    is_start: bool,
    line: usize,
    column: usize,
}

impl Input {
    fn new() -> Self {
        Self {
            buffer: vec![0; CHUNK_BYTES],
            valid: 0,
            filled: 0,
            is_end: false,
            is_start: true,
            line: 1,
            column: 1,
        }
    }

    fn bytes(&self) -> &[u8] {
        self.buffer.get(..self.valid).unwrap_or_default()
    }

    /// Drops what is done, moves the rest to the front, and reads on.
    fn refill(&mut self, reader: &mut impl Read, done: usize) -> Result<(), StreamError> {
        self.count(done);
        self.buffer.copy_within(done..self.filled, 0);
        self.filled -= done;
        if self.filled == self.buffer.len() {
            if self.buffer.len() >= BUFFER_BYTES_MAX {
                return Err(self.refusal(0, "a number of over 1 MiB"));
            }
            self.buffer.resize(self.buffer.len() * 2, 0);
        }
        while !self.is_end && self.filled < self.buffer.len() {
            let room = self.buffer.get_mut(self.filled..).unwrap_or_default();
            match reader.read(room) {
                Ok(0) => self.is_end = true,
                Ok(read) => self.filled += read,
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(error) => return Err(StreamError::Io(error)),
            }
        }
        self.validate()?;
        self.drop_byte_order_mark();
        Ok(())
    }

    /// Finds the end of the whole characters.
    fn validate(&mut self) -> Result<(), StreamError> {
        let filled = self.buffer.get(..self.filled).unwrap_or_default();
        self.valid = match std::str::from_utf8(filled) {
            Ok(_) => self.filled,
            Err(error) if error.error_len().is_none() && !self.is_end => error.valid_up_to(),
            Err(error) => return Err(self.refusal(error.valid_up_to(), "bytes that are not UTF-8")),
        };
        Ok(())
    }

    fn drop_byte_order_mark(&mut self) {
        if std::mem::take(&mut self.is_start) && self.bytes().starts_with(b"\xEF\xBB\xBF") {
            self.buffer.copy_within(3..self.filled, 0);
            self.filled -= 3;
            self.valid -= 3;
        }
    }

    /// Counts lines and columns of what is done.
    fn count(&mut self, done: usize) {
        let bytes = self.buffer.get(..done).unwrap_or_default();
        let breaks: usize = bytes.iter().map(|byte| usize::from(*byte == b'\n')).sum();
        let last_line = match bytes.iter().rposition(|byte| *byte == b'\n') {
            Some(last) => {
                self.column = 1;
                bytes.get(last + 1..).unwrap_or_default()
            }
            None => bytes,
        };
        self.line += breaks;
        self.column += characters(last_line);
    }

    fn refusal(&mut self, at: usize, message: &'static str) -> StreamError {
        self.count(at);
        StreamError::syntax(message, self.line, self.column)
    }
}

/// All bytes of a character but its first are continuations (RFC 3629 §3).
fn characters(bytes: &[u8]) -> usize {
    bytes.iter().filter(|byte| **byte & 0xC0 != 0x80).count()
}

/// What may stand next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Value,
    /// After `[`: a value, or the end.
    FirstItem,
    /// After `{`: a name, or the end.
    FirstName,
    Name,
    Colon,
    /// After a value.
    After,
    /// Inside a string; a name's colon follows it.
    String {
        is_name: bool,
    },
}

/// The state of a text, and what is written of it.
struct Machine {
    state: State,
    /// The arrays and objects that are open.
    open: Vec<Bracket>,
    out: Vec<u8>,
    /// What a line begins with, and how many of them for each level; none for a single line.
    indent: Option<(u8, usize)>,
    /// Bytes of the chunk that are dealt with.
    done: usize,
}

/// Whether the chunk goes on.
enum Step {
    Next,
    /// A token may go on after the end of the chunk.
    NeedsMore,
}

type Stepped = Result<Step, &'static str>;

impl Machine {
    fn new(layout: Layout) -> Self {
        Self {
            state: State::Value,
            open: Vec::new(),
            out: Vec::with_capacity(2 * OUT_BYTES),
            indent: match layout {
                Layout::Minified => None,
                Layout::Pretty {
                    indent: Indent::Spaces(count),
                } => Some((b' ', count.into())),
                Layout::Pretty {
                    indent: Indent::Tab,
                } => Some((b'\t', 1)),
            },
            done: 0,
        }
    }

    /// Reads as much of a chunk as is whole tokens, and says whether it stopped before its end because
    /// enough is to be written.
    fn run(&mut self, bytes: &[u8], is_end: bool) -> Result<bool, &'static str> {
        loop {
            if self.out.len() > OUT_BYTES {
                return Ok(true);
            }
            let step = if let State::String { is_name } = self.state {
                self.string(bytes, is_name)?
            } else {
                self.done = cursor::blanks(bytes, self.done);
                if self.done == bytes.len() {
                    return self.at_end(is_end).map(|()| false);
                }
                self.token(bytes, is_end)?
            };
            match step {
                Step::Next => {}
                Step::NeedsMore if is_end => return Err("the text ends too early"),
                Step::NeedsMore => return Ok(false),
            }
        }
    }

    fn at_end(&self, is_end: bool) -> Result<(), &'static str> {
        let is_complete = self.state == State::After && self.open.is_empty();
        if is_end && !is_complete {
            return Err("the text ends too early");
        }
        Ok(())
    }

    #[inline]
    fn token(&mut self, bytes: &[u8], is_end: bool) -> Stepped {
        let next = cursor::byte(bytes, self.done);
        match self.state {
            State::FirstItem if next == b']' => Ok(self.close_empty(Bracket::Array)),
            State::FirstName if next == b'}' => Ok(self.close_empty(Bracket::Object)),
            State::FirstItem => {
                self.line();
                self.state = State::Value;
                self.value(bytes, next, is_end)
            }
            State::Value => self.value(bytes, next, is_end),
            State::FirstName | State::Name if next == b'"' => {
                if self.state == State::FirstName {
                    self.line();
                }
                Ok(self.begin_string(true))
            }
            State::FirstName | State::Name => Err("a name in double quotes should begin here"),
            State::Colon if next == b':' => {
                self.write(if self.indent.is_some() { b": " } else { b":" });
                Ok(self.advance(State::Value))
            }
            State::Colon => Err("a colon should stand here"),
            State::After | State::String { .. } => self.after(next),
        }
    }

    #[inline]
    fn value(&mut self, bytes: &[u8], next: u8, is_end: bool) -> Stepped {
        match next {
            b'"' => Ok(self.begin_string(false)),
            b'[' => self.open(Bracket::Array, State::FirstItem),
            b'{' => self.open(Bracket::Object, State::FirstName),
            b't' => self.literal(bytes, b"true", is_end),
            b'f' => self.literal(bytes, b"false", is_end),
            b'n' => self.literal(bytes, b"null", is_end),
            b'-' | b'0'..=b'9' => self.number(bytes, is_end),
            _ => Err("a value should begin here"),
        }
    }

    fn begin_string(&mut self, is_name: bool) -> Step {
        self.write(b"\"");
        self.advance(State::String { is_name })
    }

    /// Copies a string up to its end, an escape that the chunk cuts, or the end of the chunk.
    #[inline]
    fn string(&mut self, bytes: &[u8], is_name: bool) -> Stepped {
        let start = self.done;
        let mut at = start;
        let step = loop {
            let word = scan::word(bytes, at);
            let run = scan::run(scan::string_stops(word));
            at += run;
            if run == scan::WORD {
                continue;
            }
            if at >= bytes.len() {
                at = bytes.len();
                break Ok(Step::NeedsMore);
            }
            match scan::byte_of(word, run) {
                b'"' => {
                    at += 1;
                    self.state = if is_name { State::Colon } else { State::After };
                    break Ok(Step::Next);
                }
                b'\\' => match escape_length(bytes, at) {
                    Ok(length) => at += length,
                    Err(step) => break step,
                },
                _ => break Err("a control character inside a string"),
            }
        };
        self.out
            .extend_from_slice(bytes.get(start..at).unwrap_or_default());
        self.done = at;
        step
    }

    fn literal(&mut self, bytes: &[u8], word: &'static [u8], is_end: bool) -> Stepped {
        let rest = bytes.get(self.done..).unwrap_or_default();
        if rest.starts_with(word) {
            self.write(word);
            self.done += word.len();
            self.state = State::After;
            return Ok(Step::Next);
        }
        if word.starts_with(rest) && !is_end {
            return Ok(Step::NeedsMore);
        }
        Err("a value should begin here")
    }

    #[inline]
    fn number(&mut self, bytes: &[u8], is_end: bool) -> Stepped {
        match cursor::number(bytes, self.done) {
            // A number that touches the end of a chunk may go on.
            Ok(end) if end < bytes.len() || is_end => {
                self.out
                    .extend_from_slice(bytes.get(self.done..end).unwrap_or_default());
                self.done = end;
                self.state = State::After;
                Ok(Step::Next)
            }
            Err(_) if is_end || number_ends(bytes, self.done) => Err("not a number of JSON"),
            Ok(_) | Err(_) => Ok(Step::NeedsMore),
        }
    }

    #[inline]
    fn after(&mut self, next: u8) -> Stepped {
        match (self.open.last(), next) {
            (None, _) => Err("text after the document"),
            (Some(Bracket::Array), b',') => {
                self.write(b",");
                self.line();
                Ok(self.advance(State::Value))
            }
            (Some(Bracket::Object), b',') => {
                self.write(b",");
                self.line();
                Ok(self.advance(State::Name))
            }
            (Some(Bracket::Array), b']') => Ok(self.close(Bracket::Array)),
            (Some(Bracket::Object), b'}') => Ok(self.close(Bracket::Object)),
            (Some(Bracket::Array), _) => Err("a comma or `]` should stand here"),
            (Some(Bracket::Object), _) => Err("a comma or `}` should stand here"),
        }
    }

    fn open(&mut self, bracket: Bracket, state: State) -> Stepped {
        if self.open.len() == NESTING_MAX {
            return Err("nested deeper than 512 levels");
        }
        self.open.push(bracket);
        self.out.push(bracket.opening());
        Ok(self.advance(state))
    }

    fn close_empty(&mut self, bracket: Bracket) -> Step {
        self.open.pop();
        self.out.push(bracket.closing());
        self.advance(State::After)
    }

    fn close(&mut self, bracket: Bracket) -> Step {
        self.open.pop();
        self.line();
        self.out.push(bracket.closing());
        self.advance(State::After)
    }

    #[inline]
    fn advance(&mut self, state: State) -> Step {
        self.done += 1;
        self.state = state;
        Step::Next
    }

    #[inline]
    fn write(&mut self, bytes: &[u8]) {
        self.out.extend_from_slice(bytes);
    }

    /// Begins a line, where there are lines.
    #[inline]
    fn line(&mut self) {
        if let Some((blank, count)) = self.indent {
            self.out.push(b'\n');
            let width = self.out.len() + count * self.open.len();
            self.out.resize(width, blank);
        }
    }
}

/// Bytes of the escape at a place, or what its absence means.
fn escape_length(bytes: &[u8], at: usize) -> Result<usize, Stepped> {
    let rest = bytes.get(at + 1..).unwrap_or_default();
    match rest {
        [] => Err(Ok(Step::NeedsMore)),
        [b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't', ..] => Ok(2),
        [b'u', digits @ ..] => {
            let digits = digits.get(..4).unwrap_or(digits);
            if !digits.iter().all(u8::is_ascii_hexdigit) {
                return Err(Err("an escape \\u without four hexadecimal digits"));
            }
            if digits.len() < 4 {
                return Err(Ok(Step::NeedsMore));
            }
            Ok(6)
        }
        _ => Err(Err("an escape that JSON does not have")),
    }
}

/// Whether a byte that no number has ends the characters of one before the end of the chunk.
fn number_ends(bytes: &[u8], start: usize) -> bool {
    let rest = bytes.get(start..).unwrap_or_default();
    rest.iter()
        .any(|byte| !matches!(byte, b'-' | b'+' | b'.' | b'e' | b'E' | b'0'..=b'9'))
}
