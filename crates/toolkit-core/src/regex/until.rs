//! Searches of one text with a deadline.

use std::fmt;

use super::engine::Spans;
use super::found::{Found, Match, Matches};
use super::meter::Meter;
use super::replacement::Replaced;
use super::search::Pattern;
use crate::error::ToolError;
use crate::warnings::Warnings;

/// A search of one text: see [`Pattern::on`].
#[derive(Clone, Copy)]
pub struct Search<'p, 't> {
    pattern: &'p Pattern,
    text: &'t str,
    is_over: Option<&'p dyn Fn() -> bool>,
}

impl fmt::Debug for Search<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Search").field("pattern", self.pattern).finish_non_exhaustive()
    }
}

impl<'p, 't> Search<'p, 't> {
    pub(super) const fn new(pattern: &'p Pattern, text: &'t str) -> Self {
        Self { pattern, text, is_over: None }
    }

    /// Sets the deadline: a function that is called from time to time, and ends the search by
    /// returning true.
    #[must_use]
    pub fn until(mut self, is_over: &'p dyn Fn() -> bool) -> Self {
        self.is_over = Some(is_over);
        self
    }

    /// Whether there is a match.
    ///
    /// # Errors
    ///
    /// As [`Pattern::search`].
    pub fn is_match(self) -> Result<bool, ToolError> {
        let mut is_match = false;
        self.each(|_| {
            is_match = true;
            Ok(false)
        })?;
        Ok(is_match)
    }

    /// Finds the first match, with its groups.
    ///
    /// # Errors
    ///
    /// As [`Pattern::search`].
    pub fn find(self) -> Result<Option<Match<'t>>, ToolError> {
        let mut first = None;
        self.each(|spans| {
            first = Some(Matches::new(self.text, &self.pattern.parsed.names).get(spans));
            Ok(false)
        })?;
        Ok(first)
    }

    /// Finds the first match, or with `g` all, and replaces them if `replacement` is given.
    ///
    /// # Errors
    ///
    /// As [`Pattern::search`].
    pub fn captures(
        self,
        replacement: Option<&str>,
        warnings: &mut Warnings,
    ) -> Result<Found<'t>, ToolError> {
        self.pattern.search(self.text, replacement, self.is_over, warnings)
    }

    /// Replaces each match, or without `g` the first, with the result of a function.
    ///
    /// # Errors
    ///
    /// As [`Pattern::search`].
    pub fn replace_all(
        self,
        mut replacement: impl FnMut(&Match<'_>) -> String,
    ) -> Result<String, ToolError> {
        let parsed = &self.pattern.parsed;
        let mut matches = Matches::new(self.text, &parsed.names);
        let mut replaced = Replaced::new(self.text, self.pattern.limits.result_bytes);
        self.each(|spans| {
            let found = matches.get(spans);
            let by = replacement(&found);
            replaced.replace(found.start.bytes, found.end.bytes, &by)?;
            Ok(parsed.flags.has('g'))
        })?;
        replaced.finish()
    }

    fn each(
        self,
        on_match: impl FnMut(&Spans) -> Result<bool, ToolError>,
    ) -> Result<(), ToolError> {
        self.pattern.each(self.text, &Meter::new(self.is_over), on_match)
    }
}
