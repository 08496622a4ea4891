//! Cursor over text that is being parsed.

use std::borrow::Cow;

use crate::error::{ErrorKind, Position, ToolError};

#[derive(Debug)]
pub(super) struct Cursor<'a> {
    text: &'a str,
    at: usize,
    /// Hint for syntax errors.
    hint: &'static str,
}

impl<'a> Cursor<'a> {
    /// Creates a cursor over the text without surrounding white space.
    pub(super) fn new(text: &'a str, hint: &'static str) -> Result<Self, ToolError> {
        let start = text.len() - text.trim_start().len();
        if start == text.len() {
            return Err(ToolError::new("is empty").with_hint(hint));
        }
        Ok(Self { text: text.trim_end(), at: start, hint })
    }

    pub(super) fn at(&self) -> usize {
        self.at
    }

    pub(super) fn position(&self, at: usize) -> Position {
        Position::offset(self.text, at)
    }

    pub(super) fn rest(&self) -> &'a str {
        self.text.get(self.at..).expect("only whole characters are consumed")
    }

    pub(super) fn peek(&self) -> Option<u8> {
        self.rest().bytes().next()
    }

    pub(super) fn take(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    /// Consumes an ASCII letter in either case.
    pub(super) fn take_letter(&mut self, letter: u8) -> bool {
        self.take(letter.to_ascii_uppercase()) || self.take(letter.to_ascii_lowercase())
    }

    /// Consumes bytes while `is_kind` holds.
    pub(super) fn take_while(&mut self, is_kind: impl Fn(u8) -> bool) -> &'a str {
        let rest = self.rest();
        let length = rest.bytes().take_while(|&byte| is_kind(byte)).count();
        self.at += length;
        rest.get(..length).expect("only whole characters are consumed")
    }

    pub(super) fn skip_space(&mut self) {
        self.take_while(|byte| byte.is_ascii_whitespace());
    }

    pub(super) fn digit_run(&self) -> usize {
        let digits = self.rest().bytes();
        digits.take_while(u8::is_ascii_digit).count()
    }

    /// Consumes exactly `count` digits, up to four.
    pub(super) fn digits(&mut self, count: usize, expected: &str) -> Result<u16, ToolError> {
        let number = self
            .rest()
            .get(..count)
            .filter(|_| self.digit_run() >= count)
            .and_then(|digits| digits.parse().ok())
            .ok_or_else(|| self.needs(expected))?;
        self.at += count;
        Ok(number)
    }

    pub(super) fn expect(&mut self, byte: u8, expected: &str) -> Result<(), ToolError> {
        if self.take(byte) {
            return Ok(());
        }
        Err(self.needs(expected))
    }

    pub(super) fn expect_end(&self) -> Result<(), ToolError> {
        if self.rest().is_empty() {
            return Ok(());
        }
        let refusal = ToolError::new("goes on after the date and time");
        Err(refusal.at(self.position(self.at)).with_hint(self.hint))
    }

    /// Error: `expected` is missing at this position.
    pub(super) fn needs(&self, expected: &str) -> ToolError {
        ToolError::new(format!("needs {expected}")).at(self.position(self.at)).with_hint(self.hint)
    }

    /// Error: a part is well-formed, but does not exist on calendar or clock.
    pub(super) fn no_such(
        &self,
        at: usize,
        what: &str,
        there_is: impl Into<Cow<'static, str>>,
    ) -> ToolError {
        ToolError::new(format!("has {what} that does not exist"))
            .of(ErrorKind::Range)
            .at(self.position(at))
            .with_hint(there_is)
    }
}
