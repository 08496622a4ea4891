//! Settings errors: one line each, which names the key.

/// Characters of an invalid value shown in an error.
const SHOWN_CHARACTERS_MAX: usize = 60;

/// All errors found, one line each: the key or variable, and what is accepted.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", .faults.join("\n"))]
pub struct SettingsError {
    pub(super) faults: Vec<String>,
}

impl SettingsError {
    /// Each error as a sentence without its full stop.
    pub fn faults(&self) -> &[String] {
        &self.faults
    }
}

/// Quotes an invalid value in an error: on one line, and truncated.
pub(super) fn shown(value: &str) -> String {
    let mut rest = value.chars();
    let start = rest.by_ref().take(SHOWN_CHARACTERS_MAX);
    // Keep quotes and backslashes as given, since the value is shown between backticks.
    let start = start.map(|character| match character {
        '"' | '\'' | '\\' => character.to_string(),
        other => other.escape_debug().to_string(),
    });
    let start: String = start.collect();
    format!("`{start}{}`", rest.next().map_or("", |_| "…"))
}
