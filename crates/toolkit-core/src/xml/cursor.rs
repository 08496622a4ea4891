//! Cursor over an XML document.

use super::character::is_white;
use super::errors::{Checked, Defect, Short};
use super::name::Name;
use crate::echo::Echo;

/// Current position in the document.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cursor<'a> {
    source: &'a str,
    at: usize,
}

/// A quoted literal.
#[derive(Debug, Clone, Copy)]
pub(super) struct Literal<'a> {
    /// As written.
    pub(super) raw: &'a str,
    /// Whether its value is the same as written.
    pub(super) is_plain: bool,
}

impl<'a> Cursor<'a> {
    /// Creates a cursor at the byte `at` of the document.
    pub(super) const fn new(source: &'a str, at: usize) -> Self {
        Self { source, at }
    }

    /// The whole document.
    pub(super) const fn source(&self) -> &'a str {
        self.source
    }

    /// Offset of the next byte of the document.
    pub(super) const fn at(&self) -> usize {
        self.at
    }

    /// The remaining text.
    pub(super) fn rest(&self) -> &'a str {
        &self.source[self.at..]
    }

    /// The next byte. `None` at the end of the document.
    pub(super) fn next(&self) -> Option<u8> {
        self.source.as_bytes().get(self.at).copied()
    }

    /// The text consumed since the byte `start`.
    pub(super) fn since(&self, start: usize) -> &'a str {
        &self.source[start..self.at]
    }

    /// Consumes `length` bytes.
    pub(super) const fn skip(&mut self, length: usize) {
        self.at += length;
    }

    /// Consumes white space, if any.
    pub(super) fn white(&mut self) -> &'a str {
        let start = self.at;
        while self.next().is_some_and(is_white) {
            self.at += 1;
        }
        self.since(start)
    }

    /// Consumes `byte`, if it is next.
    pub(super) fn eat(&mut self, byte: u8) -> bool {
        let is_next = self.next() == Some(byte);
        self.at += usize::from(is_next);
        is_next
    }

    /// Consumes everything through `end`. Returns the text before it.
    pub(super) fn through(&mut self, end: &[u8]) -> Option<&'a str> {
        let rest = self.rest();
        let length = match end {
            [byte] => memchr::memchr(*byte, rest.as_bytes()),
            _ => memchr::memmem::find(rest.as_bytes(), end),
        }?;
        self.at += length + end.len();
        rest.get(..length)
    }

    /// Consumes a name. `None` if there is none.
    pub(super) fn name(&mut self) -> Checked<Option<Name<'a>>> {
        let name = Name::leading(self.rest()).map_err(|defect| defect.at(self.at))?;
        self.at += name.map_or(0, |name| name.text().len());
        Ok(name)
    }

    /// Consumes a literal: the value of the attribute `name`.
    pub(super) fn literal(&mut self, name: Name<'_>) -> Checked<Literal<'a>> {
        let start = self.at;
        let Some(quote @ (b'"' | b'\'')) = self.next() else {
            let what = format!("the value of {} is not in quotes", Echo(name.text()));
            let hint = format!("write `{}=\"…\"`", Short(name.text()));
            return Err(Defect::new(what).with_hint(hint).at(start));
        };
        let mut is_plain = true;
        loop {
            self.at += 1;
            match self.next() {
                Some(byte) if byte == quote => {
                    let raw = self.since(start + 1);
                    self.at += 1;
                    return Ok(Literal { raw, is_plain });
                }
                Some(b'<') => {
                    let what = format!("`<` in the value of {}", Echo(name.text()));
                    let hint = "write `&lt;`, or add the closing quote if one is missing";
                    return Err(Defect::new(what).with_hint(hint).at(self.at));
                }
                Some(b'&' | b'\t' | b'\n' | b'\r') => is_plain = false,
                Some(_) => {}
                None => {
                    let what = format!("the value of {} has no closing quote", Echo(name.text()));
                    return Err(Defect::new(what).at(start));
                }
            }
        }
    }

    /// Error: the next part does not belong here.
    pub(super) fn unexpected(&self, inside: &str) -> Defect {
        match self.rest().chars().next() {
            Some(character) => {
                let shown = character.to_string();
                Defect::new(format!("{} does not belong in {inside}", Echo(&shown)))
            }
            None => Defect::new(format!("{inside} is not closed")),
        }
    }
}
