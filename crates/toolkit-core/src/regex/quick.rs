//! Quick searches: small patterns in short texts, which run on a thread that serves other requests,
//! within a bound on the work of each.

use super::ascii;
use super::limits::Limits;
use super::linear::Linear;
use super::meter::Meter;
use super::replacement::{Failure, Replacement};
use super::{Flags, Found, Pattern};
use crate::error::ToolError;
use crate::warnings::Warnings;

/// Maximum length, in bytes, of a pattern compiled on such a thread: it can have some sixty
/// classes, each parsed in a hundredth of a millisecond.
const QUICK_PATTERN_BYTES_MAX: usize = 256;
/// Maximum number of states of such a pattern, whose ranges determine the time to compile it.
const QUICK_STATES_MAX: u64 = 30_000;
/// Maximum length of a text, and of its replacement, on such a thread, in bytes.
const QUICK_TEXT_BYTES_MAX: usize = 2 << 10;
/// Maximum cost of such a search: a third of a millisecond at most.
const QUICK_WORK_MAX: u64 = 20_000;

impl Pattern {
    /// Compiles a pattern if that is certain to take less than half a millisecond; `None`
    /// otherwise.
    ///
    /// # Errors
    ///
    /// As [`new`](Self::new).
    pub(crate) fn new_if_quick(pattern: &str, flags: Flags) -> Result<Option<Self>, ToolError> {
        if pattern.len() > QUICK_PATTERN_BYTES_MAX || !ascii::is_quick_to_read(pattern, flags) {
            return Ok(None);
        }
        let pattern = Self::read(pattern, flags, Limits::default())?;
        let linear = pattern.linear.as_ref();
        let is_quick = pattern.cost.states <= QUICK_STATES_MAX
            && linear.is_some_and(|linear| linear.ascii.is_some());
        Ok(is_quick.then_some(pattern))
    }

    /// Upper estimate of its size in bytes, unless a search needs fancy-regex.
    pub(super) fn bytes(&self) -> usize {
        let automaton = self.linear.as_ref().map_or(0, Linear::ascii_bytes);
        // A range of a class counts as two states, and takes eight bytes.
        let ranges = usize::try_from(4 * self.cost.states).unwrap_or(usize::MAX);
        automaton.saturating_add(ranges) + 16 * self.source.len() + 1_024
    }

    /// Searches text like [`search`](Self::search), if that is certain to take less than half a
    /// millisecond; `None` otherwise.
    ///
    /// # Errors
    ///
    /// As [`search`](Self::search).
    pub(crate) fn search_if_quick<'t>(
        &self,
        text: &'t str,
        replacement: Option<&str>,
        warnings: &mut Warnings,
    ) -> Option<Result<Found<'t>, ToolError>> {
        let written = text.len() + replacement.map_or(0, str::len);
        let is_quick = self.linear.is_some() && self.cost.is_tiny(text.len().max(16) as u64);
        if written > QUICK_TEXT_BYTES_MAX || !is_quick {
            return None;
        }
        let replacement = replacement.map(|text| Replacement::read(text, &self.names, warnings));
        let meter = Meter::within(QUICK_WORK_MAX);
        match self.run(text, replacement.as_ref(), &meter) {
            Ok(found) => Some(Ok(found)),
            Err(Failure::Refused(error)) => Some(Err(error)),
            Err(Failure::Stopped | Failure::TooLarge) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use regex_syntax::hir::{Class, HirKind};

    use super::*;

    fn bytes(source: &str) -> usize {
        let pattern = Pattern::new_if_quick(source, Flags::default());
        pattern.expect("it is valid").expect("it is quick").bytes()
    }

    #[test]
    fn the_size_of_a_pattern_includes_its_text_which_is_kept_twice() {
        let spaces = " ".repeat(200);
        let same_with_spaces = bytes(&format!("(?x)a{spaces}"));
        assert!(same_with_spaces >= bytes("(?x)a") + 2 * spaces.len());
    }

    #[test]
    fn the_size_of_a_pattern_includes_the_ranges_of_its_classes_for_text_beyond_ascii() {
        let parsed = regex_syntax::parse(r"\w").unwrap();
        let HirKind::Class(Class::Unicode(class)) = parsed.kind() else {
            panic!("{parsed:?}");
        };
        let ranges = size_of_val(class.ranges());
        assert!(ranges > 5_000, "{ranges}");
        assert!(bytes(r"\w") >= bytes("a") + ranges);
    }
}
