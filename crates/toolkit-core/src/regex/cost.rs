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

mod estimator;

pub(super) use self::estimator::PROGRAM_MAX;
use self::estimator::{Estimator, with_slots};
#[cfg(feature = "tools")]
use super::dfa::STATES_BYTES_MAX;
use super::syntax::Tree;
use crate::error::{ErrorKind, ToolError};

/// Maximum number of states of all automata of a pattern: they take a tenth of a second to build.
const STATES_MAX: u64 = 500_000;
/// Cost of building one state.
const STATE_COST: u64 = 20;
/// Maximum of states times slots: a search may keep 8 bytes for each.
const STATE_SLOTS_MAX: u64 = 8_000_000;
/// Maximum cost of an uninterrupted run of an automaton, about a tenth of a second.
const SCAN_MAX: u64 = 8_000_000;
/// Maximum cost of a search that is finished before fancy-regex has built its tables.
pub(super) const TINY_SCAN_MAX: u64 = 8_192;
/// Maximum number of instructions of the stepped machine on one path through the pattern.
const PATH_MAX: u64 = 2_000_000;
/// Maximum number of instructions of all paths that a search may try without reading the text.
const BLIND_STEPS_MAX: u64 = 150_000_000;
/// Maximum number of bytes that the stepped machine may keep for backtracking.
const BACKTRACK_BYTES_MAX: u64 = 64 << 20;

/// Cost of a pattern.
#[derive(Debug)]
pub(super) struct Cost {
    /// Whether the whole pattern is linear.
    pub(super) is_linear: bool,
    /// Number of groups in the pattern.
    pub(super) groups: usize,
    /// States of all automata, counting every range of a class.
    states: u64,
    slots: u64,
    path: u64,
    has_loop: bool,
    has_boundary: bool,
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
    const UNBOUNDED: Self = Self { places: 1, length: u64::MAX, reach: Reach::Text };

    fn cost(&self, text: &Stretches) -> u64 {
        // An assertion also reads the character after the last one.
        let bytes = self.length.min(text.of(self.reach) + 4);
        self.places.saturating_mul(bytes.min(text.bytes))
    }
}

/// The end of a linear part's run: the first character in none of its classes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Reach {
    /// A space or a newline.
    Word,
    /// A newline.
    Line,
    /// The end of the text.
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
        Self { bytes, line: bytes, word: bytes }
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
            estimator.scans =
                vec![Scan { places: with_slots(whole.places, slots), ..Scan::UNBOUNDED }];
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
            has_boundary: estimator.has_boundary,
            scans: estimator.scans,
        })
    }

    /// Measures a text, as far as that matters to the pattern.
    pub(super) fn stretches(&self, text: &str) -> Stretches {
        // An unanchored search reads on to its match. For a Unicode word boundary next to a
        // non-ASCII character, the engine chosen prepares for the whole text.
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

    /// Maximum size of a linear pattern that has searched texts, in bytes: the ranges of its
    /// classes, the automata for ASCII and other texts, and the states of two searches. `None` for
    /// another pattern.
    #[cfg(feature = "tools")]
    pub(super) fn kept_bytes(&self) -> Option<u64> {
        const STATE_BYTES: u64 = 64;
        let searches = 4 * 2 * STATES_BYTES_MAX as u64;
        self.is_linear.then(|| self.states * STATE_BYTES + searches)
    }

    /// Maximum cost between two reads of a text.
    pub(super) fn between_looks(&self, text: &Stretches) -> u64 {
        self.scan(text).max(self.path)
    }

    /// Maximum cost of building an engine. An automaton narrowed to a short text has hardly more
    /// states than the pattern has positions.
    pub(super) fn building(&self, is_narrowed: bool) -> u64 {
        let places = self.scans.iter().map(|scan| scan.places);
        let places = places.max().filter(|_| is_narrowed);
        STATE_COST * places.unwrap_or(self.states)
    }

    /// Cost of a search that does not read the text.
    pub(super) fn blind_find(&self) -> u64 {
        64 + self.slots + self.path
    }

    /// Maximum number of backtracks of the stepped machine in one search.
    pub(super) fn backtracks_max(&self) -> usize {
        let backtracks = BLIND_STEPS_MAX / self.path.max(1);
        usize::try_from(backtracks.clamp(100, 1_000_000)).unwrap_or(100)
    }

    /// Refuses a text for which a stepped pattern is too expensive.
    ///
    /// # Errors
    ///
    /// Says that time or memory cannot be bounded sufficiently.
    pub(super) fn check(&self, text: &Stretches) -> Result<(), ToolError> {
        let kept = self.slots.saturating_mul(text.bytes).saturating_mul(16);
        let is_heavy = self.scan(text) > SCAN_MAX || self.has_loop && kept > BACKTRACK_BYTES_MAX;
        if self.is_linear || !is_heavy {
            return Ok(());
        }
        Err(ToolError::new(format!("is too heavy for a text of {} bytes", text.bytes))
            .of(ErrorKind::TooLarge)
            .with_hint("shorten the text, or simplify the pattern"))
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

    #[test]
    fn a_linear_part_reads_no_further_than_its_classes_reach() {
        let text = "ab cde\nf é ".repeat(100);
        let bytes = text.len() as u64;
        // A loop has one position more than its class, a sequence one more than its parts. The rest
        // has four bytes.
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
