//! Findings in valid text that the reader should know of: duplicate keys in an object (RFC 8259 §4
//! leaves their meaning open) and lone surrogates (§8.2).

use super::duplicate_keys::{Duplicate, name_at};
use super::first_few::FirstFew;
use crate::echo::Echo;
use crate::error::{ErrorKind, Position, ToolError};
use crate::warnings::Warnings;

/// Findings of one pass over valid text.
#[derive(Debug, Default)]
pub(super) struct Findings<'a> {
    pub text: &'a str,
    pub duplicates: FirstFew<Duplicate>,
    pub lone_surrogates: FirstFew<usize>,
}

impl Findings<'_> {
    /// Reports them as warnings, for text that is kept unchanged.
    pub(super) fn warn(&self, warnings: &mut Warnings) {
        self.duplicates.warn(
            warnings,
            |duplicate| {
                format!(
                    "The name {} at {} is already used at {}: both are kept.",
                    self.name(*duplicate),
                    self.position(duplicate.again),
                    self.position(duplicate.first),
                )
            },
            "One more name is repeated in its object.",
            "more names are repeated in their objects.",
        );
        self.lone_surrogates.warn(
            warnings,
            |at| {
                format!(
                    "The escape `{}` at {} is half of a surrogate pair: it is kept, but does not \
                     denote a character.",
                    self.escape(*at),
                    self.position(*at),
                )
            },
            "One more escape is half of a surrogate pair.",
            "more escapes are half of a surrogate pair.",
        );
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
            let what = format!("has half of a surrogate pair, `{}`", self.escape(*at));
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
