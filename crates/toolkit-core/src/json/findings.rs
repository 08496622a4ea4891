//! Findings in valid text that the reader should know of: duplicate keys in an object (RFC 8259 §4
//! leaves their meaning open) and lone surrogates (§8.2).

use super::duplicate_keys::{Duplicate, name_at};
use super::first_few::FirstFew;
use crate::echo::Echo;
use crate::error::{ErrorKind, Position, ToolError};
use crate::warnings::Warnings;

/// Findings of one pass over valid text.
#[derive(Debug)]
pub(super) struct Findings<'a> {
    pub text: &'a str,
    pub duplicates: FirstFew<Duplicate>,
    pub lone_surrogates: FirstFew<usize>,
}

impl Findings<'_> {
    /// Reports them as warnings, for text that is kept as it is.
    pub(super) fn warn(&self, warnings: &mut Warnings) {
        for duplicate in self.duplicates.first() {
            warnings.push(format!(
                "The name {} at {} is already used at {}: both are kept.",
                self.name(*duplicate),
                self.position(duplicate.again),
                self.position(duplicate.first),
            ));
        }
        match self.duplicates.others() {
            0 => {}
            1 => warnings.push("One more name is repeated in its object."),
            others => warnings.push(format!(
                "{others} more names are repeated in their objects."
            )),
        }
        for at in self.lone_surrogates.first() {
            warnings.push(format!(
                "The escape `{}` at {} is half of a surrogate pair: it is kept, but does not \
                 denote a character.",
                self.escape(*at),
                self.position(*at),
            ));
        }
        match self.lone_surrogates.others() {
            0 => {}
            1 => warnings.push("One more escape is half of a surrogate pair."),
            others => warnings.push(format!(
                "{others} more escapes are half of a surrogate pair."
            )),
        }
    }

    /// Refuses them, for text that becomes a value.
    pub(super) fn refuse(&self) -> Result<(), ToolError> {
        if let [duplicate, ..] = self.duplicates.first() {
            let what = format!("has the name {} twice in one object", self.name(*duplicate));
            let first = self.position(duplicate.first);
            return Err(ToolError::new(what)
                .of(ErrorKind::Unsupported)
                .at(self.position(duplicate.again))
                .with_hint(format!("it is first used at {first}: remove or rename one")));
        }
        if let [at, ..] = self.lone_surrogates.first() {
            let what = format!("has half of a surrogate pair, `{}`,", self.escape(*at));
            return Err(ToolError::new(what)
                .of(ErrorKind::Unsupported)
                .at(self.position(*at))
                .with_hint("it does not denote a character, so no other format can hold it"));
        }
        Ok(())
    }

    fn name(&self, duplicate: Duplicate) -> String {
        let name = name_at(self.text, duplicate.again);
        Echo(&String::from_utf8_lossy(&name)).to_string()
    }

    fn escape(&self, at: usize) -> &str {
        self.text.get(at..at + 6).unwrap_or_default()
    }

    fn position(&self, at: usize) -> Position {
        Position::line_column(self.text, at)
    }
}
