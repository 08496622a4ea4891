//! Settings errors, each on one line that names the key.

/// Characters of an invalid value that an error repeats.
const SHOWN_CHARACTERS_MAX: usize = 60;

/// All errors found, on one line: each names its key or variable and what is accepted.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", .faults.join("; "))]
pub struct SettingsError {
    pub(super) faults: Vec<String>,
}

impl SettingsError {
    /// Each error as a sentence without its full stop.
    pub fn faults(&self) -> &[String] {
        &self.faults
    }
}

/// An invalid value as quoted in an error: on one line, and truncated.
pub(super) fn shown(value: &str) -> String {
    let mut text = String::from("`");
    for character in value.chars().take(SHOWN_CHARACTERS_MAX) {
        if character.is_control() {
            text.extend(character.escape_default());
        } else {
            text.push(character);
        }
    }
    let is_cut = value.chars().nth(SHOWN_CHARACTERS_MAX).is_some();
    text + if is_cut { "…`" } else { "`" }
}
