//! Lazy automaton: finds the matches of a linear pattern in long texts.
//!
//! A deterministic automaton whose states are built as the text leads to them (`regex-automata`'s
//! hybrid one): one state a byte, so a search takes a few nanoseconds for each. It reads the text in
//! windows, with the clock between them, and a match backwards for its start. Groups are left to the
//! simulation (`automaton`), which then runs over the match alone. It bounds the time of any linear
//! pattern, where fancy-regex has steps at which a search becomes hundreds of times slower.

use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use regex_automata::hybrid::LazyStateID;
use regex_automata::hybrid::dfa::{Cache, Config, DFA};
use regex_automata::nfa::thompson::{self, NFA, WhichCaptures};
use regex_automata::{Anchored, Input, MatchKind};
use regex_syntax::hir::Hir;

use super::meter::{Meter, Stopped};

/// Memory for one direction's states, in bytes. When it is full, all are discarded and rebuilt.
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

/// The reason the automata give no answer.
pub(super) enum Halt {
    /// They cannot tell: there is a word boundary next to a non-ASCII character.
    Unknown,
    Stopped(Stopped),
}

impl From<Stopped> for Halt {
    fn from(stopped: Stopped) -> Self {
        Self::Stopped(stopped)
    }
}

impl Dfas {
    /// Builds the automata. `None` if the pattern is too large for them.
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

    /// Finds the leftmost match from a position on, and returns its start and end.
    pub(super) fn find(
        &mut self,
        text: &str,
        mut from: usize,
        meter: &Meter<'_>,
    ) -> Result<Option<(usize, usize)>, Halt> {
        let caches = self.caches.as_mut().ok_or(Halt::Unknown)?;
        loop {
            let Some(end) = self.dfas.end(&mut caches.forward, text, from, meter)? else {
                return Ok(None);
            };
            let start = self.dfas.start(&mut caches.reverse, text, from..end, meter)?;
            let start = start.ok_or(Halt::Unknown)?;
            if start < end || text.is_char_boundary(start) {
                return Ok(Some((start, end)));
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

impl Dfas {
    /// The end of the leftmost match.
    fn end(
        &self,
        cache: &mut Cache,
        text: &str,
        from: usize,
        meter: &Meter<'_>,
    ) -> Result<Option<usize>, Halt> {
        let input = Input::new(text).span(from..text.len());
        let state = self.forward.start_state_forward(cache, &input).map_err(|_| Halt::Unknown)?;
        let bytes = text.as_bytes().get(from..).unwrap_or_default();
        let windows = bytes.chunks(self.window).map(<[u8]>::iter);
        let length = self.last_match(&self.forward, cache, state, windows, None, meter)?;
        Ok(length.map(|length| from + length))
    }

    /// The start of the match that ends at a position.
    fn start(
        &self,
        cache: &mut Cache,
        text: &str,
        span: Range<usize>,
        meter: &Meter<'_>,
    ) -> Result<Option<usize>, Halt> {
        let input = Input::new(text).span(span.clone()).anchored(Anchored::Yes);
        let state = self.reverse.start_state_reverse(cache, &input).map_err(|_| Halt::Unknown)?;
        let before = span.start.checked_sub(1).and_then(|at| text.as_bytes().get(at));
        let bytes = text.as_bytes().get(span.clone()).unwrap_or_default();
        let windows = bytes.rchunks(self.window).map(|window| window.iter().rev());
        let length = self.last_match(&self.reverse, cache, state, windows, before, meter)?;
        Ok(length.map(|length| span.end - length))
    }

    /// Number of bytes up to the last match, of those that an automaton reads before it dies.
    /// `next` is the byte after them.
    fn last_match<'b>(
        &self,
        dfa: &DFA,
        cache: &mut Cache,
        mut state: LazyStateID,
        windows: impl Iterator<Item = impl ExactSizeIterator<Item = &'b u8>>,
        next: Option<&u8>,
        meter: &Meter<'_>,
    ) -> Result<Option<usize>, Halt> {
        let (mut found, mut length) = (None, 0);
        for window in windows {
            let (bytes, memory) = (window.len(), cache.memory_usage());
            for byte in window {
                state = dfa.next_state(cache, state, *byte).map_err(|_| Halt::Unknown)?;
                if state.is_tagged() {
                    if state.is_match() {
                        found = Some(length);
                    } else if state.is_dead() {
                        return Ok(found);
                    } else if state.is_quit() {
                        return Err(Halt::Unknown);
                    }
                }
                length += 1;
            }
            meter.spend(self.cost(bytes, memory != cache.memory_usage()))?;
        }
        let last = match next {
            Some(byte) => dfa.next_state(cache, state, *byte),
            None => dfa.next_eoi_state(cache, state),
        };
        match last {
            Ok(state) if state.is_match() => Ok(Some(length)),
            Ok(state) if !state.is_quit() => Ok(found),
            _ => Err(Halt::Unknown),
        }
    }

    /// Cost of a window in which states were built, or none.
    fn cost(&self, bytes: usize, has_built: bool) -> u64 {
        let each = if has_built { WINDOW_MAX / self.window / 16 } else { 1 };
        (bytes * each.max(1)) as u64
    }
}
