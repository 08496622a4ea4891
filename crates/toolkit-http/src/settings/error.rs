//! Settings errors: each in one line that names the key.

use std::fmt;

/// Characters of a wrong value that a fault repeats.
const SHOWN_CHARACTERS_MAX: usize = 60;

/// Every fault that was found, as one line: each names its key or variable and what is accepted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SettingsError {
    faults: Vec<String>,
}

impl SettingsError {
    /// Each fault as a sentence without its full stop.
    pub fn faults(&self) -> &[String] {
        &self.faults
    }
}

impl fmt::Display for SettingsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.faults.join("; "))
    }
}

impl std::error::Error for SettingsError {}

/// The faults found so far.
#[derive(Default)]
pub(super) struct Faults(Vec<String>);

impl Faults {
    pub(super) fn push(&mut self, fault: impl Into<String>) {
        self.0.push(fault.into());
    }

    pub(super) fn into_result(self) -> Result<(), SettingsError> {
        if self.0.is_empty() {
            Ok(())
        } else {
            Err(SettingsError { faults: self.0 })
        }
    }
}

/// A wrong value as a fault shows it: on one line, and not at length.
pub(super) fn shown(value: &str) -> String {
    let mut text: String = value.chars().take(SHOWN_CHARACTERS_MAX).collect();
    if text.len() < value.len() {
        text.push('…');
    }
    let text: String = text.chars().flat_map(escape).collect();
    format!("`{text}`")
}

fn escape(character: char) -> impl Iterator<Item = char> {
    let plain = (!character.is_control()).then_some(character);
    let escaped = character.is_control().then(|| character.escape_default());
    plain.into_iter().chain(escaped.into_iter().flatten())
}
