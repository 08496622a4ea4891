//! Pattern cache: people and models try one pattern on many texts.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::{Flags, Pattern};
use crate::error::ToolError;

/// Maximum number of patterns kept.
const PATTERNS_MAX: usize = 64;
/// Maximum total size, in bytes.
const BYTES_MAX: usize = 1 << 20;
/// Maximum size of a pattern that is kept, in bytes.
const PATTERN_BYTES_MAX: usize = 64 << 10;

/// Cache of the most recently used small patterns of a process.
///
/// A pattern may be secret: it is compared, and never shown.
#[derive(Default)]
pub struct PatternCache(Mutex<Kept>);

#[derive(Default)]
struct Kept {
    /// The most recently used comes first; each with its size in bytes.
    patterns: Vec<(Arc<Pattern>, usize)>,
    bytes: usize,
}

impl PatternCache {
    /// Creates an empty cache.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns a cached pattern, or compiles it if that is quick, and caches it if it is small.
    /// `None` if compiling is not quick.
    ///
    /// # Errors
    ///
    /// As [`Pattern::new`].
    pub(crate) fn pattern_if_quick(
        &self,
        source: &str,
        flags: Flags,
    ) -> Result<Option<Arc<Pattern>>, ToolError> {
        if let Some(kept) = self.kept().find(source, flags) {
            return Ok(Some(kept));
        }
        let pattern = Pattern::new_if_quick(source, flags)?.map(Arc::new);
        if let Some(pattern) = &pattern {
            let bytes = pattern.bytes();
            self.kept().keep(pattern, bytes);
        }
        Ok(pattern)
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        // The list is consistent after each change, before anything can panic.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Kept {
    fn find(&mut self, source: &str, flags: Flags) -> Option<Arc<Pattern>> {
        let mut patterns = self.patterns.iter();
        let is_kept = |pattern: &Pattern| pattern.source == source && pattern.flags == flags;
        let at = patterns.position(|(pattern, _)| is_kept(pattern))?;
        let used = self.patterns.get_mut(..=at)?;
        used.rotate_right(1);
        used.first().map(|(pattern, _)| Arc::clone(pattern))
    }

    fn keep(&mut self, pattern: &Arc<Pattern>, bytes: usize) {
        if bytes > PATTERN_BYTES_MAX {
            return;
        }
        self.patterns.insert(0, (Arc::clone(pattern), bytes));
        self.bytes += bytes;
        while self.patterns.len() > PATTERNS_MAX || self.bytes > BYTES_MAX {
            let Some((_, bytes)) = self.patterns.pop() else {
                break;
            };
            self.bytes -= bytes;
        }
    }
}

impl fmt::Debug for PatternCache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kept = self.kept();
        f.debug_struct("PatternCache")
            .field("patterns", &kept.patterns.len())
            .field("bytes", &kept.bytes)
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_kept(cache: &PatternCache, source: &str) -> bool {
        let mut patterns = cache.kept();
        patterns.find(source, Flags::default()).is_some()
    }

    fn compile(cache: &PatternCache, source: &str) -> Arc<Pattern> {
        let compiled = cache.pattern_if_quick(source, Flags::default());
        compiled.expect("it is valid").expect("it is quick")
    }

    #[test]
    fn a_pattern_is_compiled_once_for_each_set_of_flags() {
        let cache = PatternCache::new();
        let first = compile(&cache, r"(\w+)@(\w+)");
        assert!(Arc::ptr_eq(&first, &compile(&cache, r"(\w+)@(\w+)")));
        let global = Flags::parse("g").unwrap();
        let other = cache.pattern_if_quick(r"(\w+)@(\w+)", global);
        assert!(!Arc::ptr_eq(&first, &other.unwrap().unwrap()));
    }

    #[test]
    fn the_patterns_used_last_are_kept_and_no_more_than_the_bound() {
        let cache = PatternCache::new();
        for number in 0..PATTERNS_MAX {
            compile(&cache, &format!("a{number}"));
        }
        compile(&cache, "a0");
        compile(&cache, "b");
        assert!(is_kept(&cache, "a0") && is_kept(&cache, "b") && !is_kept(&cache, "a1"));
        assert_eq!(cache.kept().patterns.len(), PATTERNS_MAX);
    }

    #[test]
    fn the_bytes_of_all_are_bounded_and_a_large_one_is_not_kept() {
        let cache = PatternCache::new();
        for number in 100..400 {
            compile(&cache, &format!(r"\w\w{number}[a-z]{{100}}"));
            let kept = cache.kept();
            let bytes: usize = kept.patterns.iter().map(|(_, bytes)| bytes).sum();
            assert_eq!(kept.bytes, bytes);
            assert!(bytes <= BYTES_MAX);
        }
        assert!(cache.kept().patterns.len() > 10);
        let large = "[a-z]{1,1000}";
        compile(&cache, large);
        assert!(!is_kept(&cache, large));
    }

    #[test]
    fn patterns_of_the_largest_size_fill_the_cache_exactly() {
        let cache = PatternCache::new();
        let keep = |number: usize| {
            let pattern = Pattern::new(&format!("a{number}"), Flags::default()).unwrap();
            cache.kept().keep(&Arc::new(pattern), PATTERN_BYTES_MAX);
        };
        let count = BYTES_MAX / PATTERN_BYTES_MAX;
        for number in 1..=count {
            keep(number);
        }
        assert!(is_kept(&cache, "a1"));
        keep(count + 1);
        assert!(!is_kept(&cache, "a2") && is_kept(&cache, "a1"));
        assert_eq!(cache.kept().patterns.len(), count);
    }

    #[test]
    fn patterns_that_might_be_slow_are_not_compiled() {
        let cache = PatternCache::new();
        for source in [
            r"(a)\1",
            "(?=a)b",
            r"(?i)\w",
            r"\p{L}",
            "é",
            r"\w{100}",
            &"a".repeat(257),
        ] {
            let compiled = cache.pattern_if_quick(source, Flags::default());
            assert!(compiled.unwrap().is_none(), "{source}");
        }
        assert!(cache.pattern_if_quick("(", Flags::default()).is_err());
        assert!(cache.kept().patterns.is_empty());
    }

    #[test]
    fn cached_patterns_are_not_shown() {
        let cache = PatternCache::new();
        compile(&cache, "secret");
        assert!(!format!("{cache:?}").contains("secret"));
    }
}
