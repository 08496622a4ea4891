//! Regular expressions: search and replacement, with a limit on the work.
//!
//! The syntax is fancy-regex's: that of Rust's `regex` (Perl's, with Unicode classes) plus
//! look-around, back-references, atomic groups, conditionals and subroutine calls. Searching
//! follows ECMA-262: `g` finds all matches; an empty match counts, even right after another match;
//! replacements are in JavaScript's notation.
//!
//! For any pattern and text, a search ends in bounded time. A pattern that could grow too large is
//! refused before it is compiled (`cost`). A linear pattern runs on automata that can be stopped
//! anywhere: on a lazy one (`dfa`), or on a short text by simulation (`automaton`), with its classes
//! narrowed to the characters of that text (`linear`). Any other runs on fancy-regex's backtracking
//! engine: its search checks the deadline between two matches, and whenever the engine reads the text
//! (`meter`); the work between two such checks takes at most a tenth of a second.

mod automaton;
#[cfg(feature = "tools")]
mod cache;
mod cost;
mod dfa;
mod engine;
mod errors;
mod flags;
mod found;
mod limits;
mod linear;
mod meter;
mod offsets;
mod parsed;
mod replacement;
mod search;
mod syntax;
mod until;

pub use self::flags::Flags;
pub use self::found::{Found, Group, Match};
pub use self::limits::Limits;
pub use self::offsets::Offset;
pub use self::search::Pattern;
pub use self::until::Search;
