//! Cost model: an upper bound on the cost of a pattern, computed from its syntax tree before
//! compiling.
//!
//! A pattern runs on two engines. Parts without look-around, back-references and the like are
//! *linear*: an automaton reads the text once, in time proportional to the length of the text times
//! the number of positions in the pattern (letters and classes, with repetitions expanded). The
//! rest is *stepped*: a backtracking machine that calls the automaton for the linear parts in
//! between. Neither can be interrupted between two reads of the text, so the work in between is
//! bounded here, by how far a linear part can read: `\w+` no further than the longest word, `.*` no
//! further than the longest line. The unit of all costs is one position times one byte: 1 to 15
//! nanoseconds.

use std::collections::{HashMap, HashSet};

use super::syntax::Tree;
use crate::error::{ErrorKind, Position, ToolError};
use fancy_regex::{Assertion, Expr, LookAround};
use regex_syntax::hir::{Class, Hir, HirKind};

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
    #[cfg(feature = "tools")]
    states: u64,
    slots: u64,
    path: u64,
    has_loop: bool,
    has_boundary: bool,
    /// Maximum number of runs of linear parts on one path through the pattern.
    repeated: u64,
    scans: Vec<Scan>,
}

/// A linear part: its number of positions, the maximum number of bytes that it can match, and how
/// far it can read.
#[derive(Debug, Clone, Copy)]
struct Scan {
    places: u64,
    length: u64,
    reach: Reach,
}

impl Scan {
    /// One position that can read all of the text.
    const UNBOUNDED: Self = Self {
        places: 1,
        length: u64::MAX,
        reach: Reach::Text,
    };

    fn cost(&self, text: &Stretches) -> u64 {
        // An assertion reads the character after the last one, too.
        let bytes = self.length.min(text.of(self.reach) + 4);
        self.places.saturating_mul(bytes.min(text.bytes))
    }
}

/// What ends a run of a linear part: the first character that none of its classes has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Reach {
    /// A space or a newline.
    Word,
    /// A newline.
    Line,
    /// Only the end of the text.
    Text,
}

impl Reach {
    fn new(has_space: bool, has_newline: bool) -> Self {
        match (has_space, has_newline) {
            (_, true) => Self::Text,
            (true, false) => Self::Line,
            (false, false) => Self::Word,
        }
    }
}

/// Lengths of a text, in bytes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stretches {
    bytes: u64,
    /// Longest stretch without a newline.
    line: u64,
    /// Longest stretch without a space or a newline.
    word: u64,
}

impl Stretches {
    const fn whole(bytes: u64) -> Self {
        Self {
            bytes,
            line: bytes,
            word: bytes,
        }
    }

    fn measured(text: &str) -> Self {
        let longest = |ends: fn(&u8) -> bool| {
            let stretches = text.as_bytes().split(ends);
            stretches.map(<[u8]>::len).max().unwrap_or(0) as u64
        };
        Self {
            bytes: text.len() as u64,
            line: longest(|byte| *byte == b'\n'),
            word: longest(|byte| matches!(byte, b' ' | b'\n')),
        }
    }

    fn of(&self, reach: Reach) -> u64 {
        match reach {
            Reach::Word => self.word,
            Reach::Line => self.line,
            Reach::Text => self.bytes,
        }
    }
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
                ..Scan::UNBOUNDED
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
            #[cfg(feature = "tools")]
            states: whole.states,
            slots,
            path,
            has_loop: estimator.has_loop,
            has_boundary: estimator.has_boundary,
            repeated: if estimator.calls == 0 {
                estimator.counted
            } else {
                path
            },
            scans: estimator.scans,
        })
    }

    /// Measures a text, as far as that matters to the pattern.
    pub(super) fn stretches(&self, text: &str) -> Stretches {
        // An unanchored search reads on to its match; and for a Unicode word boundary next to a
        // character beyond ASCII, an engine is chosen that prepares for the whole text.
        if self.is_linear || self.has_boundary && !text.is_ascii() {
            return Stretches::whole(text.len() as u64);
        }
        Stretches::measured(text)
    }

    /// Maximum cost of an uninterrupted run of an automaton on a text.
    pub(super) fn scan(&self, text: &Stretches) -> u64 {
        let scans = self.scans.iter();
        scans.map(|scan| scan.cost(text)).max().unwrap_or(0)
    }

    /// Whether the pattern can run on fancy-regex's engines: a linear one that is too expensive for
    /// them must run on the cancellable automaton.
    pub(super) fn fits(&self, text: &Stretches) -> bool {
        self.scan(text) <= SCAN_MAX
    }

    /// Whether running the pattern takes less time than building fancy-regex's engines for it.
    pub(super) fn is_tiny(&self, text: &Stretches) -> bool {
        self.scan(text) <= TINY_SCAN_MAX
    }

    /// Whether the parsed pattern takes at most 32 KiB: the ranges of its classes take four bytes for
    /// each state.
    #[cfg(feature = "tools")]
    pub(super) fn is_small(&self) -> bool {
        self.is_linear && self.states <= 8_000
    }

    /// Maximum cost between two reads of a text.
    pub(super) fn between_looks(&self, text: &Stretches) -> u64 {
        self.scan(text).max(self.path)
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
    pub(super) fn unstoppable_backtracks(&self, text: &Stretches) -> Option<usize> {
        let costs = self.scans.iter().map(|scan| scan.cost(text));
        let scans = costs.fold(0, u64::saturating_add);
        let way = scans
            .saturating_mul(self.repeated)
            .saturating_add(self.path);
        // Each round of a loop reads a byte, or is the last.
        let rounds = if self.has_loop { text.bytes + 1 } else { 1 };
        let backtracks = UNSTOPPABLE_MAX / way.saturating_mul(rounds).max(1);
        if backtracks <= text.bytes {
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
    pub(super) fn check(&self, text: &Stretches) -> Result<(), ToolError> {
        let kept = self.slots.saturating_mul(text.bytes).saturating_mul(16);
        let is_heavy = !self.fits(text) || self.has_loop && kept > BACKTRACK_BYTES_MAX;
        if is_heavy && !self.is_linear {
            return Err(too_heavy(text));
        }
        Ok(())
    }
}

/// Error: a text is too long for a pattern.
pub(super) fn too_heavy(text: &Stretches) -> ToolError {
    ToolError::new(format!("is too heavy for a text of {} bytes", text.bytes))
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
    /// Whether it matches one number of characters only.
    is_fixed: bool,
    /// Of a linear part.
    reach: Reach,
    groups: usize,
    path: u64,
}

impl Part {
    /// A part that matches nothing.
    const EMPTY: Self = Self::leaf(2, 1, 0, Reach::Word);

    const fn leaf(states: u64, places: u64, length: u64, reach: Reach) -> Self {
        Self {
            is_linear: true,
            states,
            places,
            length,
            is_fixed: true,
            reach,
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
            is_fixed: self.is_fixed && next.is_fixed,
            reach: self.reach.max(next.reach),
            groups: self.groups + next.groups,
            path: self.path.saturating_add(next.path),
        }
    }

    fn or(self, other: Self) -> Self {
        Self {
            length: self.length.max(other.length),
            is_fixed: self.is_fixed && other.is_fixed && self.length == other.length,
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
    classes: HashMap<(&'a str, bool), Part>,
    /// Number of groups so far; a group 0 inside the tree is not counted.
    groups: usize,
    scans: Vec<Scan>,
    has_loop: bool,
    has_boundary: bool,
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
            has_boundary: false,
            counted: 1,
            calls: 0,
            called: HashSet::new(),
            calling: HashSet::new(),
            open_groups: Vec::new(),
        }
    }

    fn part(&mut self, expr: &'a Expr) -> Result<Part, ToolError> {
        match expr {
            Expr::Assertion(Assertion::EndTextIgnoreTrailingNewlines { .. }) => {
                self.scans.push(Scan::UNBOUNDED);
                self.stepped(expr)
            }
            Expr::GeneralNewline { .. }
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
            Expr::Empty => Ok(Part::EMPTY),
            Expr::Assertion(assertion) => {
                self.has_boundary |= !matches!(
                    assertion,
                    Assertion::StartText
                        | Assertion::EndText
                        | Assertion::StartLine { .. }
                        | Assertion::EndLine { .. }
                );
                Ok(Part::EMPTY)
            }
            Expr::Any { newline, .. } => Ok(Part::leaf(20, 1, 4, Reach::new(true, *newline))),
            Expr::Literal { val, casei } => {
                let (bytes, characters) = (val.len() as u64, val.chars().count() as u64);
                let states = 2 * bytes * if *casei { 4 } else { 1 };
                let reach = Reach::new(val.contains(' '), val.contains('\n'));
                Ok(Part {
                    is_fixed: !casei,
                    ..Part::leaf(states, characters, 4 * characters, reach)
                })
            }
            Expr::Delegate { inner, casei } => Ok(self.class(inner, *casei)),
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
        let mut part = inner.then(Part::leaf(2, 0, 0, Reach::Word));
        part.groups += 1;
        if self.tree.referenced_groups.contains(&index) {
            // A back-reference compares what the group matched.
            if inner.is_linear {
                self.scan(inner);
            } else {
                self.scans.push(Scan::UNBOUNDED);
            }
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
            is_fixed: part.is_fixed && lo == hi,
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
        let is_behind = matches!(
            expr,
            Expr::LookAround(_, LookAround::LookBehind | LookAround::LookBehindNeg)
        );
        if is_behind && !(whole.is_linear && whole.is_fixed) {
            // A reverse automaton finds where it can start, even for a stepped part.
            let mut scan = Scan::UNBOUNDED;
            if whole.is_linear {
                (scan.length, scan.reach) = (whole.length, whole.reach);
            }
            scan.places = whole.places.saturating_mul(BACKWARDS_FACTOR);
            self.scans.push(scan);
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
                reach: part.reach,
            });
        }
    }

    fn class(&mut self, class: &'a str, ignores_case: bool) -> Part {
        *self
            .classes
            .entry((class, ignores_case))
            .or_insert_with(|| class_part(class, ignores_case))
    }
}

/// Counts a few states per range of characters in the forward automaton, and as many in the reverse
/// one.
fn class_part(class: &str, ignores_case: bool) -> Part {
    let parsed = regex_syntax::ParserBuilder::new()
        .case_insensitive(ignores_case)
        .build()
        .parse(class);
    let (states, reach) = match parsed.as_ref().map(Hir::kind) {
        Ok(HirKind::Class(Class::Unicode(class))) => {
            let ranges = class.ranges();
            let has = |character| {
                let mut ranges = ranges.iter();
                ranges.any(|range| range.start() <= character && character <= range.end())
            };
            let is_wide = ranges.last().is_some_and(|range| !range.end().is_ascii());
            let states = 2 * ranges.len() as u64 + if is_wide { 20 } else { 2 };
            (states, Reach::new(has(' '), has('\n')))
        }
        // A class of one character; errors are reported when it is compiled.
        _ => (4, Reach::Text),
    };
    Part::leaf(states, 1, 4, reach)
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

    #[test]
    fn a_linear_part_reads_no_further_than_its_classes_reach() {
        let text = "ab cde\nf é ".repeat(100);
        let bytes = text.len() as u64;
        // A loop has one position more than its class, a sequence one more than its parts; what
        // follows has four bytes.
        for (pattern, scan) in [
            (r"(?=\w+)x", 2 * (3 + 4)),
            (r"(?=[^\s]+)x", 2 * (3 + 4)),
            ("(?=.+)x", 2 * (11 + 4)),
            (r"(?=[^\n]+)x", 2 * (11 + 4)),
            (r"(?=\s+)x", 2 * bytes),
            ("(?=[^a]+)x", 2 * bytes),
            ("(?=(?s:.)+)x", 2 * bytes),
            ("(?=[a-z]+ [a-z]+)x", 6 * (11 + 4)),
            // A word boundary beyond ASCII.
            (r"(?=\b\w+)x", 4 * bytes),
            // Bounded by its own length.
            (r"(?=\w)x", 2 * 4),
            // Backwards, with a factor.
            (r"(?<=\w+)x", 8 * 3 * (3 + 4)),
            (r"(?<=\w)x", 2 * 4),
            (r"(?<=ab|c)x", 8 * 6 * (3 + 4)),
            // The whole pattern may begin anywhere.
            (r"\w+", 2 * bytes),
        ] {
            let tree = Tree::parse(pattern, Flags::default()).unwrap();
            let cost = Cost::of(pattern, &tree).unwrap();
            assert_eq!(cost.scan(&cost.stretches(&text)), scan, "{pattern}");
        }
    }
}
