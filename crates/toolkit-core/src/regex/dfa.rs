//! Lazy automaton: finds the matches of a linear pattern in long texts.
//!
//! A deterministic automaton whose states are built as the text leads to them (`regex-automata`'s
//! hybrid one): one state a byte, so a search takes a few nanoseconds for each. It reads the text in
//! windows, with the clock between them, and a match backwards for its start. Groups are left to the
//! simulation (`automaton`), which then runs over the match alone.

use std::sync::{Arc, Mutex, PoisonError};

use regex_automata::hybrid::dfa::{Cache, Config, DFA};
use regex_automata::nfa::thompson::{self, NFA, WhichCaptures};
use regex_automata::{Anchored, Input, MatchKind};
use regex_syntax::hir::Hir;

use super::meter::{Meter, Stopped};

/// Memory for the states of one direction, in bytes: when it is full, all are built anew.
pub(super) const STATES_BYTES_MAX: usize = 256 << 10;
/// Number of states of the pattern times bytes of a window: building one state of the automaton can
/// take all of the pattern's.
const WINDOW_MAX: usize = 1 << 20;
/// Searches of one pattern at a time whose states are kept for the next one.
const KEPT_MAX: usize = 2;

/// The automata of a pattern, with the states built so far.
#[derive(Debug)]
pub(super) struct Dfas {
    forward: DFA,
    reverse: DFA,
    window: usize,
    kept: Mutex<Vec<Caches>>,
}

/// States of both directions.
#[derive(Debug)]
struct Caches {
    forward: Cache,
    reverse: Cache,
}

/// A search with the automata of a pattern.
#[derive(Debug)]
pub(super) struct Search {
    dfas: Arc<Dfas>,
    /// There until the search is dropped.
    caches: Option<Caches>,
}

/// What the automata say of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Answer {
    /// There is no match.
    None,
    /// The first match.
    Found(usize, usize),
    /// They cannot tell: a word boundary stands beside a character beyond ASCII.
    Unknown,
}

impl Dfas {
    /// Builds the automata; `None` if the pattern is too large for them.
    pub(super) fn new(pattern: &Hir, bytes_max: usize) -> Option<Self> {
        let nfa = |is_reverse| -> Option<NFA> {
            let config = thompson::Config::new()
                .reverse(is_reverse)
                .which_captures(WhichCaptures::None)
                .nfa_size_limit(Some(bytes_max));
            let compiler = &mut NFA::compiler();
            compiler.configure(config).build_from_hir(pattern).ok()
        };
        let config = || {
            Config::new()
                .cache_capacity(STATES_BYTES_MAX)
                .skip_cache_capacity_check(true)
                .unicode_word_boundary(true)
        };
        let forward = nfa(false)?;
        let states = forward.states().len();
        let reverse = config().match_kind(MatchKind::All);
        let build = |config, nfa| DFA::builder().configure(config).build_from_nfa(nfa).ok();
        Some(Self {
            forward: build(config(), forward)?,
            reverse: build(reverse, nfa(true)?)?,
            window: (WINDOW_MAX / (states + 1)).clamp(1, 4096),
            kept: Mutex::new(Vec::new()),
        })
    }

    fn caches(&self) -> Option<Caches> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner).pop()
    }
}

impl Search {
    pub(super) fn new(dfas: Arc<Dfas>) -> Self {
        let caches = dfas.caches().unwrap_or_else(|| Caches {
            forward: dfas.forward.create_cache(),
            reverse: dfas.reverse.create_cache(),
        });
        Self { dfas, caches: Some(caches) }
    }

    /// Finds the leftmost match from a position on.
    pub(super) fn find(
        &mut self,
        text: &str,
        mut from: usize,
        meter: &Meter<'_>,
    ) -> Result<Answer, Stopped> {
        let Some(caches) = &mut self.caches else {
            return Ok(Answer::Unknown);
        };
        loop {
            let end = match self.dfas.end(&mut caches.forward, text, from, meter)? {
                Ok(Some(end)) => end,
                Ok(None) => return Ok(Answer::None),
                Err(Quit) => return Ok(Answer::Unknown),
            };
            let start = self.dfas.start(&mut caches.reverse, text, from..end, meter)?;
            let Ok(Some(start)) = start else {
                return Ok(Answer::Unknown);
            };
            if start < end || text.is_char_boundary(start) {
                return Ok(Answer::Found(start, end));
            }
            // An empty match within a character is none.
            let mut places = start..text.len();
            from = places.find(|at| text.is_char_boundary(*at)).unwrap_or(text.len());
        }
    }
}

impl Drop for Search {
    fn drop(&mut self) {
        let mut kept = self.dfas.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() < KEPT_MAX {
            kept.extend(self.caches.take());
        }
    }
}

/// The automaton cannot go on.
struct Quit;

impl Dfas {
    /// The end of the leftmost match.
    fn end(
        &self,
        cache: &mut Cache,
        text: &str,
        from: usize,
        meter: &Meter<'_>,
    ) -> Result<Result<Option<usize>, Quit>, Stopped> {
        let dfa = &self.forward;
        let input = Input::new(text).span(from..text.len());
        let Ok(mut state) = dfa.start_state_forward(cache, &input) else {
            return Ok(Err(Quit));
        };
        let mut found = None;
        let mut at = from;
        let bytes = text.as_bytes().get(from..).unwrap_or_default();
        for window in bytes.chunks(self.window) {
            let memory = cache.memory_usage();
            for &byte in window {
                let Ok(next) = dfa.next_state(cache, state, byte) else {
                    return Ok(Err(Quit));
                };
                state = next;
                if state.is_tagged() {
                    if state.is_match() {
                        found = Some(at);
                    } else if state.is_dead() {
                        return Ok(Ok(found));
                    } else if state.is_quit() {
                        return Ok(Err(Quit));
                    }
                }
                at += 1;
            }
            meter.spend(self.cost(window.len(), memory != cache.memory_usage()))?;
        }
        let Ok(state) = dfa.next_eoi_state(cache, state) else {
            return Ok(Err(Quit));
        };
        Ok(Ok(if state.is_match() { Some(at) } else { found }))
    }

    /// The start of the match that ends at a position.
    fn start(
        &self,
        cache: &mut Cache,
        text: &str,
        span: std::ops::Range<usize>,
        meter: &Meter<'_>,
    ) -> Result<Result<Option<usize>, Quit>, Stopped> {
        let dfa = &self.reverse;
        let input = Input::new(text).span(span.clone()).anchored(Anchored::Yes);
        let Ok(mut state) = dfa.start_state_reverse(cache, &input) else {
            return Ok(Err(Quit));
        };
        let mut found = None;
        let mut at = span.end;
        let bytes = text.as_bytes().get(span.clone()).unwrap_or_default();
        for window in bytes.rchunks(self.window) {
            let memory = cache.memory_usage();
            for &byte in window.iter().rev() {
                let Ok(next) = dfa.next_state(cache, state, byte) else {
                    return Ok(Err(Quit));
                };
                state = next;
                if state.is_match() {
                    found = Some(at);
                } else if state.is_dead() {
                    return Ok(Ok(found));
                } else if state.is_quit() {
                    return Ok(Err(Quit));
                }
                at -= 1;
            }
            meter.spend(self.cost(window.len(), memory != cache.memory_usage()))?;
        }
        let before = span.start.checked_sub(1).and_then(|at| text.as_bytes().get(at));
        let last = match before {
            Some(byte) => dfa.next_state(cache, state, *byte),
            None => dfa.next_eoi_state(cache, state),
        };
        Ok(match last {
            Ok(state) if state.is_quit() => Err(Quit),
            Ok(state) if state.is_match() => Ok(Some(span.start)),
            Ok(_) => Ok(found),
            Err(_) => Err(Quit),
        })
    }

    /// Cost of a window in which states were built, or none.
    fn cost(&self, bytes: usize, has_built: bool) -> u64 {
        let each = if has_built { WINDOW_MAX / self.window / 16 } else { 1 };
        (bytes * each.max(1)) as u64
    }
}
