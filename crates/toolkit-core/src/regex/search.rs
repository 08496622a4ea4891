//! Search: patterns, matches and groups.

use std::borrow::Cow;
use std::sync::{Arc, OnceLock};

use super::Flags;
use super::cost::{Cost, PROGRAM_MAX, too_heavy};
use super::engine::Engine;
use super::errors::refusal;
use super::found::{Found, Match, Shown};
use super::limits::Limits;
use super::linear::Linear;
use super::meter::{Meter, MeteredText};
use super::replacement::{Failure, Replaced, Replacement};
use super::syntax::Tree;
use crate::error::{ErrorKind, ToolError};
use crate::warnings::Warnings;
use fancy_regex::{Regex, RegexBuilder};

/// Maximum size of one automaton, in bytes; the cost of a pattern bounds all of them together.
const DELEGATE_BYTES_MAX: usize = 64 << 20;

/// A compiled regular expression.
///
/// ```
/// use toolkit_core::Warnings;
/// use toolkit_core::regex::{Flags, Pattern};
///
/// let pattern = Pattern::new(r"(?<year>\d{4})-(?<month>\d\d)", Flags::parse("g")?)?;
/// let found = pattern.search("2023-11, 2024-02", Some("$<month>/$1"), None, &mut Warnings::new())?;
/// assert_eq!(found.matches[1].text, "2024-02");
/// assert_eq!(found.matches[1].start.characters, 9);
/// assert_eq!(found.replaced.as_deref(), Some("11/2023, 02/2024"));
/// # Ok::<(), toolkit_core::ToolError>(())
/// ```
#[derive(Debug)]
pub struct Pattern {
    pub(super) source: String,
    pub(crate) flags: Flags,
    limits: Limits,
    tree: Tree,
    pub(super) cost: Cost,
    pub(super) names: Arc<[Option<String>]>,
    /// The whole pattern for the automaton, if it is linear.
    pub(super) linear: Option<Linear>,
    /// fancy-regex's compiled form: built immediately or, for a linear pattern, when a search needs
    /// it.
    regex: OnceLock<Regex>,
}

impl Pattern {
    /// Compiles a pattern.
    ///
    /// ```
    /// use toolkit_core::regex::{Flags, Pattern};
    ///
    /// assert!(Pattern::new("a(b)?", Flags::default()).is_ok());
    /// let refused = Pattern::new("a(b", Flags::default()).unwrap_err();
    /// assert_eq!(refused.kind(), toolkit_core::ErrorKind::Syntax);
    /// ```
    ///
    /// # Errors
    ///
    /// Says what is wrong with the pattern and where, or that it is too large.
    pub fn new(pattern: &str, flags: Flags) -> Result<Self, ToolError> {
        Self::with_limits(pattern, flags, Limits::default())
    }

    /// Compiles a pattern with custom limits.
    ///
    /// ```
    /// use toolkit_core::Warnings;
    /// use toolkit_core::regex::{Flags, Limits, Pattern};
    ///
    /// let limits = Limits { matches: 2, ..Limits::default() };
    /// let pattern = Pattern::with_limits("a", Flags::parse("g")?, limits)?;
    /// let found = pattern.search("aaa", None, None, &mut Warnings::new())?;
    /// assert_eq!((found.matches.len(), found.truncated), (2, true));
    /// # Ok::<(), toolkit_core::ToolError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`new`](Self::new).
    pub fn with_limits(pattern: &str, flags: Flags, limits: Limits) -> Result<Self, ToolError> {
        if pattern.len() > limits.pattern_bytes {
            return Err(too_long(pattern, limits.pattern_bytes));
        }
        let pattern = Self::read(pattern, flags, limits)?;
        if pattern.linear.is_none() {
            // Errors are reported now.
            pattern.regex()?;
        }
        Ok(pattern)
    }

    pub(super) fn read(pattern: &str, flags: Flags, limits: Limits) -> Result<Self, ToolError> {
        let tree = Tree::parse(pattern, flags).map_err(|error| refusal(pattern, &error))?;
        let cost = Cost::of(pattern, &tree)?;
        let names = tree.names(cost.groups).into();
        let linear = cost.is_linear.then(|| tree.linear());
        Ok(Self {
            source: pattern.to_owned(),
            flags,
            limits,
            tree,
            cost,
            names,
            linear: linear.and_then(Linear::read),
            regex: OnceLock::new(),
        })
    }

    /// The pattern compiled by fancy-regex, which takes from a twentieth of a millisecond to one: a
    /// Unicode class such as `\w` has hundreds of ranges.
    fn regex(&self) -> Result<&Regex, ToolError> {
        if let Some(regex) = self.regex.get() {
            return Ok(regex);
        }
        let regex = self.built(self.cost.backtracks_max())?;
        Ok(self.regex.get_or_init(|| regex))
    }

    fn built(&self, backtracks_max: usize) -> Result<Regex, ToolError> {
        let pattern = self.source.as_str();
        // `\G` must know when a search continues one character after an empty match.
        let has_continuation = pattern.contains("\\G");
        RegexBuilder::new(pattern)
            .case_insensitive(self.flags.has('i'))
            .multi_line(self.flags.has('m'))
            .dot_matches_new_line(self.flags.has('s'))
            .verbose_mode(self.flags.has('x'))
            .allow_input_assertion_overrides(has_continuation)
            .backtrack_limit(backtracks_max)
            .max_prog_size(usize::try_from(PROGRAM_MAX).unwrap_or(usize::MAX))
            .delegate_size_limit(DELEGATE_BYTES_MAX)
            .build()
            .map_err(|error| refusal(pattern, &error))
    }

    /// Names of the groups from 1 on.
    ///
    /// ```
    /// use toolkit_core::regex::{Flags, Pattern};
    ///
    /// let pattern = Pattern::new("(a)(?<letter>b)", Flags::default())?;
    /// assert_eq!(pattern.group_names().collect::<Vec<_>>(), [None, Some("letter")]);
    /// # Ok::<(), toolkit_core::ToolError>(())
    /// ```
    pub fn group_names(&self) -> impl Iterator<Item = Option<&str>> {
        self.names.iter().skip(1).map(Option::as_deref)
    }

    /// Searches text for the first match, or with `g` for all, and replaces them if `replacement`
    /// is given.
    ///
    /// `is_over` is called from time to time, and ends the search by returning true. Without it the
    /// search ends after a fixed amount of work, in seconds at most. Stopping the engine unwinds
    /// its stack; where panics abort, a pattern that would need it is refused for a text that is
    /// too long to be searched in time.
    ///
    /// ```
    /// use std::time::{Duration, Instant};
    ///
    /// use toolkit_core::Warnings;
    /// use toolkit_core::regex::{Flags, Pattern};
    ///
    /// let pattern = Pattern::new("[ab]", Flags::parse("g")?)?;
    /// let begun = Instant::now();
    /// let is_over = move || begun.elapsed() > Duration::from_secs(5);
    /// let found = pattern.search("a, b", Some("<$&>"), Some(&is_over), &mut Warnings::new())?;
    /// assert_eq!(found.replaced.as_deref(), Some("<a>, <b>"));
    /// # Ok::<(), toolkit_core::ToolError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Says that the text is too long, the pattern too expensive for it, the search too slow, or
    /// the replaced text too large.
    pub fn search<'t>(
        &self,
        text: &'t str,
        replacement: Option<&str>,
        is_over: Option<&dyn Fn() -> bool>,
        warnings: &mut Warnings,
    ) -> Result<Found<'t>, ToolError> {
        if text.len() > self.limits.text_bytes {
            return Err(too_long(text, self.limits.text_bytes).field("text"));
        }
        self.cost.check(text.len() as u64)?;
        let replacement = replacement.map(|text| Replacement::read(text, &self.names, warnings));
        let meter = Meter::new(is_over);
        let found = self.run(text, replacement.as_ref(), &meter);
        found.map_err(|failure| match failure {
            Failure::Refused(error) => error,
            Failure::TooLarge => Failure::too_large(self.limits.result_bytes),
            Failure::Stopped => ToolError::new("takes too long on this text and was stopped")
                .of(ErrorKind::TimedOut)
                .with_hint("simplify the pattern, or shorten the text"),
        })
    }

    /// Finds the first match.
    ///
    /// ```
    /// use toolkit_core::regex::{Flags, Pattern};
    ///
    /// let pattern = Pattern::new(r"\d+", Flags::default())?;
    /// let found = pattern.find("line 42")?.expect("there is a number");
    /// assert_eq!((found.text, found.start.characters), ("42", 5));
    /// assert_eq!(pattern.find("none")?, None);
    /// # Ok::<(), toolkit_core::ToolError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`search`](Self::search).
    pub fn find<'t>(&self, text: &'t str) -> Result<Option<Match<'t>>, ToolError> {
        let mut found = self.search(text, None, None, &mut Warnings::new())?;
        found.matches.truncate(1);
        Ok(found.matches.pop())
    }

    /// Replaces each match, or without `g` the first, with the result of a function.
    ///
    /// ```
    /// use toolkit_core::regex::{Flags, Pattern};
    ///
    /// let pattern = Pattern::new(r"\d+", Flags::parse("g")?)?;
    /// let doubled = pattern.replace_all("3 of 21", |found| {
    ///     (found.text.parse::<u32>().unwrap_or(0) * 2).to_string()
    /// })?;
    /// assert_eq!(doubled, "6 of 42");
    /// # Ok::<(), toolkit_core::ToolError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`search`](Self::search), or that there are more matches than the limit.
    pub fn replace_all(
        &self,
        text: &str,
        mut replacement: impl FnMut(&Match<'_>) -> String,
    ) -> Result<String, ToolError> {
        let found = self.search(text, None, None, &mut Warnings::new())?;
        if found.truncated {
            let message = format!("has more than {} matches", self.limits.matches);
            return Err(ToolError::new(message)
                .of(ErrorKind::TooLarge)
                .field("text"));
        }
        let mut replaced = Replaced::new(text, self.limits.result_bytes);
        for found in &found {
            let by = replacement(found);
            replaced
                .replace(found.start.bytes, found.end.bytes, &by)
                .map_err(|_| Failure::too_large(self.limits.result_bytes))?;
        }
        replaced
            .finish()
            .map_err(|_| Failure::too_large(self.limits.result_bytes))
    }

    fn engine<'a>(&'a self, text: &'a str, meter: &'a Meter<'a>) -> Result<Engine<'a>, ToolError> {
        let bytes = text.len() as u64;
        let automaton = match &self.linear {
            Some(linear) if self.cost.is_tiny(bytes) => linear.automaton(text, true)?,
            Some(linear) if !self.cost.fits(bytes) => linear.automaton(text, false)?,
            _ => {
                let look = self.cost.between_looks(bytes);
                let regex = if cfg!(panic = "abort") && self.linear.is_none() {
                    Cow::Owned(self.unstoppable(bytes)?)
                } else {
                    Cow::Borrowed(self.regex()?)
                };
                return Ok(Engine::Regex {
                    regex,
                    text: MeteredText::new(text, meter, look),
                });
            }
        };
        Ok(Engine::Automaton {
            automaton: Box::new(automaton),
            text,
            meter,
            has_group_0: self.tree.has_group_0,
        })
    }

    /// The pattern with a backtracking limit so low that it ends in time by itself.
    fn unstoppable(&self, text_bytes: u64) -> Result<Regex, ToolError> {
        let backtracks = self.cost.unstoppable_backtracks(text_bytes);
        self.built(backtracks.ok_or_else(|| too_heavy(text_bytes))?)
    }

    pub(super) fn run<'t>(
        &self,
        text: &'t str,
        replacement: Option<&Replacement<'_>>,
        meter: &Meter<'_>,
    ) -> Result<Found<'t>, Failure> {
        let mut engine = self.engine(text, meter)?;
        let mut shown = Shown::new(text, self.limits, &self.names);
        let mut replaced = replacement
            .map(|replacement| (replacement, Replaced::new(text, self.limits.result_bytes)));
        let mut from = 0;
        let mut continues = true;
        while from <= text.len() {
            meter.spend(self.cost.blind_find())?;
            let Some(mut spans) = engine.find(from, continues)? else {
                break;
            };
            // A group that can never participate may be missing.
            spans.resize(self.names.len(), None);
            let (start, end) = spans.first().copied().flatten().unwrap_or((from, from));
            if start < from && end <= from {
                // `\K` in a lookbehind moved its start back: this is the previous match again.
                from = after(text, from);
                continues = false;
                continue;
            }
            shown.add(&spans);
            if let Some((replacement, replaced)) = &mut replaced {
                replacement.write(replaced, &spans, meter)?;
            }
            let is_enough = shown.truncated && replaced.is_none();
            if is_enough || !self.flags.has('g') {
                break;
            }
            continues = start != end || end != from;
            from = if start < end {
                end
            } else {
                after(text, end.max(from))
            };
        }
        Ok(Found {
            matches: shown.matches,
            truncated: shown.truncated,
            replaced: replaced
                .map(|(_, replaced)| replaced.finish())
                .transpose()?,
        })
    }
}

/// The position after the character at a position, or after the end.
fn after(text: &str, place: usize) -> usize {
    let character = text.get(place..).and_then(|rest| rest.chars().next());
    place + character.map_or(1, char::len_utf8)
}

fn too_long(text: &str, bytes_max: usize) -> ToolError {
    ToolError::new(format!(
        "has {} bytes; at most {bytes_max} are accepted",
        text.len()
    ))
    .of(ErrorKind::TooLarge)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::engine::Spans;
    use super::*;

    fn all(engine: &mut Engine<'_>, text: &str, groups: usize) -> Vec<Spans> {
        let mut found = Vec::new();
        let mut from = 0;
        while from <= text.len() {
            let Some(mut spans) = engine.find(from, true).unwrap() else {
                break;
            };
            spans.resize(groups, None);
            let (start, end) = spans[0].unwrap();
            from = if start < end { end } else { after(text, end) };
            found.push(spans);
        }
        found
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]
        #[test]
        fn the_two_engines_agree(
            regex in linear_pattern(),
            flags in "i?m?s?",
            text in "([abAB1 é\n]{0,24}|[abABks1_ \n\u{b}-]{0,24})",
        ) {
            let flags = Flags::parse(&flags).unwrap();
            let pattern = Pattern::new(&regex, flags).unwrap();
            prop_assume!(pattern.cost.is_linear);
            let meter = Meter::new(None);
            let mut theirs = Engine::Regex {
                regex: Cow::Borrowed(pattern.regex().unwrap()),
                text: MeteredText::new(&text, &meter, 1),
            };
            let groups = pattern.names.len();
            let expected = all(&mut theirs, &text, groups);
            let linear = pattern.linear.as_ref().unwrap();
            for automaton in linear.all(&text) {
                let mut ours = Engine::Automaton {
                    automaton: Box::new(automaton),
                    text: &text,
                    meter: &meter,
                    has_group_0: pattern.tree.has_group_0,
                };
                prop_assert_eq!(&all(&mut ours, &text, groups), &expected);
            }
            let names: Vec<_> = pattern.regex().unwrap().capture_names().collect();
            prop_assert_eq!(pattern.names.iter().map(Option::as_deref).collect::<Vec<_>>(), names);
        }
    }

    #[test]
    fn unstoppable_searches_are_refused_on_longer_texts() {
        for pattern in ["(?=.*z)q", r"(a+)+b\1", "(?:(?=a.*z)a)*y"] {
            let pattern = Pattern::new(pattern, Flags::default()).unwrap();
            assert!(pattern.unstoppable(64).is_ok(), "{}", pattern.source);
            let refused = pattern.unstoppable(100 << 10).unwrap_err();
            assert_eq!(refused.kind(), ErrorKind::TooLarge);
        }
        let cheap = Pattern::new("(?<=x)a", Flags::default()).unwrap();
        assert!(cheap.unstoppable(100 << 10).is_ok());
    }

    #[test]
    fn unstoppable_searches_end_in_time_on_the_longest_accepted_text() {
        for pattern in ["(?=.*z)q", r"(a+)+b\1", "(?:(?=a.*z)a)*y", "(?<=x)a"] {
            let pattern = Pattern::new(pattern, Flags::default()).unwrap();
            let accepted = |bytes: &u64| pattern.unstoppable(*bytes).is_ok();
            let longest = (0..18).map(|power| 1 << power).filter(accepted).max();
            let text = "a".repeat(usize::try_from(longest.unwrap()).unwrap());
            let regex = pattern.unstoppable(text.len() as u64).unwrap();
            let begun = cpu_time::ThreadTime::now();
            let _ = regex.is_match(&text);
            assert!(begun.elapsed().as_secs() < 10, "{}", pattern.source);
        }
    }

    fn linear_pattern() -> impl Strategy<Value = String> {
        let leaf = prop_oneof![
            "[ab1ké.]",
            r"\\[wdsbBWDS]",
            r"\[\^?[a-c](\\[wds]|k)\]",
            Just("[^a]".to_owned()),
            Just("^".to_owned()),
            Just("$".to_owned()),
        ];
        let tree = leaf.prop_recursive(4, 24, 4, |inner| {
            let sequence = prop::collection::vec(inner, 1..4).prop_map(|parts| parts.concat());
            (sequence.clone(), sequence, 0..9_u8).prop_map(|(one, other, shape)| match shape {
                0 => format!("({one})(?<name{}>{other})", one.len() + 100 * other.len()),
                1 => format!("(?:{one}|{other})"),
                2 => format!("(?:{one}|)"),
                3 => format!("(?:{one})*"),
                4 => format!("({one})+?"),
                5 => format!("(?:{one}){{1,3}}"),
                6 => format!("(?:{one}){{2}}"),
                7 => format!("({one}|{other})?"),
                _ => format!("{one}{other}"),
            })
        });
        (tree, prop::bool::ANY).prop_map(|(tree, looks_ahead)| {
            if looks_ahead {
                format!("{tree}(?=b)")
            } else {
                tree
            }
        })
    }
}
