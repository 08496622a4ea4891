//! Replacement templates, in the notation of JavaScript.
//!
//! Standard: ECMA-262, `GetSubstitution`: `$$`, `$&`, `` $` ``, `$'`, `$1` to `$99`, `$<name>`. Of
//! two digits the second only counts if there is such a group. Anything else is literal. `${1}` and
//! `${name}` are accepted as well.

use super::meter::{Meter, Stopped};
use crate::error::{ByteCount, ErrorKind, ToolError};
use crate::warnings::Warnings;

/// Part of a replacement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part<'r> {
    Text(&'r str),
    Group(usize),
    Before,
    After,
}

/// A replacement, parsed for one pattern.
#[derive(Debug)]
pub(super) struct Replacement<'r>(Vec<Part<'r>>);

/// Error: a search was not completed.
#[derive(Debug)]
pub(super) enum Failure {
    Stopped,
    TooLarge,
    Refused(ToolError),
}

impl From<Stopped> for Failure {
    fn from(_: Stopped) -> Self {
        Self::Stopped
    }
}

impl From<ToolError> for Failure {
    fn from(error: ToolError) -> Self {
        Self::Refused(error)
    }
}

impl Failure {
    pub(super) fn too_large(bytes_max: usize) -> ToolError {
        let size = ByteCount(bytes_max);
        ToolError::new(format!("gives a text of over {size}"))
            .of(ErrorKind::TooLarge)
            .with_hint("shorten the text or the replacement")
    }
}

impl<'r> Replacement<'r> {
    /// Parses a replacement for a pattern whose groups, from the whole match on, have these names.
    pub(super) fn read(text: &'r str, names: &[Option<String>], warnings: &mut Warnings) -> Self {
        let mut parts = Vec::new();
        let mut rest = text;
        while let Some(dollar) = rest.find('$') {
            let (before, from_dollar) = rest.split_at(dollar);
            parts.push(Part::Text(before));
            let (part, length) = reference(from_dollar, names, warnings);
            parts.push(part);
            rest = from_dollar.get(length..).unwrap_or_default();
        }
        parts.push(Part::Text(rest));
        parts.retain(|part| *part != Part::Text(""));
        Self(parts)
    }

    /// Writes the replacement of a match.
    pub(super) fn write(
        &self,
        out: &mut Replaced<'_>,
        slots: &[Option<(usize, usize)>],
        meter: &Meter<'_>,
    ) -> Result<(), Failure> {
        let text = out.text;
        let (start, end) = slots.first().copied().flatten().unwrap_or_default();
        out.copy_up_to(start)?;
        // A part that writes nothing takes time, too.
        meter.spend(8 * self.0.len() as u64)?;
        for part in &self.0 {
            out.push(match *part {
                Part::Text(text) => text,
                Part::Group(index) => {
                    let span = slots.get(index).copied().flatten();
                    span.and_then(|(start, end)| text.get(start..end))
                        .unwrap_or_default()
                }
                Part::Before => text.get(..start).unwrap_or_default(),
                Part::After => text.get(end..).unwrap_or_default(),
            })?;
        }
        out.done = out.done.max(end);
        Ok(())
    }
}

/// Parses the reference that starts with the `$` at the start of `text`; also returns its length.
fn reference<'r>(
    text: &'r str,
    names: &[Option<String>],
    warnings: &mut Warnings,
) -> (Part<'r>, usize) {
    let itself = (Part::Text("$"), 1);
    match text.as_bytes().get(1) {
        Some(b'$') => (Part::Text("$"), 2),
        Some(b'&') => (Part::Group(0), 2),
        Some(b'`') => (Part::Before, 2),
        Some(b'\'') => (Part::After, 2),
        Some(b'0'..=b'9') => number(text, names.len()).unwrap_or_else(|| {
            warn(text.get(..2), warnings);
            itself
        }),
        Some(b'<') => name(text, '>', names, warnings).unwrap_or(itself),
        Some(b'{') => name(text, '}', names, warnings).unwrap_or(itself),
        _ => itself,
    }
}

/// One or two digits: two if there is such a group.
fn number(text: &str, groups: usize) -> Option<(Part<'static>, usize)> {
    let group = |digits: &str| {
        let index: usize = digits.parse().ok()?;
        (0 < index && index < groups).then_some(Part::Group(index))
    };
    let digits = text.get(1..)?;
    let two = digits
        .get(..2)
        .filter(|two| two.bytes().all(|byte| byte.is_ascii_digit()));
    if let Some(part) = two.and_then(group) {
        return Some((part, 3));
    }
    Some((group(digits.get(..1)?)?, 2))
}

/// A name, or in braces a number, up to a closing bracket.
fn name<'r>(
    text: &'r str,
    close: char,
    names: &[Option<String>],
    warnings: &mut Warnings,
) -> Option<(Part<'r>, usize)> {
    let end = text.find(close)?;
    let name = text.get(2..end)?;
    let length = end + 1;
    // Of several groups with the same name the last counts, as in a back-reference.
    let found = names
        .iter()
        .rposition(|known| known.as_deref() == Some(name));
    if let Some(index) = found {
        return Some((Part::Group(index), length));
    }
    if close == '}' && !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_digit()) {
        let index: Option<usize> = name.parse().ok();
        if let Some(index) = index.filter(|index| (1..names.len()).contains(index)) {
            return Some((Part::Group(index), length));
        }
    }
    warn(text.get(..length), warnings);
    // As in JavaScript: only a pattern with named groups gives them a meaning.
    let has_names = names.iter().any(Option::is_some);
    (close == '>' && has_names).then_some((Part::Text(""), length))
}

fn warn(reference: Option<&str>, warnings: &mut Warnings) {
    let reference = crate::echo::Echo(reference.unwrap_or("$"));
    warnings.push(format!(
        "{reference} in the replacement names no group of the pattern; `$&` is the whole match."
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
        Self {
            text,
            done: 0,
            out: String::new(),
            bytes_max,
        }
    }

    /// Writes the text up to a match, and its replacement.
    pub(super) fn replace(&mut self, start: usize, end: usize, by: &str) -> Result<(), Failure> {
        self.copy_up_to(start)?;
        self.push(by)?;
        self.done = self.done.max(end);
        Ok(())
    }

    pub(super) fn finish(mut self) -> Result<String, Failure> {
        self.copy_up_to(self.text.len())?;
        Ok(self.out)
    }

    fn copy_up_to(&mut self, end: usize) -> Result<(), Failure> {
        let kept = self.text.get(self.done..end).unwrap_or_default();
        self.done = self.done.max(end);
        self.push(kept)
    }

    fn push(&mut self, part: &str) -> Result<(), Failure> {
        if self.out.len() + part.len() > self.bytes_max {
            return Err(Failure::TooLarge);
        }
        self.out.push_str(part);
        Ok(())
    }
}
