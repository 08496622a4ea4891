//! Limits of a search.

use crate::limits::{
    MATCHED_GROUPS_MAX, MATCHES_MAX, PATTERN_BYTES_MAX, REGEX_TEXT_BYTES_MAX, RESULT_BYTES_MAX,
};

/// What a pattern and its searches may take; `usize::MAX` stands for any number.
///
/// The time of a search has a bound of its own: see [`Pattern::search`](super::Pattern::search).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Limits {
    /// Bytes of a pattern.
    pub pattern_bytes: usize,
    /// Bytes of a text.
    pub text_bytes: usize,
    /// Matches that are shown.
    pub matches: usize,
    /// Groups that are shown, in all matches together.
    pub groups: usize,
    /// Bytes of a text with its matches replaced.
    pub result_bytes: usize,
}

impl Default for Limits {
    /// Those of the tool.
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
