//! Limits of a search.

use crate::limits::{
    MATCHED_GROUPS_MAX, MATCHES_MAX, PATTERN_BYTES_MAX, REGEX_TEXT_BYTES_MAX, RESULT_BYTES_MAX,
};

/// Limits on a pattern and its searches. `usize::MAX` means no limit.
///
/// The time of a search is limited separately: see [`Pattern::search`](super::Pattern::search).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Limits {
    /// Maximum length of a pattern, in bytes.
    pub pattern_bytes: usize,
    /// Maximum length of a text, in bytes.
    pub text_bytes: usize,
    /// Maximum number of matches shown.
    pub matches: usize,
    /// Maximum number of groups shown, in all matches together.
    pub groups: usize,
    /// Maximum length of a text with its matches replaced, in bytes.
    pub result_bytes: usize,
}

impl Default for Limits {
    /// Limits of the tool.
    fn default() -> Self {
        Self {
            pattern_bytes: PATTERN_BYTES_MAX,
            text_bytes: REGEX_TEXT_BYTES_MAX,
            matches: MATCHES_MAX,
            groups: MATCHED_GROUPS_MAX,
            result_bytes: RESULT_BYTES_MAX,
        }
    }
}
