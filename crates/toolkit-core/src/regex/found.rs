//! Matches and groups.

use std::sync::Arc;

use super::engine::{Spans, whole};
use super::limits::Limits;
use super::offsets::{Offset, Offsets};

/// Result of a search.
#[derive(Debug)]
#[non_exhaustive]
pub struct Found<'t> {
    /// Matches from left to right, up to the limit.
    pub matches: Vec<Match<'t>>,
    /// Whether there are more.
    pub truncated: bool,
    /// The text with every match replaced, including those not shown.
    pub replaced: Option<String>,
}

/// A match.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Match<'t> {
    /// Matched text.
    pub text: &'t str,
    /// Start.
    pub start: Offset,
    /// End.
    pub end: Offset,
    /// Groups from 1 on. `None` if a group did not participate.
    pub groups: Vec<Option<Group<'t>>>,
    /// Names of the whole match, which has none, and of the groups.
    names: Arc<[Option<String>]>,
}

impl<'t> Match<'t> {
    /// The group with a name. If several have it, the first that participated.
    ///
    /// ```
    /// use toolkit_core::regex::{Flags, Pattern};
    ///
    /// let pattern = Pattern::new(r"(?<year>\d{4})-(?<month>\d\d)", Flags::default())?;
    /// let found = pattern.find("on 2023-11-14")?.expect("there is a date");
    /// assert_eq!(found.name("month").map(|group| group.text), Some("11"));
    /// assert_eq!(found.name("day"), None);
    /// # Ok::<(), toolkit_core::ToolError>(())
    /// ```
    pub fn name(&self, name: &str) -> Option<Group<'t>> {
        self.named().filter(|(known, _)| *known == name).find_map(|(_, group)| group)
    }

    /// The named groups, in the order of the pattern.
    ///
    /// ```
    /// use toolkit_core::regex::{Flags, Pattern};
    ///
    /// let pattern = Pattern::new(r"(?<key>\w+)=(?<value>\w+)", Flags::default())?;
    /// let found = pattern.find("a=1")?.expect("there is a pair");
    /// let named = found.named().map(|(name, group)| (name, group.map(|group| group.text)));
    /// assert_eq!(named.collect::<Vec<_>>(), [("key", Some("a")), ("value", Some("1"))]);
    /// # Ok::<(), toolkit_core::ToolError>(())
    /// ```
    pub fn named(&self) -> impl Iterator<Item = (&str, Option<Group<'t>>)> {
        let names = self.names.iter().skip(1);
        let pairs = names.zip(&self.groups);
        pairs.filter_map(|(name, group)| Some((name.as_deref()?, *group)))
    }
}

/// A group that participated in a match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Group<'t> {
    /// Text matched by the group.
    pub text: &'t str,
    /// Start.
    pub start: Offset,
    /// End.
    pub end: Offset,
}

/// The matches shown.
pub(super) struct Shown<'t> {
    found: Matches<'t>,
    limits: Limits,
    pub(super) matches: Vec<Match<'t>>,
    groups: usize,
    pub(super) truncated: bool,
}

impl<'t> Shown<'t> {
    pub(super) fn new(text: &'t str, limits: Limits, names: &Arc<[Option<String>]>) -> Self {
        Self {
            found: Matches::new(text, names),
            limits,
            matches: Vec::new(),
            groups: 0,
            truncated: false,
        }
    }

    pub(super) fn add(&mut self, spans: &Spans) {
        self.groups += spans.len();
        self.truncated |=
            self.matches.len() == self.limits.matches || self.groups > self.limits.groups;
        if !self.truncated {
            self.matches.push(self.found.get(spans));
        }
    }
}

/// Matches of one text, from their spans.
pub(super) struct Matches<'t> {
    text: &'t str,
    names: Arc<[Option<String>]>,
    offsets: Option<Offsets<'t>>,
}

impl<'t> Matches<'t> {
    pub(super) fn new(text: &'t str, names: &Arc<[Option<String>]>) -> Self {
        Self { text, names: Arc::clone(names), offsets: None }
    }

    pub(super) fn get(&mut self, spans: &Spans) -> Match<'t> {
        let text = self.text;
        let offsets = self.offsets.get_or_insert_with(|| Offsets::new(text));
        let group = |(start, end)| Group {
            text: part(text, start, end),
            start: offsets.at(start),
            end: offsets.at(end),
        };
        let Group { text, start, end } = group(whole(spans));
        let groups = spans.iter().skip(1);
        Match {
            text,
            start,
            end,
            groups: groups.map(|span| span.map(group)).collect(),
            names: Arc::clone(&self.names),
        }
    }
}

/// The text of a span.
pub(super) fn part(text: &str, start: usize, end: usize) -> &str {
    // `\K` in a look-ahead can move the start past the end.
    text.get(start..end).unwrap_or_default()
}
