//! Matches and groups.

use std::sync::Arc;

use super::engine::Spans;
use super::limits::Limits;
use super::offsets::{Place, Places};

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
    /// The names of the whole match, which has none, and of the groups.
    names: Arc<[Option<String>]>,
}

impl<'t> Match<'t> {
    /// The group of a name; of several with one name, the first that took part.
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
        self.named()
            .filter(|(known, _)| *known == name)
            .find_map(|(_, group)| group)
    }

    /// The groups that have names, in the order of the pattern.
    pub fn named(&self) -> impl Iterator<Item = (&str, Option<Group<'t>>)> {
        let names = self.names.iter().skip(1);
        let pairs = names.zip(&self.groups);
        pairs.filter_map(|(name, group)| Some((name.as_deref()?, *group)))
    }
}

impl<'t> Found<'t> {
    /// The matches from left to right.
    pub fn iter(&self) -> std::slice::Iter<'_, Match<'t>> {
        self.matches.iter()
    }
}

impl<'t> IntoIterator for Found<'t> {
    type Item = Match<'t>;
    type IntoIter = std::vec::IntoIter<Match<'t>>;

    fn into_iter(self) -> Self::IntoIter {
        self.matches.into_iter()
    }
}

impl<'a, 't> IntoIterator for &'a Found<'t> {
    type Item = &'a Match<'t>;
    type IntoIter = std::slice::Iter<'a, Match<'t>>;

    fn into_iter(self) -> Self::IntoIter {
        self.matches.iter()
    }
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

/// The matches that are shown.
pub(super) struct Shown<'t> {
    text: &'t str,
    limits: Limits,
    names: Arc<[Option<String>]>,
    places: Option<Places<'t>>,
    pub(super) matches: Vec<Match<'t>>,
    groups: usize,
    pub(super) truncated: bool,
}

impl<'t> Shown<'t> {
    pub(super) fn new(text: &'t str, limits: Limits, names: &Arc<[Option<String>]>) -> Self {
        Self {
            text,
            limits,
            names: Arc::clone(names),
            places: None,
            matches: Vec::new(),
            groups: 0,
            truncated: false,
        }
    }

    pub(super) fn add(&mut self, spans: &Spans) {
        self.groups += spans.len();
        let is_full = self.matches.len() == self.limits.matches || self.groups > self.limits.groups;
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
                names: Arc::clone(&self.names),
            });
        }
    }
}
