//! Search: patterns, matches and groups.

use std::sync::{Arc, OnceLock};

use super::cost::{PROGRAM_MAX, TINY_SCAN_MAX};
use super::engine::{Engine, Spans, whole};
use super::errors::refusal;
use super::found::{Found, Match, Shown};
use super::limits::Limits;
use super::meter::{Meter, MeteredText};
use super::parsed::{Parsed, too_long};
use super::replacement::{Groups, Replaced, Replacement};
use super::{Flags, Search};
use crate::error::{ErrorKind, ToolError};
use crate::warnings::Warnings;
use fancy_regex::{Regex, RegexBuilder};

/// Maximum size of one automaton, in bytes. A pattern's cost limits all of them together.
const DELEGATE_BYTES_MAX: usize = 64 << 20;
/// Cost of showing a group.
const GROUP_COST: u64 = 16;
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
    pub(super) parsed: Arc<Parsed>,
    pub(super) limits: Limits,
    /// fancy-regex's compiled form, unless the pattern is linear.
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
        let parsed = Parsed::new(pattern, flags, limits.pattern_bytes)?;
        let pattern = Self::of(Arc::new(parsed), limits);
        if pattern.parsed.linear.is_none() {
            // Errors are reported now.
            pattern.regex()?;
        }
        Ok(pattern)
    }

    /// Returns a pattern from the cache, or parses it. A search may still refuse it.
    #[cfg(feature = "tools")]
    pub(crate) fn cached(
        pattern: &str,
        flags: Flags,
        is_over: impl FnOnce() -> bool,
    ) -> Result<Self, ToolError> {
        let limits = Limits::default();
        let parsed = super::cache::parsed(pattern, flags, limits.pattern_bytes, is_over)?;
        Ok(Self::of(parsed, limits))
    }

    fn of(parsed: Arc<Parsed>, limits: Limits) -> Self {
        Self { parsed, limits, regex: OnceLock::new() }
    }

    /// The pattern compiled by fancy-regex, which takes from a twentieth of a millisecond to one: a
    /// Unicode class such as `\w` has hundreds of ranges.
    fn regex(&self) -> Result<&Regex, ToolError> {
        if let Some(regex) = self.regex.get() {
            return Ok(regex);
        }
        let (pattern, flags) = (self.parsed.source.as_str(), self.parsed.flags);
        // `\G` must know when a search continues one character after an empty match.
        let has_continuation = pattern.contains("\\G");
        let regex = RegexBuilder::new(pattern)
            .case_insensitive(flags.has('i'))
            .multi_line(flags.has('m'))
            .dot_matches_new_line(flags.has('s'))
            .verbose_mode(flags.has('x'))
            .allow_input_assertion_overrides(has_continuation)
            .backtrack_limit(self.parsed.cost.backtracks_max())
            .max_prog_size(usize::try_from(PROGRAM_MAX).unwrap_or(usize::MAX))
            .delegate_size_limit(DELEGATE_BYTES_MAX)
            // Seeking would read further than the cost model accounts for.
            .seek(false)
            .build()
            .map_err(|error| refusal(pattern, &error))?;
        Ok(self.regex.get_or_init(|| regex))
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
        self.parsed.names.iter().skip(1).map(Option::as_deref)
    }

    /// Whether a group is referred to, and case ignored somewhere.
    #[cfg(feature = "tools")]
    pub(crate) fn refers_without_case(&self) -> bool {
        let mut inline = self.parsed.source.split("(?").skip(1);
        let ignores_case = |flags: &str| {
            let letters = flags.split(|c: char| !c.is_ascii_lowercase()).next();
            letters.is_some_and(|letters| letters.contains('i'))
        };
        self.parsed.has_reference && (self.parsed.flags.has('i') || inline.any(ignores_case))
    }

    #[cfg(feature = "tools")]
    pub(crate) fn flags(&self) -> Flags {
        self.parsed.flags
    }

    /// Searches text for the first match, or with `g` for all, and replaces them if `replacement`
    /// is given.
    ///
    /// `is_over` is called regularly, and ends the search by returning true. Without it the search
    /// ends after a fixed amount of work, in seconds at most. Stopping the engine unwinds its
    /// stack. Where panics abort, a pattern that would need it is refused if the text is too long
    /// to be searched in time.
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
        let meter = &Meter::new(is_over);
        let names = &self.parsed.names;
        let groups = Groups { count: names.len(), named: &self.parsed.named };
        let mut shown = Shown::new(text, self.limits, names);
        let mut replaced = replacement.map(|replacement| {
            let replacement = Replacement::read(replacement, groups, warnings);
            (replacement, Replaced::new(text, self.limits.result_bytes))
        });
        let is_global = self.parsed.flags.has('g');
        let (mut is_found, mut has_more) = (false, false);
        let searched = self.each(text, meter, |spans| {
            has_more = is_found && !is_global;
            if has_more {
                return Ok(false);
            }
            meter.spend(GROUP_COST * spans.len() as u64)?;
            shown.add(spans);
            if let Some((replacement, replaced)) = &mut replaced {
                replacement.write(replaced, spans, meter)?;
            }
            is_found = true;
            Ok(!shown.truncated || replaced.is_some())
        });
        match searched {
            // The search for another match, which is not asked for, may fail.
            Err(error) if error.kind() == ErrorKind::TimedOut && is_found && !is_global => {}
            searched => searched?,
        }
        if has_more {
            warnings.push("The flag `g` is off: only the first match is shown.");
        }
        Ok(Found {
            matches: shown.matches,
            truncated: shown.truncated,
            replaced: replaced.map(|(_, replaced)| replaced.finish()).transpose()?,
        })
    }

    /// Begins a search of a text, with a deadline if one is set.
    ///
    /// ```
    /// use std::time::{Duration, Instant};
    ///
    /// use toolkit_core::regex::{Flags, Pattern};
    ///
    /// let pattern = Pattern::new(r"(a|b)*c", Flags::default())?;
    /// let begun = Instant::now();
    /// let is_over = move || begun.elapsed() > Duration::from_millis(50);
    /// assert!(pattern.on("abac").until(&is_over).is_match()?);
    /// let stopped = pattern.on(&"ab".repeat(100_000)).until(&|| true).is_match();
    /// assert_eq!(stopped.unwrap_err().kind(), toolkit_core::ErrorKind::TimedOut);
    /// # Ok::<(), toolkit_core::ToolError>(())
    /// ```
    pub fn on<'p, 't>(&'p self, text: &'t str) -> Search<'p, 't> {
        Search::new(self, text)
    }

    /// Whether there is a match.
    ///
    /// ```
    /// use toolkit_core::regex::{Flags, Pattern};
    ///
    /// let pattern = Pattern::new(r"^\d+$", Flags::default())?;
    /// assert!(pattern.is_match("42")? && !pattern.is_match("line 42")?);
    /// # Ok::<(), toolkit_core::ToolError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`search`](Self::search).
    pub fn is_match(&self, text: &str) -> Result<bool, ToolError> {
        self.on(text).is_match()
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
        self.on(text).find()
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
    /// As [`search`](Self::search).
    pub fn replace_all(
        &self,
        text: &str,
        replacement: impl FnMut(&Match<'_>) -> String,
    ) -> Result<String, ToolError> {
        self.on(text).replace_all(replacement)
    }

    /// Calls a function with the spans of each match, until it returns false.
    pub(super) fn each(
        &self,
        text: &str,
        meter: &Meter<'_>,
        mut on_match: impl FnMut(&Spans) -> Result<bool, ToolError>,
    ) -> Result<(), ToolError> {
        if text.len() > self.limits.text_bytes {
            return Err(too_long(text, self.limits.text_bytes).in_field("text"));
        }
        let mut engine = self.engine(text, meter)?;
        let mut from = 0;
        let mut continues = true;
        while from <= text.len() {
            meter.spend(self.parsed.cost.blind_find())?;
            let Some(mut spans) = engine.find(from, continues)? else {
                break;
            };
            // Groups that can never participate may be missing.
            spans.resize(self.parsed.names.len(), None);
            let (start, end) = whole(&spans);
            if start < from && end <= from {
                // `\K` in a lookbehind moved its start back: this is the previous match again.
                from = after(text, from);
                continues = false;
                continue;
            }
            if !on_match(&spans)? {
                break;
            }
            continues = start != end || end != from;
            from = if start < end { end } else { after(text, end.max(from)) };
        }
        Ok(())
    }

    fn engine<'a>(&'a self, text: &'a str, meter: &'a Meter<'a>) -> Result<Engine<'a>, ToolError> {
        let cost = &self.parsed.cost;
        let stretches = cost.stretches(text);
        cost.check(&stretches)?;
        if let Some(linear) = &self.parsed.linear {
            let is_short = cost.scan(&stretches) <= TINY_SCAN_MAX;
            let building = cost.building(is_short);
            return Ok(Engine::Automaton {
                automaton: Box::new(linear.automaton(text, is_short, meter, building)?),
                text,
                meter,
                has_group_0: linear.has_group_0,
            });
        }
        // It can go on for longer than a millisecond without reading the text.
        meter.ask()?;
        if self.regex.get().is_none() {
            meter.spend(cost.building(false))?;
        }
        Ok(Engine::Regex {
            regex: self.regex()?,
            text: MeteredText::new(text, meter, cost.between_looks(&stretches)),
        })
    }
}

/// The position after the character at a position, or after the end.
fn after(text: &str, place: usize) -> usize {
    let character = text.get(place..).and_then(|rest| rest.chars().next());
    place + character.map_or(1, char::len_utf8)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

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
            prop_assume!(pattern.parsed.linear.is_some());
            let meter = Meter::new(None);
            let mut theirs = Engine::Regex {
                regex: pattern.regex().unwrap(),
                text: MeteredText::new(&text, &meter, 1),
            };
            let groups = pattern.parsed.names.len();
            let expected = all(&mut theirs, &text, groups);
            let linear = pattern.parsed.linear.as_ref().unwrap();
            for is_short in [true, false] {
                let automaton = linear.automaton(&text, is_short, &meter, 0).unwrap();
                let mut ours = Engine::Automaton {
                    automaton: Box::new(automaton),
                    text: &text,
                    meter: &meter,
                    has_group_0: linear.has_group_0,
                };
                prop_assert_eq!(&all(&mut ours, &text, groups), &expected);
            }
            let names: Vec<_> = pattern.regex().unwrap().capture_names().collect();
            let parsed = pattern.parsed.names.iter().map(Option::as_deref);
            prop_assert_eq!(parsed.collect::<Vec<_>>(), names);
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
        (tree, prop::bool::ANY).prop_map(
            |(tree, looks_ahead)| {
                if looks_ahead { format!("{tree}(?=b)") } else { tree }
            },
        )
    }
}
