//! Traversal of a pattern's syntax tree that adds up its cost.

use std::collections::{HashMap, HashSet};

use fancy_regex::{Assertion, Expr, LookAround};
use regex_syntax::hir::{Class, Hir, HirKind};

use super::{Reach, Scan};
use crate::error::{ErrorKind, Position, ToolError};
use crate::regex::syntax::Tree;

/// Factor for reverse automata, which are built while they run, and discarded if they do not fit.
const BACKWARDS_FACTOR: u64 = 8;
/// Maximum number of subroutine calls: the analysis of a pattern nests as deep as they do.
const CALLS_MAX: usize = 50;
/// Maximum size of fancy-regex's program, in which subroutine calls are expanded.
pub(in crate::regex) const PROGRAM_MAX: u64 = 20_000;
/// Depth to which fancy-regex expands a group that calls itself.
const RECURSION_DEPTH: u32 = 20;

/// Accumulated cost of part of a pattern.
#[derive(Debug, Clone, Copy)]
pub(super) struct Part {
    pub(super) is_linear: bool,
    pub(super) states: u64,
    pub(super) places: u64,
    length: u64,
    /// Whether it matches one number of characters only.
    is_fixed: bool,
    /// Of a linear part.
    reach: Reach,
    groups: usize,
    pub(super) path: u64,
}

impl Part {
    /// An empty part.
    const EMPTY: Self = Self::leaf(2, 1, 0, Reach::Word);

    const fn leaf(states: u64, places: u64, length: u64, reach: Reach) -> Self {
        Self { is_linear: true, states, places, length, is_fixed: true, reach, groups: 0, path: 1 }
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
pub(super) fn with_slots(places: u64, slots: u64) -> u64 {
    places.saturating_mul(1 + slots / 12)
}

/// Traversal of a tree.
pub(super) struct Estimator<'a> {
    pattern: &'a str,
    tree: &'a Tree,
    classes: HashMap<(&'a str, bool), Part>,
    /// Number of groups so far, without group 0 inside the tree.
    pub(super) groups: usize,
    pub(super) scans: Vec<Scan>,
    pub(super) has_loop: bool,
    pub(super) has_boundary: bool,
    /// Product of the counted repetitions of stepped parts.
    counted: u64,
    calls: usize,
    called: HashSet<usize>,
    calling: HashSet<usize>,
    open_groups: Vec<usize>,
}

impl<'a> Estimator<'a> {
    pub(super) fn new(pattern: &'a str, tree: &'a Tree) -> Self {
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

    pub(super) fn part(&mut self, expr: &'a Expr) -> Result<Part, ToolError> {
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
            Expr::DefineGroup { definitions } => {
                Ok(Part { states: self.part(definitions)?.states, ..Part::EMPTY })
            }
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
        let is_behind =
            matches!(expr, Expr::LookAround(_, LookAround::LookBehind | LookAround::LookBehindNeg));
        if is_behind && !(whole.is_linear && whole.is_fixed) {
            // A reverse automaton finds where it can start, even for a stepped part.
            let mut scan = Scan::UNBOUNDED;
            if whole.is_linear {
                (scan.length, scan.reach) = (whole.length, whole.reach);
            }
            scan.places = whole.places.saturating_mul(BACKWARDS_FACTOR);
            self.scans.push(scan);
        }
        Ok(Part { is_linear: false, path: whole.path.saturating_add(4), ..whole })
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
    pub(super) fn path(&self, path: u64) -> u64 {
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
    let parsed =
        regex_syntax::ParserBuilder::new().case_insensitive(ignores_case).build().parse(class);
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
        // A class of one character. Errors are reported when it is compiled.
        _ => (4, Reach::Text),
    };
    Part::leaf(states, 1, 4, reach)
}
