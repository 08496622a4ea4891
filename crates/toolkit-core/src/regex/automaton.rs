//! Cancellable automaton: searches short texts for linear patterns, and finds the groups of a match
//! that the lazy automaton has found in a long one.
//!
//! A simulation of Thompson's construction with captures (Pike). It keeps every position in the
//! pattern that the text so far can have led to, in order of preference, and advances all of them
//! one byte at a time. It is slower than the lazy automaton, which builds tables while it runs, but
//! needs no construction and counts its work.

use std::sync::Arc;

use regex_automata::nfa::thompson::{Config, NFA, State, WhichCaptures};
use regex_automata::util::primitives::StateID;
use regex_syntax::hir::Hir;

use super::dfa::{Dfas, Halt, Search};
use super::meter::{Meter, Stopped};
use crate::error::{ErrorKind, ToolError};

/// Maximum size of the automaton in bytes, more than the cost model allows.
pub(super) const BYTES_MAX: usize = 64 << 20;
/// A slot that is not set.
pub(super) const UNSET: usize = usize::MAX;

/// Builds the states of a linear pattern.
///
/// # Errors
///
/// Says that the pattern is too large.
pub(super) fn built(pattern: &Hir) -> Result<NFA, ToolError> {
    let config = Config::new().nfa_size_limit(Some(BYTES_MAX)).which_captures(WhichCaptures::All);
    let built = NFA::compiler().configure(config).build_from_hir(pattern);
    built.map_err(|_| {
        let message = "is too large for a text of this length";
        ToolError::new(message).of(ErrorKind::TooLarge)
    })
}

/// Automaton of a pattern, with memory reused from one search to the next.
#[derive(Debug)]
pub(super) struct Automaton {
    nfa: NFA,
    threads: Threads,
    following: Threads,
    unset: Vec<usize>,
    lazy: Option<Search>,
}

impl Automaton {
    /// Creates a pattern's automaton. If lazy ones are given, they find the matches.
    pub(super) fn new(nfa: NFA, dfas: Option<Arc<Dfas>>) -> Self {
        Self {
            lazy: dfas.map(Search::new),
            threads: Threads::new(&nfa),
            following: Threads::new(&nfa),
            unset: vec![UNSET; nfa.group_info().slot_len()],
            nfa,
        }
    }

    /// Finds the leftmost match from a position on, and returns start and end of each group, or
    /// [`UNSET`].
    pub(super) fn find(
        &mut self,
        text: &str,
        mut from: usize,
        meter: &Meter<'_>,
    ) -> Result<Option<Vec<usize>>, Stopped> {
        if let Some(lazy) = &mut self.lazy {
            match lazy.find(text, from, meter) {
                Ok(None) => return Ok(None),
                // There are no groups.
                Ok(Some((start, end))) if self.unset.len() == 2 => {
                    return Ok(Some(vec![start, end]));
                }
                Ok(Some((start, _))) => from = start,
                Err(Halt::Unknown) => {}
                Err(Halt::Stopped(stopped)) => return Err(stopped),
            }
        }
        let mut found = None;
        self.threads.clear();
        for at in from..=text.len() {
            if found.is_some() && self.threads.waiting.is_empty() {
                break;
            }
            if found.is_none() && text.is_char_boundary(at) {
                let start = self.nfa.start_anchored();
                self.threads.follow(text, at, start, &mut self.unset);
            }
            meter.spend(self.threads.take_cost())?;
            found = self.step(text, at).or(found);
            std::mem::swap(&mut self.threads, &mut self.following);
            self.following.clear();
        }
        Ok(found)
    }

    /// Advances all threads by one byte, up to one that has matched: later ones are less preferred.
    fn step(&mut self, text: &str, at: usize) -> Option<Vec<usize>> {
        for index in 0..self.threads.waiting.len() {
            let (state, slots) = self.threads.waiting(index)?;
            let bytes = text.as_bytes();
            let next = match self.nfa.state(state) {
                State::Match { .. } => return Some(slots.to_vec()),
                State::ByteRange { trans } if trans.matches(bytes, at) => Some(trans.next),
                State::Sparse(transitions) => transitions.matches(bytes, at),
                State::Dense(transitions) => transitions.matches(bytes, at),
                _ => None,
            };
            if let Some(next) = next {
                self.following.follow(text, at + 1, next, slots);
            }
        }
        None
    }
}

/// Positions in the pattern that one position in the text can have led to.
#[derive(Debug)]
struct Threads {
    nfa: NFA,
    /// States that wait for a byte, in order of preference.
    waiting: Vec<StateID>,
    /// Slots of each waiting state.
    slots: Vec<usize>,
    width: usize,
    /// For each state, the last round in which it was seen.
    seen: Vec<u64>,
    round: u64,
    stack: Vec<Task>,
    explored: u64,
}

/// Pending work while following transitions that read nothing.
#[derive(Debug)]
enum Task {
    Explore(StateID),
    Restore { slot: usize, to: usize },
}

impl Threads {
    fn new(nfa: &NFA) -> Self {
        Self {
            nfa: nfa.clone(),
            waiting: Vec::new(),
            slots: Vec::new(),
            width: nfa.group_info().slot_len(),
            seen: vec![0; nfa.states().len()],
            round: 1,
            stack: Vec::new(),
            explored: 0,
        }
    }

    fn clear(&mut self) {
        self.waiting.clear();
        self.slots.clear();
        self.round += 1;
    }

    /// Returns and resets the work done since the last check.
    fn take_cost(&mut self) -> u64 {
        let slots = self.width as u64;
        1 + std::mem::take(&mut self.explored) * (1 + slots / 12)
    }

    fn waiting(&mut self, index: usize) -> Option<(StateID, &mut [usize])> {
        let start = index * self.width;
        let slots = self.slots.get_mut(start..start + self.width)?;
        Some((*self.waiting.get(index)?, slots))
    }

    /// Adds every state reachable from a state without reading a byte.
    fn follow(&mut self, text: &str, at: usize, state: StateID, slots: &mut [usize]) {
        self.stack.push(Task::Explore(state));
        while let Some(task) = self.stack.pop() {
            match task {
                Task::Explore(state) => self.explore(text, at, state, slots),
                Task::Restore { slot, to } => {
                    if let Some(slot) = slots.get_mut(slot) {
                        *slot = to;
                    }
                }
            }
        }
    }

    fn explore(&mut self, text: &str, at: usize, mut state: StateID, slots: &mut [usize]) {
        while self.see(state) {
            self.explored += 1;
            state = match self.nfa.state(state) {
                State::Look { look, next } => {
                    if !self.nfa.look_matcher().matches(*look, text.as_bytes(), at) {
                        return;
                    }
                    *next
                }
                State::Union { alternates } => {
                    let Some((first, others)) = alternates.split_first() else {
                        return;
                    };
                    let later = others.iter().rev().map(|other| Task::Explore(*other));
                    self.stack.extend(later);
                    *first
                }
                State::BinaryUnion { alt1, alt2 } => {
                    self.stack.push(Task::Explore(*alt2));
                    *alt1
                }
                State::Capture { next, slot, .. } => {
                    let slot = slot.as_usize();
                    if let Some(value) = slots.get_mut(slot) {
                        self.stack.push(Task::Restore { slot, to: *value });
                        *value = at;
                    }
                    *next
                }
                State::Fail => return,
                State::ByteRange { .. }
                | State::Sparse(_)
                | State::Dense(_)
                | State::Match { .. } => {
                    self.waiting.push(state);
                    self.slots.extend_from_slice(slots);
                    return;
                }
            };
        }
    }

    /// Marks a state as seen. Returns whether it is new in this round.
    fn see(&mut self, state: StateID) -> bool {
        let seen = self.seen.get_mut(state.as_usize());
        seen.is_some_and(|seen| std::mem::replace(seen, self.round) != self.round)
    }
}
