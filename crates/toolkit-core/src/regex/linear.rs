//! Linear patterns for the cancellable automaton.
//!
//! `\w` has over seven hundred ranges, and an automaton for them takes a hundred times as long to
//! build as to run over a short text. A class only ever meets the characters of the text, so it is
//! narrowed to these first.

use std::sync::OnceLock;

use regex_automata::nfa::thompson::NFA;
use regex_syntax::hir::{Capture, Class, ClassUnicode, ClassUnicodeRange, Hir, HirKind};

use super::automaton::{Automaton, built};
use crate::error::ToolError;

/// A linear pattern, parsed once.
#[derive(Debug)]
pub(super) struct Linear {
    pattern: Hir,
    /// The automaton for texts in ASCII, which most are.
    ascii: OnceLock<NFA>,
    /// Whether the first group is the match itself.
    pub(super) has_group_0: bool,
}

impl Linear {
    /// Parses a pattern; `None` if the automaton does not support all of it.
    pub(super) fn read(source: &str, has_group_0: bool) -> Option<Self> {
        let pattern = regex_syntax::parse(source).ok()?;
        Some(Self {
            pattern,
            ascii: OnceLock::new(),
            has_group_0,
        })
    }

    /// Builds the automaton for a text; the characters of a long one are not listed, unless they are
    /// ASCII.
    ///
    /// # Errors
    ///
    /// Says that the pattern is too large.
    pub(super) fn automaton(&self, text: &str, is_short: bool) -> Result<Automaton, ToolError> {
        let nfa = if text.is_ascii() {
            if let Some(nfa) = self.ascii.get() {
                nfa.clone()
            } else {
                let nfa = built(&narrowed(&self.pattern, '\0'..='\x7F'))?;
                self.ascii.get_or_init(|| nfa).clone()
            }
        } else if is_short {
            built(&narrowed(&self.pattern, text.chars()))?
        } else {
            built(&self.pattern)?
        };
        Ok(Automaton::new(nfa))
    }
}

/// Narrows every class of a pattern to an alphabet; it matches the same on a text of that alphabet.
fn narrowed(pattern: &Hir, alphabet: impl Iterator<Item = char>) -> Hir {
    let ranges = alphabet.map(|character| ClassUnicodeRange::new(character, character));
    narrow(pattern, &ClassUnicode::new(ranges))
}

// Recursion is as deep as the parser lets a pattern nest.
fn narrow(pattern: &Hir, alphabet: &ClassUnicode) -> Hir {
    let all = |parts: &[Hir]| parts.iter().map(|part| narrow(part, alphabet)).collect();
    match pattern.kind() {
        HirKind::Class(Class::Unicode(class)) => {
            let mut class = class.clone();
            class.intersect(alphabet);
            Hir::class(Class::Unicode(class))
        }
        HirKind::Repetition(repetition) => {
            Hir::repetition(repetition.with(narrow(&repetition.sub, alphabet)))
        }
        HirKind::Capture(capture) => Hir::capture(Capture {
            index: capture.index,
            name: capture.name.clone(),
            sub: Box::new(narrow(&capture.sub, alphabet)),
        }),
        HirKind::Concat(parts) => Hir::concat(all(parts)),
        HirKind::Alternation(parts) => Hir::alternation(all(parts)),
        HirKind::Empty
        | HirKind::Literal(_)
        | HirKind::Class(Class::Bytes(_))
        | HirKind::Look(_) => pattern.clone(),
    }
}
