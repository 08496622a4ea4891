//! Matches and groups.

use std::sync::Arc;

use super::engine::Spans;
use super::limits::Limits;
use super::offsets::{Place, Places};

/// Result of a search.
#[derive(Debug)]
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
pub struct Match<'t> {
    /// Matched text.
    pub text: &'t str,
    /// Start.
    pub start: Place,
    /// End.
    pub end: Place,
    /// Groups from 1 on; `None` if a group did not participate.
    pub groups: Vec<Option<Group<'t>>>,
    /// Names of the whole match, which has none, and of the groups.
    names: Arc<[Option<String>]>,
}

impl<'t> Match<'t> {
    /// The group with a name; of several with the same name, the first that participated.
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

impl<'t> Found<'t> {
    /// The matches from left to right.
    ///
    /// ```
    /// use toolkit_core::Warnings;
    /// use toolkit_core::regex::{Flags, Pattern};
    ///
    /// let pattern = Pattern::new(r"\d+", Flags::parse("g")?)?;
    /// let found = pattern.search("3 of 21", None, None, &mut Warnings::new())?;
    /// assert_eq!(found.iter().map(|found| found.text).collect::<Vec<_>>(), ["3", "21"]);
    /// # Ok::<(), toolkit_core::ToolError>(())
    /// ```
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

/// A group that participated in a match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Group<'t> {
    /// Text matched by the group.
    pub text: &'t str,
    /// Start.
    pub start: Place,
    /// End.
    pub end: Place,
}

/// The matches shown.
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
