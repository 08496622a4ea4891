//! Patterns, and what they match.

use std::sync::OnceLock;

use fancy_regex::{Regex, RegexBuilder};
use regex_syntax::hir::Hir;

use super::Flags;
use super::alphabet::narrowed;
use super::automaton::Automaton;
use super::engine::{Engine, Spans};
use super::meter::{Meter, MeteredText};
use super::offsets::{Place, Places};
use super::problem::refusal;
use super::replacement::{Failure, Replaced, Replacement};
use super::syntax::Tree;
use super::weight::{PROGRAM_MAX, Weight};
use crate::error::ToolError;
use crate::limits::{MATCHED_GROUPS_MAX, MATCHES_MAX, PATTERN_BYTES_MAX, REGEX_TEXT_BYTES_MAX};
use crate::warnings::Warnings;

/// Bytes of one automaton; the weight of a pattern bounds all of them together.
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
    source: String,
    flags: Flags,
    tree: Tree,
    weight: Weight,
    names: Vec<Option<String>>,
    /// The whole pattern as an automaton reads it, where it can.
    linear: Option<Hir>,
    /// What fancy-regex makes of it: at once, or for a linear pattern when a search needs it.
    regex: OnceLock<Regex>,
}

/// What a search gave.
#[derive(Debug)]
pub struct Found<'t> {
    /// The matches from left to right, as many as are shown.
    pub matches: Vec<Match<'t>>,
    /// Whether there are more.
    pub truncated: bool,
    /// The text with every match replaced, shown or not.
    pub replaced: Option<String>,
}

/// A match.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Match<'t> {
    /// What matched.
    pub text: &'t str,
    /// Where it starts.
    pub start: Place,
    /// Where it ends.
    pub end: Place,
    /// The groups from 1 on; none where a group took no part.
    pub groups: Vec<Option<Group<'t>>>,
}

/// A group that took part in a match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Group<'t> {
    /// What the group matched.
    pub text: &'t str,
    /// Where it starts.
    pub start: Place,
    /// Where it ends.
    pub end: Place,
}

impl Pattern {
    /// Compiles a pattern.
    ///
    /// # Errors
    ///
    /// Says what is wrong with the pattern and where, or that it is too large.
    pub fn new(pattern: &str, flags: Flags) -> Result<Self, ToolError> {
        if pattern.len() > PATTERN_BYTES_MAX {
            return Err(too_long(pattern, PATTERN_BYTES_MAX));
        }
        let tree = Tree::parse(pattern, flags).map_err(|error| refusal(pattern, &error))?;
        let weight = Weight::of(pattern, &tree)?;
        let names = tree.names(weight.groups);
        let linear = weight.is_linear.then(|| tree.linear());
        let linear = linear.and_then(|linear| regex_syntax::parse(&linear).ok());
        let pattern = Self {
            source: pattern.to_owned(),
            flags,
            tree,
            weight,
            names,
            linear,
            regex: OnceLock::new(),
        };
        if pattern.linear.is_none() {
            // What is wrong with it is told now.
            pattern.regex()?;
        }
        Ok(pattern)
    }

    /// The pattern as fancy-regex runs it. To build it takes from a twentieth of a millisecond to one:
    /// a Unicode class such as `\w` has hundreds of ranges.
    fn regex(&self) -> Result<&Regex, ToolError> {
        if let Some(regex) = self.regex.get() {
            return Ok(regex);
        }
        let pattern = self.source.as_str();
        // `\G` has to be told when a search goes on one character behind an empty match.
        let has_continuation = pattern.contains("\\G");
        let regex = RegexBuilder::new(pattern)
            .case_insensitive(self.flags.has('i'))
            .multi_line(self.flags.has('m'))
            .dot_matches_new_line(self.flags.has('s'))
            .verbose_mode(self.flags.has('x'))
            .allow_input_assertion_overrides(has_continuation)
            .backtrack_limit(self.weight.backtracks_max())
            .max_prog_size(usize::try_from(PROGRAM_MAX).unwrap_or(usize::MAX))
            .delegate_size_limit(DELEGATE_BYTES_MAX)
            .build()
            .map_err(|error| refusal(pattern, &error))?;
        Ok(self.regex.get_or_init(|| regex))
    }

    /// The names of the groups from 1 on.
    pub fn group_names(&self) -> impl Iterator<Item = Option<&str>> {
        self.names.iter().skip(1).map(Option::as_deref)
    }

    /// Searches a text for the first match, or with `g` for all, and replaces them where asked to.
    ///
    /// `is_over` is asked now and then, and ends the search by saying yes. Without it the search ends
    /// after some work, in seconds at most. Stopping the engine unwinds its stack: a program whose
    /// panics abort stops between two finds only.
    ///
    /// # Errors
    ///
    /// Says that the text is too long, the pattern too heavy for it, the search too slow, or the
    /// replaced text too large.
    pub fn search<'t>(
        &self,
        text: &'t str,
        replacement: Option<&str>,
        is_over: Option<&dyn Fn() -> bool>,
        warnings: &mut Warnings,
    ) -> Result<Found<'t>, ToolError> {
        if text.len() > REGEX_TEXT_BYTES_MAX {
            return Err(too_long(text, REGEX_TEXT_BYTES_MAX).field("text"));
        }
        self.weight.check(text.len() as u64)?;
        let replacement = replacement.map(|text| Replacement::read(text, &self.names, warnings));
        let meter = Meter::new(is_over);
        let found = self.run(text, replacement.as_ref(), &meter);
        found.map_err(|failure| match failure {
            Failure::Refused(error) => error,
            Failure::TooLarge => Failure::too_large(),
            Failure::Stopped => ToolError::new("takes too long on this text and was stopped")
                .hint("simplify the pattern, or shorten the text"),
        })
    }

    fn engine<'a>(&'a self, text: &'a str, meter: &'a Meter<'a>) -> Result<Engine<'a>, ToolError> {
        let bytes = text.len() as u64;
        let automaton = match &self.linear {
            Some(linear) if self.weight.is_tiny(bytes) => Automaton::new(&narrowed(linear, text))?,
            Some(linear) if !self.weight.is_light(bytes) => Automaton::new(linear)?,
            _ => {
                let look = self.weight.between_looks(bytes);
                return Ok(Engine::Regex {
                    regex: self.regex()?,
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

    fn run<'t>(
        &self,
        text: &'t str,
        replacement: Option<&Replacement<'_>>,
        meter: &Meter<'_>,
    ) -> Result<Found<'t>, Failure> {
        let mut engine = self.engine(text, meter)?;
        let mut shown = Shown::new(text);
        let mut replaced = replacement.map(|replacement| (replacement, Replaced::new(text)));
        let mut from = 0;
        let mut continues = true;
        while from <= text.len() {
            meter.spend(self.weight.blind_find())?;
            let Some(mut spans) = engine.find(from, continues)? else {
                break;
            };
            // A group that can take no part at all may be missing.
            spans.resize(self.names.len(), None);
            let (start, end) = spans.first().copied().flatten().unwrap_or((from, from));
            shown.add(&spans);
            if let Some((replacement, replaced)) = &mut replaced {
                replacement.write(replaced, &spans, meter)?;
            }
            let is_enough = shown.truncated && replaced.is_none();
            if is_enough || !self.flags.has('g') {
                break;
            }
            continues = start != end || end != from;
            from = if start < end && from < end {
                end
            } else {
                behind(text, end.max(from))
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

/// The matches that are shown.
struct Shown<'t> {
    text: &'t str,
    places: Option<Places<'t>>,
    matches: Vec<Match<'t>>,
    groups: usize,
    truncated: bool,
}

impl<'t> Shown<'t> {
    fn new(text: &'t str) -> Self {
        Self {
            text,
            places: None,
            matches: Vec::new(),
            groups: 0,
            truncated: false,
        }
    }

    fn add(&mut self, spans: &Spans) {
        self.groups += spans.len();
        let is_full = self.matches.len() == MATCHES_MAX || self.groups > MATCHED_GROUPS_MAX;
        if self.truncated || is_full {
            self.truncated = true;
            return;
        }
        let text = self.text;
        let places = self.places.get_or_insert_with(|| Places::new(text));
        let mut groups = spans.iter().map(|span| {
            span.map(|(start, end)| Group {
                text: text.get(start..end).unwrap_or_default(),
                start: places.at(start),
                end: places.at(end),
            })
        });
        if let Some(Group { text, start, end }) = groups.next().flatten() {
            let groups = groups.collect();
            self.matches.push(Match {
                text,
                start,
                end,
                groups,
            });
        }
    }
}

/// The place behind the character at a place, or behind the end.
fn behind(text: &str, place: usize) -> usize {
    let character = text.get(place..).and_then(|rest| rest.chars().next());
    place + character.map_or(1, char::len_utf8)
}

fn too_long(text: &str, bytes_max: usize) -> ToolError {
    ToolError::new(format!(
        "has {} bytes; at most {bytes_max} are accepted",
        text.len()
    ))
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
            from = if start < end { end } else { behind(text, end) };
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
            text in "[abAB1 é\n]{0,24}",
        ) {
            let flags = Flags::parse(&flags).unwrap();
            let pattern = Pattern::new(&regex, flags).unwrap();
            prop_assume!(pattern.weight.is_linear);
            let meter = Meter::new(None);
            let mut theirs = Engine::Regex {
                regex: pattern.regex().unwrap(),
                text: MeteredText::new(&text, &meter, 1),
            };
            let groups = pattern.names.len();
            let expected = all(&mut theirs, &text, groups);
            let linear = pattern.linear.clone().unwrap();
            for linear in [narrowed(&linear, &text), linear] {
                let mut ours = Engine::Automaton {
                    automaton: Box::new(Automaton::new(&linear).unwrap()),
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

    fn linear_pattern() -> impl Strategy<Value = String> {
        let leaf = prop_oneof![
            "[ab1é.]",
            r"\\[wdsbB]",
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
