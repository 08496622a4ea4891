//! Pattern cache: people and models try one pattern on many texts.
//!
//! Only a pattern's automata are kept, under a byte budget, and not fancy-regex's engine, which
//! takes megabytes as it runs. A pattern seen before saves up to a millisecond of building, and its
//! known states save 38 % of the instructions of searching 4 KB. A pattern may be secret, so it is
//! compared but not shown.

use std::sync::{Arc, LazyLock};

use quick_cache::Weighter;
use quick_cache::sync::Cache;

use super::Flags;
use super::meter::Stopped;
use super::parsed::Parsed;
use crate::error::ToolError;

/// Maximum number of bytes of all patterns kept, as they may grow.
const BYTES_MAX: u64 = 32 << 20;
/// Maximum size of one entry, in bytes.
const PATTERN_BYTES_MAX: u64 = 4 << 20;
/// Maximum length of a pattern, in bytes, that is parsed without asking for the deadline: each byte
/// takes at most 40 microseconds.
const UNASKED_BYTES_MAX: usize = 32;

/// Patterns of this process, by their flags and source.
static PATTERNS: LazyLock<Cache<String, Arc<Parsed>, Weighted>> =
    LazyLock::new(|| Cache::with_weighter(16, BYTES_MAX, Weighted));

/// The bytes that a pattern may take.
#[derive(Debug, Clone)]
struct Weighted;

impl Weighter<String, Arc<Parsed>> for Weighted {
    fn weight(&self, _: &String, parsed: &Arc<Parsed>) -> u64 {
        parsed.cost.kept_bytes().unwrap_or(u64::MAX)
    }
}

/// Returns a pattern that was seen before, or parses it, and keeps it if it is small.
///
/// # Errors
///
/// As [`Pattern::new`](super::Pattern::new).
pub(super) fn parsed(
    source: &str,
    flags: Flags,
    bytes_max: usize,
    is_over: impl FnOnce() -> bool,
) -> Result<Arc<Parsed>, ToolError> {
    let key = format!("{flags}/{source}");
    if let Some(known) = PATTERNS.get(&key) {
        return Ok(known);
    }
    if source.len() > UNASKED_BYTES_MAX && is_over() {
        return Err(Stopped.into());
    }
    let parsed = Arc::new(Parsed::new(source, flags, bytes_max)?);
    if parsed.cost.kept_bytes().is_some_and(|bytes| bytes <= PATTERN_BYTES_MAX) {
        PATTERNS.insert(key, Arc::clone(&parsed));
    }
    Ok(parsed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_patterns_are_parsed_once_for_each_set_of_flags() {
        let parse = |source: &str, flags| {
            let flags = Flags::parse(flags).unwrap();
            parsed(source, flags, 8_192, || false).unwrap()
        };
        let is_kept = |source| Arc::ptr_eq(&parse(source, "g"), &parse(source, "g"));
        assert!(is_kept(r"(\w+)@(\w+)"));
        assert!(!is_kept(r"\w{100}") && !is_kept("(a)\\1"));
        let other = parse(r"(\w+)@(\w+)", "");
        assert!(!Arc::ptr_eq(&other, &parse(r"(\w+)@(\w+)", "g")));
    }
}
