//! Regular expressions: what matches where, and what a replacement gives.
//!
//! The syntax is fancy-regex's: that of Rust's `regex` (Perl's, with Unicode classes) and look-around,
//! back-references, atomic groups, conditionals and calls of groups. Searching follows ECMA-262:
//! `g` for all matches; an empty match is one, also right behind another; and replacements are in
//! JavaScript's notation.
//!
//! Whatever pattern and text are, a search ends in a bounded time, and really ends. A pattern that
//! could grow too large is refused before it is compiled (`weight`). A search asks between two finds,
//! and whenever the backtracking engine looks at the text, whether its time is over (`meter`); what can
//! happen between two such questions takes a tenth of a second at most. A linear pattern that could
//! take longer runs on an automaton that can be stopped anywhere (`automaton`); so does one on a short
//! text, with its classes narrowed to the characters of that text (`alphabet`).

mod alphabet;
mod automaton;
mod engine;
mod flags;
mod meter;
mod offsets;
mod problem;
mod replacement;
mod search;
mod syntax;
mod weight;

pub use self::flags::Flags;
pub use self::offsets::Place;
pub use self::search::{Found, Group, Match, Pattern};
