//! Cost model: an upper bound on the cost of a pattern, computed from its syntax tree before
//! compiling.
//!
//! A pattern runs on two engines. Parts without look-around, back-references and the like are
//! *linear*: an automaton reads the text once, in time proportional to the length of the text times
//! the number of positions in the pattern (letters and classes, with repetitions expanded). The
//! rest is *stepped*: a backtracking machine that calls the automaton for the linear parts in
//! between. Neither can be interrupted between two reads of the text, so the work in between is
//! bounded here. The unit of all costs is one position times one byte: 1 to 15 nanoseconds.

use std::collections::{HashMap, HashSet};

use super::class_states::class_states;
use super::syntax::Tree;
use crate::error::{ErrorKind, Position, ToolError};
use fancy_regex::{Assertion, Expr, LookAround};

/// Maximum number of states of all automata of a pattern: they take a tenth of a second to build.
const STATES_MAX: u64 = 500_000;
/// Maximum of states times slots: a search may keep 8 bytes for each.
const STATE_SLOTS_MAX: u64 = 8_000_000;
/// Maximum cost of an uninterrupted run of an automaton, about a tenth of a second.
const SCAN_MAX: u64 = 8_000_000;
/// Maximum cost of a search that is finished before fancy-regex has built its tables.
const TINY_SCAN_MAX: u64 = 8_192;
/// Factor for reverse automata, which are built while they run, and discarded if they do not fit.
const BACKWARDS_FACTOR: u64 = 8;
/// Maximum number of instructions of the stepped machine on one path through the pattern.
const PATH_MAX: u64 = 2_000_000;
/// Maximum number of instructions of all paths that a search may try without reading the text.
const BLIND_STEPS_MAX: u64 = 150_000_000;
/// Maximum number of bytes that the stepped machine may keep for backtracking.
const BACKTRACK_BYTES_MAX: u64 = 64 << 20;
/// Maximum work of one search that cannot be stopped where panics abort the process: a quarter of a
/// second.
const UNSTOPPABLE_MAX: u64 = 24_000_000;
/// Maximum number of subroutine calls: the analysis of a pattern nests as deep as they do.
const CALLS_MAX: usize = 50;
/// Maximum size of fancy-regex's program, in which subroutine calls are expanded.
pub(super) const PROGRAM_MAX: u64 = 20_000;
/// Depth to which fancy-regex expands a group that calls itself.
const RECURSION_DEPTH: u32 = 20;

/// Cost of a pattern.
#[derive(Debug)]
pub(super) struct Cost {
    /// Whether the whole pattern is linear.
    pub(super) is_linear: bool,
    /// Number of groups in the pattern.
    pub(super) groups: usize,
    /// States of all automata, counting every range of a class.
    #[cfg_attr(
        not(feature = "tools"),
        allow(dead_code, reason = "only the servers ask whether a search is quick")
    )]
    pub(super) states: u64,
    slots: u64,
    path: u64,
    has_loop: bool,
    /// Maximum number of runs of linear parts on one path through the pattern.
    repeated: u64,
    scans: Vec<Scan>,
}

/// A linear part: its number of positions, and the maximum number of bytes that it can match.
#[derive(Debug, Clone, Copy)]
struct Scan {
    places: u64,
    length: u64,
}

impl Cost {
    /// Computes the cost of a pattern.
    ///
    /// # Errors
    ///
    /// Refuses a pattern that is too large to compile or to step through.
    pub(super) fn of(pattern: &str, tree: &Tree) -> Result<Self, ToolError> {
        let mut estimator = Estimator::new(pattern, tree);
        let whole = estimator.part(&tree.root)?;
        let slots = 2 * (estimator.groups as u64 + 1);
        if whole.is_linear {
            estimator.scans = vec![Scan {
                places: with_slots(whole.places, slots),
                length: u64::MAX,
            }];
        }
        // Each slot that is set is searched for among those set before.
        let path = if whole.is_linear {
            0
        } else {
            estimator.path(whole.path).saturating_add(slots * slots / 2)
        };
        let too_large = whole.states > STATES_MAX || whole.states * slots > STATE_SLOTS_MAX;
        if too_large || path > PATH_MAX {
            let large = "is too large once its repetitions, classes and calls are written out";
            return Err(ToolError::new(large)
                .of(ErrorKind::TooLarge)
                .with_hint("use fewer or smaller ones"));
        }
        Ok(Self {
            is_linear: whole.is_linear,
            groups: estimator.groups,
            states: whole.states,
            slots,
            path,
            has_loop: estimator.has_loop,
            repeated: if estimator.calls == 0 {
                estimator.counted
            } else {
                path
            },
            scans: estimator.scans,
        })
    }

    /// Maximum cost of an uninterrupted run of an automaton on a text of a given length.
    fn scan(&self, text_bytes: u64) -> u64 {
        let cost = |scan: &Scan| scan.places.saturating_mul(scan.length.min(text_bytes));
        self.scans.iter().map(cost).max().unwrap_or(0)
    }

    /// Whether the pattern can run on fancy-regex's engines: a linear one that is too expensive for
    /// them must run on the cancellable automaton.
    pub(super) fn fits(&self, text_bytes: u64) -> bool {
        self.scan(text_bytes) <= SCAN_MAX
    }

    /// Whether running the pattern takes less time than building fancy-regex's engines for it.
    pub(super) fn is_tiny(&self, text_bytes: u64) -> bool {
        self.scan(text_bytes) <= TINY_SCAN_MAX
    }

    /// Maximum cost between two reads of a text of a given length.
    pub(super) fn between_looks(&self, text_bytes: u64) -> u64 {
        // A back-reference, or `\Z`, can compare a whole text at memory speed.
        let compare = text_bytes / 16;
        self.scan(text_bytes).max(self.path).max(compare)
    }

    /// Cost of a search that never reads the text.
    pub(super) fn blind_find(&self) -> u64 {
        64 + self.slots + self.path
    }

    /// Maximum number of backtracks of the stepped machine in one search.
    pub(super) fn backtracks_max(&self) -> usize {
        let backtracks = BLIND_STEPS_MAX / self.path.max(1);
        usize::try_from(backtracks.clamp(100, 1_000_000)).unwrap_or(100)
    }

    /// Maximum number of backtracks in a search that cannot be stopped from outside; `None` if the
    /// text is too long for that.
    pub(super) fn unstoppable_backtracks(&self, text_bytes: u64) -> Option<usize> {
        let costs = self
            .scans
            .iter()
            .map(|scan| scan.places.saturating_mul(scan.length.min(text_bytes)));
        let scans = costs.fold(0, u64::saturating_add);
        let way = scans
            .saturating_mul(self.repeated)
            .saturating_add(self.path);
        // Each round of a loop reads a byte, or is the last.
        let rounds = if self.has_loop { text_bytes + 1 } else { 1 };
        let backtracks = UNSTOPPABLE_MAX / way.saturating_mul(rounds).max(1);
        if backtracks <= text_bytes {
            return None;
        }
        let backtracks = usize::try_from(backtracks).unwrap_or(usize::MAX);
        Some(backtracks.min(self.backtracks_max()))
    }

    /// Refuses a text for which a stepped pattern is too expensive.
    ///
    /// # Errors
    ///
    /// Says that time or memory cannot be bounded sufficiently.
    pub(super) fn check(&self, text_bytes: u64) -> Result<(), ToolError> {
        let kept = self.slots.saturating_mul(text_bytes).saturating_mul(16);
        let is_heavy = !self.fits(text_bytes) || self.has_loop && kept > BACKTRACK_BYTES_MAX;
        if is_heavy && !self.is_linear {
            return Err(too_heavy(text_bytes));
        }
        Ok(())
    }
}

/// Error: a text is too long for a pattern.
pub(super) fn too_heavy(text_bytes: u64) -> ToolError {
    ToolError::new(format!("is too heavy for a text of {text_bytes} bytes"))
        .of(ErrorKind::TooLarge)
        .with_hint("shorten the text, or simplify the pattern")
}

/// Accumulated cost of part of a pattern.
#[derive(Debug, Clone, Copy)]
struct Part {
    is_linear: bool,
    states: u64,
    places: u64,
    length: u64,
    groups: usize,
    path: u64,
}

impl Part {
    /// A part that matches nothing.
    const EMPTY: Self = Self::leaf(2, 1, 0);

    const fn leaf(states: u64, places: u64, length: u64) -> Self {
        Self {
            is_linear: true,
            states,
            places,
            length,
            groups: 0,
            path: 1,
        }
    }

    fn then(self, next: Self) -> Self {
        Self {
            is_linear: self.is_linear && next.is_linear,
            states: self.states.saturating_add(next.states),
            places: self.places.saturating_add(next.places),
            length: self.length.saturating_add(next.length),
            groups: self.groups + next.groups,
            path: self.path.saturating_add(next.path),
        }
    }

    fn or(self, other: Self) -> Self {
        Self {
            length: self.length.max(other.length),
            ..self.then(other)
        }
    }
}

/// The automaton copies its slots at every step: twelve take as long as a step.
fn with_slots(places: u64, slots: u64) -> u64 {
    places.saturating_mul(1 + slots / 12)
}

/// Traversal of a tree.
struct Estimator<'a> {
    pattern: &'a str,
    tree: &'a Tree,
    classes: HashMap<(&'a str, bool), u64>,
    /// Number of groups so far; a group 0 inside the tree is not counted.
    groups: usize,
    scans: Vec<Scan>,
    has_loop: bool,
    /// Product of the counted repetitions of stepped parts.
    counted: u64,
    calls: usize,
    called: HashSet<usize>,
    calling: HashSet<usize>,
    open_groups: Vec<usize>,
}

impl<'a> Estimator<'a> {
    fn new(pattern: &'a str, tree: &'a Tree) -> Self {
        Self {
            pattern,
            tree,
            classes: HashMap::new(),
            groups: 0,
            scans: Vec::new(),
            has_loop: false,
            counted: 1,
            calls: 0,
            called: HashSet::new(),
            calling: HashSet::new(),
            open_groups: Vec::new(),
        }
    }

    fn part(&mut self, expr: &'a Expr) -> Result<Part, ToolError> {
        match expr {
            Expr::Assertion(Assertion::EndTextIgnoreTrailingNewlines { .. })
            | Expr::GeneralNewline { .. }
            | Expr::LiteralBytes { .. }
            | Expr::LookAround(..)
            | Expr::Backref { .. }
            | Expr::BackrefWithRelativeRecursionLevel { .. }
            | Expr::AtomicGroup(_)
            | Expr::KeepOut
            | Expr::ContinueFromPreviousMatchEnd
            | Expr::BackrefExistsCondition { .. }
            | Expr::Conditional { .. }
            | Expr::SubroutineCall(_)
            | Expr::BacktrackingControlVerb(_)
            | Expr::Absent(_)
            | Expr::AstNode(..) => self.stepped(expr),
            Expr::Empty | Expr::Assertion(_) => Ok(Part::EMPTY),
            Expr::Any { .. } => Ok(Part::leaf(20, 1, 4)),
            Expr::Literal { val, casei } => {
                let (bytes, characters) = (val.len() as u64, val.chars().count() as u64);
                let cases = if *casei { 4 } else { 1 };
                Ok(Part::leaf(2 * bytes * cases, characters, 4 * characters))
            }
            Expr::Delegate { inner, casei } => Ok(Part::leaf(self.class(inner, *casei), 1, 4)),
            Expr::Concat(items) => self.sequence(items),
            Expr::Alt(items) => self.alternatives(items),
            Expr::Group(inner) => self.group(inner),
            Expr::Repeat { child, lo, hi, .. } => self.repetition(child, *lo, *hi),
            Expr::DefineGroup { definitions } => Ok(Part {
                states: self.part(definitions)?.states,
                ..Part::EMPTY
            }),
            // Its cost is unknown.
            #[expect(
                unreachable_patterns,
                reason = "a later version of fancy-regex may have more expressions"
            )]
            _ => Ok(Part {
                is_linear: false,
                path: u64::MAX,
                ..Part::EMPTY
            }),
        }
    }

    fn parts(&mut self, items: impl Iterator<Item = &'a Expr>) -> Result<Vec<Part>, ToolError> {
        items.map(|item| self.part(item)).collect()
    }

    /// Adjacent linear items form one run of the automaton.
    fn sequence(&mut self, items: &'a [Expr]) -> Result<Part, ToolError> {
        let parts = self.parts(items.iter())?;
        let whole = parts.iter().copied().fold(Part::EMPTY, Part::then);
        if !whole.is_linear {
            for run in parts.chunk_by(|one, next| one.is_linear && next.is_linear) {
                self.scan(run.iter().copied().fold(Part::EMPTY, Part::then));
            }
        }
        Ok(whole)
    }

    fn alternatives(&mut self, items: &'a [Expr]) -> Result<Part, ToolError> {
        let parts = self.parts(items.iter())?;
        let whole = parts.iter().copied().fold(Part::EMPTY, Part::or);
        if !whole.is_linear {
            for part in parts {
                self.scan(part);
            }
        }
        Ok(whole)
    }

    fn group(&mut self, inner: &'a Expr) -> Result<Part, ToolError> {
        let is_whole = self.tree.has_group_0 && self.groups == 0 && self.open_groups.is_empty();
        if is_whole {
            self.open_groups.push(0);
            return self.part(inner);
        }
        self.groups += 1;
        let index = self.groups;
        self.open_groups.push(index);
        let inner = self.part(inner)?;
        self.open_groups.pop();
        let mut part = inner.then(Part::leaf(2, 0, 0));
        part.groups += 1;
        if self.tree.referenced_groups.contains(&index) && inner.is_linear {
            self.scan(inner);
            part.is_linear = false;
        }
        Ok(part)
    }

    fn repetition(&mut self, child: &'a Expr, lo: usize, hi: usize) -> Result<Part, ToolError> {
        if hi < lo {
            return Err(self.reversed(lo, hi));
        }
        let part = self.part(child)?;
        let copies = if hi == usize::MAX { lo.max(1) } else { hi } as u64;
        if !part.is_linear {
            self.has_loop |= hi > 1;
            self.counted = self.counted.saturating_mul(copies.max(1));
        }
        let length_factor = if hi == usize::MAX { u64::MAX } else { copies };
        Ok(Part {
            states: part.states.saturating_mul(copies).saturating_add(4),
            places: part.places.saturating_mul(copies).saturating_add(1),
            length: part.length.saturating_mul(length_factor),
            path: part.path.saturating_mul(copies).saturating_add(2),
            ..part
        })
    }

    fn reversed(&self, lo: usize, hi: usize) -> ToolError {
        let written = format!("{{{lo},{hi}}}");
        let place = self.pattern.find(&written).unwrap_or_default();
        ToolError::new(format!(
            "is not a valid pattern: the repetition {written} has its numbers in the wrong order"
        ))
        .at(Position::offset(self.pattern, place))
    }

    /// Anything that only the backtracking machine can do.
    fn stepped(&mut self, expr: &'a Expr) -> Result<Part, ToolError> {
        let parts = self.parts(expr.children_iter())?;
        for part in &parts {
            self.scan(*part);
        }
        if let Expr::SubroutineCall(target) = expr {
            self.call(*target)?;
        }
        self.has_loop |= matches!(expr, Expr::Absent(_));
        let whole = parts.into_iter().fold(Part::EMPTY, Part::then);
        if let Expr::LookAround(_, LookAround::LookBehind | LookAround::LookBehindNeg) = expr {
            // A reverse automaton finds where it can start, even for a stepped part.
            self.scans.push(Scan {
                places: whole.places.saturating_mul(BACKWARDS_FACTOR),
                length: if whole.is_linear {
                    whole.length
                } else {
                    u64::MAX
                },
            });
        }
        Ok(Part {
            is_linear: false,
            path: whole.path.saturating_add(4),
            ..whole
        })
    }

    fn call(&mut self, target: usize) -> Result<(), ToolError> {
        self.calls += 1;
        self.called.insert(target);
        self.calling.extend(&self.open_groups);
        if self.calls > CALLS_MAX {
            let many = format!("calls groups (`\\g<…>`) more than {CALLS_MAX} times");
            return Err(ToolError::new(many).of(ErrorKind::TooLarge));
        }
        Ok(())
    }

    /// Instructions on one path through the pattern, with subroutine calls expanded.
    fn path(&self, path: u64) -> u64 {
        if self.calls == 0 {
            return path;
        }
        let can_recur = self.called.contains(&0) || !self.called.is_disjoint(&self.calling);
        let depth = if can_recur { RECURSION_DEPTH } else { 1 };
        PROGRAM_MAX.saturating_mul(self.counted.saturating_pow(depth))
    }

    /// Records a linear part among stepped ones.
    fn scan(&mut self, part: Part) {
        if part.is_linear {
            self.scans.push(Scan {
                places: with_slots(part.places, 2 * part.groups as u64),
                length: part.length,
            });
        }
    }

    fn class(&mut self, class: &'a str, ignores_case: bool) -> u64 {
        *self
            .classes
            .entry((class, ignores_case))
            .or_insert_with(|| class_states(class, ignores_case))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::regex::Flags;

    fn is_accepted(pattern: &str) -> bool {
        let tree = Tree::parse(pattern, Flags::default()).unwrap();
        Cost::of(pattern, &tree).is_ok()
    }

    #[test]
    fn a_pattern_of_the_greatest_size_is_accepted_and_the_next_one_refused() {
        // 2 states for each copy, 4 for the repetition.
        assert!(is_accepted("a{249998}"));
        assert!(!is_accepted("a{249999}"));
        // 9 groups, so 20 slots, and 2 + 9 × 4 states besides those of the repetition.
        let groups = "(a)".repeat(9);
        assert!(is_accepted(&format!("{groups}a{{199979}}")));
        assert!(!is_accepted(&format!("{groups}a{{199980}}")));
    }
}
