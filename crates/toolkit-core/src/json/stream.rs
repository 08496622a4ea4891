//! Streaming formatter: from a reader to a writer, in constant memory.
//!
//! A state machine over one chunk at a time. A string may continue across chunks; a number, literal
//! or escape cut off by the end of a chunk is moved to the front of the next one.

use std::io::{Read, Write};

use super::cursor;
use super::format::Formatter;
use super::stream_error::StreamError;
use super::stream_input::{CHUNK_BYTES, Input};
use super::token::{Bracket, Sink as _};
use crate::layout::Layout;
use crate::limits::NESTING_MAX;

/// Bytes written at once, plus at most one line.
const OUT_BYTES: usize = 2 * CHUNK_BYTES;

/// Formats text from a reader to a writer, without holding all of it.
///
/// Accepts the same input as [`format()`](super::format()) and writes the same output, but neither
/// detects duplicate names nor sorts; a number has at most 1 MiB.
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
/// Says where the text is not JSON, or passes on the reader's or writer's error. Output written by
/// then is not taken back.
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
            let result = machine.run(input.bytes(), input.is_end());
            writer
                .write_all(&machine.out.out)
                .map_err(StreamError::Io)?;
            machine.out.out.clear();
            is_full = result.map_err(|message| input.refusal(machine.done, message))?;
        }
        if input.is_end() {
            return writer.flush().map_err(StreamError::Io);
        }
    }
}

/// Expected next part of the text.
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

/// State of a text, and its output.
struct Machine {
    state: State,
    /// The open arrays and objects.
    open: Vec<Bracket>,
    out: Formatter<false>,
    /// Bytes of the chunk processed so far.
    done: usize,
}

/// Result of scanning a token. The position is passed by value, so it stays in a register.
enum Step {
    /// Everything up to this position is processed.
    Next(usize),
    /// The same, and a token may continue after the end of the chunk.
    NeedsMore(usize),
    /// An error at this position.
    Wrong(usize, &'static str),
}

impl Machine {
    fn new(layout: Layout) -> Self {
        Self {
            state: State::Value,
            open: Vec::new(),
            out: Formatter::new(layout, 2 * OUT_BYTES, usize::MAX),
            done: 0,
        }
    }

    /// Processes the complete tokens of a chunk; returns whether it stopped early because enough
    /// output is pending.
    fn run(&mut self, bytes: &[u8], is_end: bool) -> Result<bool, &'static str> {
        let mut at = self.done;
        let result = loop {
            if self.out.out.len() > OUT_BYTES {
                break Ok(true);
            }
            let step = if let State::String { is_name } = self.state {
                self.string(bytes, at, at, is_name)
            } else {
                at = cursor::blanks(bytes, at);
                if at == bytes.len() {
                    break self.at_end(is_end).map(|()| false);
                }
                self.token(bytes, at, is_end)
            };
            match step {
                Step::Next(next) => at = next,
                Step::NeedsMore(next) => {
                    at = next;
                    break if is_end {
                        Err("the text ends too early")
                    } else {
                        Ok(false)
                    };
                }
                Step::Wrong(place, message) => {
                    at = place;
                    break Err(message);
                }
            }
        };
        self.done = at;
        result
    }

    fn at_end(&self, is_end: bool) -> Result<(), &'static str> {
        let is_complete = self.state == State::After && self.open.is_empty();
        if is_end && !is_complete {
            return Err("the text ends too early");
        }
        Ok(())
    }

    #[inline]
    fn token(&mut self, bytes: &[u8], at: usize, is_end: bool) -> Step {
        let next = cursor::byte(bytes, at);
        match self.state {
            State::After | State::String { .. } => self.after(bytes, at, next),
            State::Value => self.value(bytes, at, next, is_end),
            State::FirstItem if next == b']' => self.close(at, Bracket::Array, true),
            State::FirstItem => {
                self.out.line();
                self.value(bytes, at, next, is_end)
            }
            State::FirstName if next == b'}' => self.close(at, Bracket::Object, true),
            State::FirstName if next == b'"' => {
                self.out.line();
                self.string(bytes, at, at + 1, true)
            }
            State::Name if next == b'"' => self.string(bytes, at, at + 1, true),
            State::FirstName | State::Name => {
                Step::Wrong(at, "a name in double quotes should begin here")
            }
            State::Colon if next == b':' => self.colon(at),
            State::Colon => Step::Wrong(at, "a colon should stand here"),
        }
    }

    #[inline]
    fn value(&mut self, bytes: &[u8], at: usize, next: u8, is_end: bool) -> Step {
        // A token cut off by the end of the chunk is scanned again as a value.
        self.state = State::Value;
        match next {
            b'"' => self.string(bytes, at, at + 1, false),
            b'[' => self.open(at, Bracket::Array, State::FirstItem),
            b'{' => self.open(at, Bracket::Object, State::FirstName),
            b't' => self.literal(bytes, at, b"true", is_end),
            b'f' => self.literal(bytes, at, b"false", is_end),
            b'n' => self.literal(bytes, at, b"null", is_end),
            b'-' | b'0'..=b'9' => self.number(bytes, at, is_end),
            _ => Step::Wrong(at, "a value should begin here"),
        }
    }

    /// Copies from `start` while scanning a string from `at`: up to its end, an escape cut off by
    /// the end of the chunk, or the end of the chunk.
    #[inline]
    fn string(&mut self, bytes: &[u8], start: usize, mut at: usize, is_name: bool) -> Step {
        self.state = State::String { is_name };
        let step = loop {
            at = cursor::plain(bytes, at);
            if at == bytes.len() {
                break Step::NeedsMore(at);
            }
            match cursor::byte(bytes, at) {
                b'"' => {
                    at += 1;
                    self.state = if is_name { State::Colon } else { State::After };
                    break Step::Next(at);
                }
                b'\\' => match escape_length(bytes, at) {
                    Ok(length) => at += length,
                    Err(step) => break step,
                },
                _ => break Step::Wrong(at, "a control character inside a string"),
            }
        };
        self.out.token(bytes, start, at);
        if self.state == State::Colon && cursor::byte(bytes, at) == b':' {
            return self.colon(at);
        }
        step
    }

    #[inline]
    fn colon(&mut self, at: usize) -> Step {
        self.out.colon();
        self.state = State::Value;
        Step::Next(at + 1)
    }

    #[inline]
    fn literal(&mut self, bytes: &[u8], at: usize, word: &'static [u8], is_end: bool) -> Step {
        let rest = bytes.get(at..).unwrap_or_default();
        if rest.starts_with(word) {
            self.out.token(word, 0, word.len());
            self.state = State::After;
            return Step::Next(at + word.len());
        }
        if word.starts_with(rest) && !is_end {
            return Step::NeedsMore(at);
        }
        Step::Wrong(at, "a value should begin here")
    }

    #[inline]
    fn number(&mut self, bytes: &[u8], at: usize, is_end: bool) -> Step {
        match cursor::number(bytes, at) {
            // A number that touches the end of a chunk may continue.
            Ok(end) if end < bytes.len() || is_end => {
                self.out.scalar(bytes, at, end);
                self.state = State::After;
                Step::Next(end)
            }
            Err(_) if is_end || number_ends(bytes, at) => Step::Wrong(at, "not a number of JSON"),
            Ok(_) | Err(_) => Step::NeedsMore(at),
        }
    }

    #[inline]
    fn after(&mut self, bytes: &[u8], at: usize, next: u8) -> Step {
        match (self.open.last(), next) {
            (None, _) => Step::Wrong(at, "text after the document"),
            (Some(Bracket::Array), b',') => {
                self.out.comma();
                self.state = State::Value;
                Step::Next(at + 1)
            }
            (Some(Bracket::Object), b',') => {
                self.out.comma();
                self.state = State::Name;
                if cursor::byte(bytes, at + 1) == b'"' {
                    return self.string(bytes, at + 1, at + 2, true);
                }
                Step::Next(at + 1)
            }
            (Some(Bracket::Array), b']') => self.close(at, Bracket::Array, false),
            (Some(Bracket::Object), b'}') => self.close(at, Bracket::Object, false),
            (Some(Bracket::Array), _) => Step::Wrong(at, "a comma or `]` should stand here"),
            (Some(Bracket::Object), _) => Step::Wrong(at, "a comma or `}` should stand here"),
        }
    }

    #[inline]
    fn open(&mut self, at: usize, bracket: Bracket, state: State) -> Step {
        if self.open.len() == NESTING_MAX {
            return Step::Wrong(at, "nested deeper than 512 levels");
        }
        self.open.push(bracket);
        self.out.begin(bracket);
        self.state = state;
        Step::Next(at + 1)
    }

    #[inline]
    fn close(&mut self, at: usize, bracket: Bracket, is_empty: bool) -> Step {
        self.open.pop();
        self.out.end(bracket, is_empty);
        self.state = State::After;
        Step::Next(at + 1)
    }
}

/// Length of the escape at a position, or what its absence means.
fn escape_length(bytes: &[u8], at: usize) -> Result<usize, Step> {
    let rest = bytes.get(at + 1..).unwrap_or_default();
    match rest {
        [] => Err(Step::NeedsMore(at)),
        [b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't', ..] => Ok(2),
        [b'u', digits @ ..] => {
            let digits = digits.get(..4).unwrap_or(digits);
            if !digits.iter().all(u8::is_ascii_hexdigit) {
                let message = "an escape \\u without four hexadecimal digits";
                return Err(Step::Wrong(at, message));
            }
            if digits.len() < 4 {
                return Err(Step::NeedsMore(at));
            }
            Ok(6)
        }
        _ => Err(Step::Wrong(at, "an escape that JSON does not have")),
    }
}

/// Whether a number ends before the end of the chunk, at a byte that cannot be part of one.
fn number_ends(bytes: &[u8], start: usize) -> bool {
    let rest = bytes.get(start..).unwrap_or_default();
    rest.iter()
        .any(|byte| !matches!(byte, b'-' | b'+' | b'.' | b'e' | b'E' | b'0'..=b'9'))
}
