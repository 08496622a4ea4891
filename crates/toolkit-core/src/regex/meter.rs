//! Work limit of a search, and a text that counts the work.

use std::cell::Cell;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use crate::error::{ErrorKind, ToolError};

/// Maximum cost between two checks of the deadline: at most a millisecond.
const UNASKED_MAX: u64 = 60_000;
/// Maximum cost of a search without a deadline: about a second.
const UNTIMED_MAX: u64 = 200_000_000;

/// Error: the search was stopped because its time or its work limit was used up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Stopped;

impl From<Stopped> for ToolError {
    fn from(_: Stopped) -> Self {
        Self::new("takes too long on this text and was stopped")
            .of(ErrorKind::TimedOut)
            .with_hint("simplify the pattern, or shorten the text")
    }
}

/// Counts the work of one search.
pub(super) struct Meter<'a> {
    is_over: Option<&'a dyn Fn() -> bool>,
    unasked: Cell<u64>,
    total: Cell<u64>,
}

impl<'a> Meter<'a> {
    pub(super) fn new(is_over: Option<&'a dyn Fn() -> bool>) -> Self {
        Self { is_over, unasked: Cell::new(0), total: Cell::new(0) }
    }

    /// Asks for the deadline now, before work that can take longer than a millisecond.
    pub(super) fn ask(&self) -> Result<(), Stopped> {
        self.spend(UNASKED_MAX)
    }

    /// Counts work that is about to be done.
    pub(super) fn spend(&self, cost: u64) -> Result<(), Stopped> {
        let unasked = self.unasked.get().saturating_add(cost);
        if unasked < UNASKED_MAX {
            self.unasked.set(unasked);
            return Ok(());
        }
        self.unasked.set(0);
        self.total.set(self.total.get().saturating_add(unasked));
        let is_over = match self.is_over {
            Some(is_over) => is_over(),
            None => self.total.get() > UNTIMED_MAX,
        };
        if is_over { Err(Stopped) } else { Ok(()) }
    }
}

/// Text for fancy-regex that counts each read.
///
/// The engine cannot be asked to stop. So once the meter has run out, the text itself stops it by
/// unwinding the engine's stack, without printing a panic message. Where panics abort the process,
/// only linear patterns are accepted, whose searches end by themselves.
pub(super) struct MeteredText<'a> {
    text: &'a str,
    meter: &'a Meter<'a>,
    cost_of_look: u64,
}

impl<'a> MeteredText<'a> {
    pub(super) fn new(text: &'a str, meter: &'a Meter<'a>, cost_of_look: u64) -> Self {
        Self { text, meter, cost_of_look }
    }

    /// Runs the engine on this text.
    pub(super) fn run<T>(&self, engine: impl FnOnce(&Self) -> T) -> Result<T, Stopped> {
        // Any panic but our own unwinding continues.
        catch_unwind(AssertUnwindSafe(|| engine(self)))
            .map_err(|payload| *payload.downcast().unwrap_or_else(|panic| resume_unwind(panic)))
    }
}

impl fancy_regex::Input for MeteredText<'_> {
    type Match<'t>
        = Range<usize>
    where
        Self: 't;

    fn len(&self) -> usize {
        self.text.len()
    }

    fn as_bytes(&self) -> &[u8] {
        let spent = self.meter.spend(self.cost_of_look);
        if cfg!(panic = "unwind") && spent.is_err() {
            resume_unwind(Box::new(Stopped));
        }
        self.text.as_bytes()
    }

    fn is_char_boundary(&self, index: usize) -> bool {
        self.text.is_char_boundary(index)
    }

    fn is_ascii(&self) -> bool {
        self.text.is_ascii()
    }

    fn prev_codepoint_ix(&self, index: usize) -> usize {
        fancy_regex::Input::prev_codepoint_ix(self.text, index)
    }

    fn make_match(&self, start: usize, end: usize) -> Range<usize> {
        start..end
    }

    fn advance_position(&self, index: usize) -> usize {
        fancy_regex::Input::advance_position(self.text, index)
    }
}
