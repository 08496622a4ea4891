//! Replacement templates, in the notation of JavaScript.
//!
//! Standard: ECMA-262, `GetSubstitution`: `$$`, `$&`, `` $` ``, `$'`, `$1` to `$99`, `$<name>`. The
//! second of two digits only counts if there is such a group. Of several groups with one name, the
//! one that participated counts. Anything else is literal, including a name with a `$` or `\` in
//! it. `${1}` and `${name}` are accepted too. Other languages' notations, `\1`, `\g<name>` and
//! `$name`, cause a warning.

use std::collections::HashMap;

use super::engine::{Spans, whole};
use super::found::part;
use super::meter::Meter;
use crate::echo::Echo;
use crate::error::{ByteCount, ErrorKind, ToolError};
use crate::warnings::Warnings;

/// Part of a replacement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part<'r> {
    Text(&'r str),
    Group(usize),
    /// Groups with one name.
    Named(&'r [usize]),
    Before,
    After,
}

/// The groups that a replacement can refer to.
#[derive(Clone, Copy)]
pub(super) struct Groups<'r> {
    /// Number of groups, with the whole match.
    pub(super) count: usize,
    /// Groups with each name.
    pub(super) named: &'r HashMap<String, Vec<usize>>,
}

/// A replacement, parsed for one pattern.
#[derive(Debug)]
pub(super) struct Replacement<'r>(Vec<Part<'r>>);

impl<'r> Replacement<'r> {
    /// Parses a replacement for a pattern with these groups.
    pub(super) fn read(text: &'r str, groups: Groups<'r>, warnings: &mut Warnings) -> Self {
        let mut parts = Vec::new();
        let mut rest = text;
        while let Some(next) = rest.find(['$', '\\']) {
            let (before, reference) = rest.split_at(next);
            parts.push(Part::Text(before));
            warn_of_other_notation(reference, groups, warnings);
            let (part, length) = groups.read(reference, warnings);
            parts.push(part);
            (_, rest) = reference.split_at(length);
        }
        parts.push(Part::Text(rest));
        parts.retain(|part| *part != Part::Text(""));
        Self(parts)
    }

    /// Writes the replacement of a match.
    pub(super) fn write(
        &self,
        out: &mut Replaced<'_>,
        spans: &Spans,
        meter: &Meter<'_>,
    ) -> Result<(), ToolError> {
        let text = out.text;
        let (start, end) = whole(spans);
        let group = |index: usize| spans.get(index).copied().flatten();
        out.copy_up_to(start)?;
        // A part that writes nothing takes time too.
        meter.spend(8 * self.0.len() as u64)?;
        for written in &self.0 {
            let span = match written {
                Part::Text(text) => {
                    out.push(text)?;
                    continue;
                }
                Part::Group(index) => group(*index),
                Part::Named(indices) => {
                    meter.spend(indices.len() as u64)?;
                    indices.iter().find_map(|index| group(*index))
                }
                Part::Before => Some((0, start)),
                Part::After => Some((end, text.len())),
            };
            if let Some((start, end)) = span {
                out.push(part(text, start, end))?;
            }
        }
        out.done = out.done.max(end);
        Ok(())
    }
}

impl<'r> Groups<'r> {
    /// Parses the reference at the start of `text`, or its first character. Also returns its
    /// length.
    fn read(self, text: &'r str, warnings: &mut Warnings) -> (Part<'r>, usize) {
        let (first, _) = text.split_at(1);
        let itself = (Part::Text(first), 1);
        match text.as_bytes() {
            [b'$', b'$', ..] => (Part::Text("$"), 2),
            [b'$', b'&', ..] => (Part::Group(0), 2),
            [b'$', b'`', ..] => (Part::Before, 2),
            [b'$', b'\'', ..] => (Part::After, 2),
            [b'$', b'0'..=b'9', ..] => self.number(text).unwrap_or_else(|| {
                warn_of_no_group(text, 2, warnings);
                itself
            }),
            [b'$', b'<', ..] => self.name(text, '>', warnings).unwrap_or(itself),
            [b'$', b'{', ..] => self.name(text, '}', warnings).unwrap_or(itself),
            _ => itself,
        }
    }

    /// One or two digits: two if there is such a group.
    fn number(self, text: &str) -> Option<(Part<'r>, usize)> {
        [2, 1].into_iter().find_map(|digits| {
            let digits = text.get(1..=digits)?;
            let index = self.index(digits)?;
            Some((Part::Group(index), 1 + digits.len()))
        })
    }

    fn index(self, digits: &str) -> Option<usize> {
        let is_number = digits.bytes().all(|byte| byte.is_ascii_digit());
        let index = digits.parse().ok().filter(|_| is_number)?;
        (1..self.count).contains(&index).then_some(index)
    }

    /// A name, or in braces a number, up to a closing bracket.
    fn name(self, text: &str, close: char, warnings: &mut Warnings) -> Option<(Part<'r>, usize)> {
        let name = bracketed(text, 2, close)?;
        let length = 3 + name.len();
        if let Some(groups) = self.named.get(name) {
            return Some((Part::Named(groups), length));
        }
        if let Some(index) = self.index(name).filter(|_| close == '}') {
            return Some((Part::Group(index), length));
        }
        warn_of_no_group(text, length, warnings);
        // As in JavaScript: only a pattern with named groups gives them a meaning.
        (close == '>' && !self.named.is_empty()).then_some((Part::Text(""), length))
    }
}

/// The text after the first bytes up to a closing bracket, with no other reference in between.
fn bracketed(text: &str, start: usize, close: char) -> Option<&str> {
    let rest = text.get(start..)?;
    let end = rest.find([close, '$', '\\'])?;
    let (name, rest) = rest.split_at(end);
    rest.starts_with(close).then_some(name)
}

fn warn_of_no_group(text: &str, length: usize, warnings: &mut Warnings) {
    let (reference, _) = text.split_at(length);
    let reference = Echo(reference);
    warnings.push(format!(
        "{reference} in the replacement names no group of the pattern; `$&` is the whole match."
    ));
}

/// Warns of a reference at the start of a text in the notation of Python, Perl or Rust.
fn warn_of_other_notation(text: &str, groups: Groups<'_>, warnings: &mut Warnings) {
    if let [b'\\', b'U' | b'L' | b'u' | b'l', b'$' | b'\\', ..] = text.as_bytes() {
        let (reference, _) = text.split_at(2);
        warnings.push(format!(
            "`{reference}` in the replacement is literal text: the case of letters is not changed."
        ));
    }
    let is_end = |next: char| !next.is_alphanumeric() && next != '_';
    let (name, length) = match text.as_bytes() {
        [b'\\', b'0'..=b'9', ..] => (text.get(1..2), 2),
        [b'\\', b'g', b'<', ..] => {
            let name = bracketed(text, 3, '>');
            (name, 4 + name.map_or(0, str::len))
        }
        [b'$', ..] => {
            let name = text.split('$').nth(1).and_then(|rest| rest.split(is_end).next());
            let name = name.filter(|name| groups.named.contains_key(*name));
            (name, 1 + name.map_or(0, str::len))
        }
        _ => (None, 0),
    };
    let accepted = match name {
        Some("0") => "$&".to_owned(),
        Some(name) if groups.named.contains_key(name) => format!("$<{name}>"),
        Some(name) if !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_digit()) => {
            format!("${name}")
        }
        _ => return,
    };
    let (reference, _) = text.split_at(length);
    warnings.push(format!(
        "`{reference}` in the replacement is literal text; write `{accepted}` instead."
    ));
}

/// A text whose matches are being replaced.
pub(super) struct Replaced<'t> {
    text: &'t str,
    /// Byte offset up to which the text is processed.
    done: usize,
    out: String,
    bytes_max: usize,
}

impl<'t> Replaced<'t> {
    pub(super) fn new(text: &'t str, bytes_max: usize) -> Self {
        Self { text, done: 0, out: String::new(), bytes_max }
    }

    /// Writes the text up to a match, and its replacement.
    pub(super) fn replace(&mut self, start: usize, end: usize, by: &str) -> Result<(), ToolError> {
        self.copy_up_to(start)?;
        self.push(by)?;
        self.done = self.done.max(end);
        Ok(())
    }

    pub(super) fn finish(mut self) -> Result<String, ToolError> {
        self.copy_up_to(self.text.len())?;
        Ok(self.out)
    }

    fn copy_up_to(&mut self, end: usize) -> Result<(), ToolError> {
        // `\K` in a lookbehind moves the end of a match back.
        let end = end.max(self.done);
        let kept = part(self.text, self.done, end);
        self.done = end;
        self.push(kept)
    }

    fn push(&mut self, part: &str) -> Result<(), ToolError> {
        if self.out.len() + part.len() > self.bytes_max {
            let size = ByteCount(self.bytes_max);
            let refusal = ToolError::new(format!("gives a text of over {size}"));
            return Err(refusal
                .of(ErrorKind::TooLarge)
                .with_hint("shorten the text or the replacement"));
        }
        self.out.push_str(part);
        Ok(())
    }
}
