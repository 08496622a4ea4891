//! Linear patterns: the automata that search texts for them, built once.
//!
//! `\w` has over seven hundred ranges, and an automaton for them takes a hundred times as long to
//! build as to run over a short text. A class only meets the characters of the text, so it is first
//! narrowed to these. A new `\w+` is then built in 1 µs instead of 117, a pattern for e-mail
//! addresses in 4 instead of 740, of about 40 µs for a run.

use std::borrow::Cow;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, OnceLock};

use regex_automata::nfa::thompson::NFA;
use regex_syntax::hir::{Capture, Class, ClassUnicode, ClassUnicodeRange, Hir, HirKind};

use super::automaton::{Automaton, BYTES_MAX, built};
use super::dfa::Dfas;
use super::meter::Meter;
use crate::error::ToolError;

/// Short texts after which the lazy automata search them too. Building these takes as long as many
/// such searches, but each search is then several times as fast.
const SHORT_TEXTS_MAX: u32 = 100;

/// A linear pattern, parsed once.
#[derive(Debug)]
pub(super) struct Linear {
    pattern: Hir,
    /// The states for texts in ASCII, which most are.
    ascii: OnceLock<NFA>,
    /// The states for long texts beyond ASCII.
    unicode: OnceLock<NFA>,
    /// The lazy automata for long texts, ASCII and other. `None` if they cannot be built.
    dfas: [OnceLock<Option<Arc<Dfas>>>; 2],
    /// Number of short texts searched by simulation.
    short_texts: AtomicU32,
    /// Whether the first group is the match itself.
    pub(super) has_group_0: bool,
}

impl Linear {
    /// Parses a pattern. `None` if the automaton does not support all of it.
    pub(super) fn read(source: &str, has_group_0: bool) -> Option<Self> {
        let pattern = regex_syntax::parse(source).ok()?;
        Some(Self {
            pattern,
            ascii: OnceLock::new(),
            unicode: OnceLock::new(),
            dfas: [const { OnceLock::new() }; 2],
            short_texts: AtomicU32::new(0),
            has_group_0,
        })
    }

    /// The automaton for a text. For a short text, the classes are narrowed to its characters. A
    /// long text is searched by the lazy automata first.
    ///
    /// # Errors
    ///
    /// Says that the pattern is too large.
    pub(super) fn automaton(
        &self,
        text: &str,
        is_short: bool,
        meter: &Meter<'_>,
        building: u64,
    ) -> Result<Automaton, ToolError> {
        let is_ascii = text.is_ascii();
        let is_short =
            is_short && self.short_texts.fetch_add(1, Ordering::Relaxed) < SHORT_TEXTS_MAX;
        if is_short && !is_ascii {
            meter.spend(building)?;
            let nfa = built(&narrowed(&self.pattern, text.chars()))?;
            return Ok(Automaton::new(nfa, None));
        }
        let kept = if is_ascii { &self.ascii } else { &self.unicode };
        let pattern = || {
            if is_ascii {
                Cow::Owned(narrowed(&self.pattern, '\0'..='\x7F'))
            } else {
                Cow::Borrowed(&self.pattern)
            }
        };
        let nfa = if let Some(nfa) = kept.get() {
            nfa
        } else {
            meter.spend(building)?;
            let nfa = built(&pattern())?;
            kept.get_or_init(|| nfa)
        };
        let [of_ascii, beyond] = &self.dfas;
        let dfas = if is_ascii { of_ascii } else { beyond };
        if is_short {
            return Ok(Automaton::new(nfa.clone(), None));
        }
        if dfas.get().is_none() {
            meter.spend(building)?;
        }
        let dfas = dfas.get_or_init(|| Dfas::new(&pattern(), BYTES_MAX).map(Arc::new));
        Ok(Automaton::new(nfa.clone(), dfas.clone()))
    }
}

/// Narrows every class of a pattern to an alphabet. It matches the same in texts of that alphabet.
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
