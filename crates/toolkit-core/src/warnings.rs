//! Warnings: what was tolerated, assumed or changed.

use std::borrow::Cow;

/// Maximum number of warnings: more are of no use to a reader.
const WARNINGS_MAX: usize = 20;

/// Kind of a warning, for programs that decide what to do about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum WarningKind {
    /// Something that the input leaves open was assumed: an offset, padding, a version.
    Assumed,
    /// Part of the input has no counterpart in the result.
    Dropped,
    /// Part of the input has another meaning or form in the result.
    Changed,
    /// The input was accepted unchanged, but its author should check it.
    Note,
}

/// A warning.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Warning<'a> {
    /// Its class.
    pub kind: WarningKind,
    /// A plain sentence, with its full stop.
    pub text: &'a str,
}

/// Plain sentences for the caller, in order of occurrence, without repetition.
///
/// ```
/// use toolkit_core::{WarningKind, Warnings};
///
/// let mut warnings = Warnings::new();
/// warnings.add(WarningKind::Assumed, "No offset from UTC is given; UTC is assumed.");
/// let kinds: Vec<_> = warnings.iter().map(|warning| warning.kind).collect();
/// assert_eq!(kinds, [WarningKind::Assumed]);
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Warnings {
    sentences: Vec<Cow<'static, str>>,
    /// Kinds, one for each sentence.
    kinds: Vec<WarningKind>,
    left_out: usize,
}

impl Warnings {
    /// Creates an empty list.
    pub const fn new() -> Self {
        Self { sentences: Vec::new(), kinds: Vec::new(), left_out: 0 }
    }

    /// Adds a sentence of the kind [`WarningKind::Note`], as [`add`](Self::add) does.
    ///
    /// ```
    /// use toolkit_core::{WarningKind, Warnings};
    ///
    /// let mut warnings = Warnings::new();
    /// warnings.push("The year is assumed.");
    /// let kinds = warnings.iter().map(|warning| warning.kind);
    /// assert_eq!(kinds.collect::<Vec<_>>(), [WarningKind::Note]);
    /// ```
    pub fn push(&mut self, sentence: impl Into<Cow<'static, str>>) {
        self.add(WarningKind::Note, sentence);
    }

    /// Adds a sentence, with its full stop, unless it is already there.
    ///
    /// Only the first twenty are kept. The last one then gives the number of the others.
    pub fn add(&mut self, kind: WarningKind, sentence: impl Into<Cow<'static, str>>) {
        let sentence = sentence.into();
        if self.sentences.contains(&sentence) {
            return;
        }
        if self.sentences.len() < WARNINGS_MAX {
            self.sentences.push(sentence);
            self.kinds.push(kind);
            return;
        }
        self.left_out += 1;
        let rest = format!("And {} more warnings like these.", self.left_out);
        self.sentences.truncate(WARNINGS_MAX);
        self.kinds.truncate(WARNINGS_MAX);
        self.sentences.push(rest.into());
        self.kinds.push(WarningKind::Note);
    }

    /// The sentences.
    ///
    /// ```
    /// use toolkit_core::{Warnings, json};
    ///
    /// let mut warnings = Warnings::new();
    /// json::check("\u{feff}[]", &mut warnings)?;
    /// assert_eq!(warnings.sentences(), ["The byte order mark at the start was dropped."]);
    /// # Ok::<(), toolkit_core::ToolError>(())
    /// ```
    pub fn sentences(&self) -> &[Cow<'static, str>] {
        &self.sentences
    }

    /// The warnings, each with its kind.
    pub fn iter(&self) -> impl Iterator<Item = Warning<'_>> {
        let pairs = self.kinds.iter().zip(&self.sentences);
        pairs.map(|(kind, text)| Warning { kind: *kind, text })
    }

    /// Whether there are no warnings.
    pub fn is_empty(&self) -> bool {
        self.sentences.is_empty()
    }
}
