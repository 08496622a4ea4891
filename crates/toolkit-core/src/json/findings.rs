//! Findings in a valid text that its reader should know: duplicate keys in an object (RFC 8259 §4
//! leaves their meaning open) and escapes of half a surrogate pair (§8.2).

use super::duplicate_keys::{Duplicate, name_at};
use super::first_few::FirstFew;
use crate::echo::Echo;
use crate::error::{ErrorKind, Position, ToolError};
use crate::warnings::Warnings;

/// What was seen on the way through a valid text.
#[derive(Debug)]
pub(super) struct Findings<'a> {
    pub text: &'a str,
    pub duplicates: FirstFew<Duplicate>,
    pub lone_surrogates: FirstFew<usize>,
}

impl Findings<'_> {
    /// Tells of it where the text is kept as it is.
    pub(super) fn warn(&self, warnings: &mut Warnings) {
        for duplicate in self.duplicates.first() {
            warnings.push(format!(
                "The name {} at {} stands already at {}: both are kept.",
                self.name(*duplicate),
                self.position(duplicate.again),
                self.position(duplicate.first),
            ));
        }
        match self.duplicates.others() {
            0 => {}
            1 => warnings.push("One more name stands in its object already."),
            others => warnings.push(format!(
                "{others} more names stand in their object already."
            )),
        }
        for at in self.lone_surrogates.first() {
            warnings.push(format!(
                "The escape `{}` at {} is half of a surrogate pair: it is kept, but stands for no \
                 character.",
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

    /// Refuses it where the text becomes a value.
    pub(super) fn refuse(&self) -> Result<(), ToolError> {
        if let [duplicate, ..] = self.duplicates.first() {
            let what = format!("has the name {} twice in one object", self.name(*duplicate));
            let first = self.position(duplicate.first);
            return Err(ToolError::new(what)
                .of(ErrorKind::Unsupported)
                .at(self.position(duplicate.again))
                .with_hint(format!("it stands first at {first}: remove or rename one")));
        }
        if let [at, ..] = self.lone_surrogates.first() {
            let what = format!("has half of a surrogate pair, `{}`,", self.escape(*at));
            return Err(ToolError::new(what)
                .of(ErrorKind::Unsupported)
                .at(self.position(*at))
                .with_hint("it stands for no character, so no other format can hold it"));
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
