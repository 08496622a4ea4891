//! Regular expressions: search and replacement, with a limit on the work.
//!
//! The syntax is fancy-regex's: that of Rust's `regex` (Perl's, with Unicode classes) and
//! look-around, back-references, atomic groups, conditionals and calls of groups. Searching follows
//! ECMA-262: `g` for all matches; an empty match is one, also right after another; and replacements
//! are in JavaScript's notation.
//!
//! Whatever pattern and text are, a search ends in a bounded time, and really ends. A pattern that
//! could grow too large is refused before it is compiled (`cost`). A search asks between two finds,
//! and whenever the backtracking engine looks at the text, whether its time is over (`meter`); what
//! can happen between two such questions takes a tenth of a second at most. A linear pattern that
//! could take longer runs on an automaton that can be stopped anywhere (`automaton`); so does one
//! on a short text, with its classes narrowed to the characters of that text (`narrow_classes`) or
//! to ASCII (`ascii`).

mod ascii;
mod automaton;
#[cfg(feature = "tools")]
mod cache;
mod class_states;
mod cost;
mod engine;
mod errors;
mod flags;
mod found;
mod limits;
mod linear;
mod meter;
mod narrow_classes;
mod offsets;
#[cfg(feature = "tools")]
mod quick;
mod replacement;
mod search;
mod syntax;

#[cfg(feature = "tools")]
pub use self::cache::PatternCache;
pub use self::flags::Flags;
pub use self::found::{Found, Group, Match};
pub use self::limits::Limits;
pub use self::offsets::Place;
pub use self::search::Pattern;
