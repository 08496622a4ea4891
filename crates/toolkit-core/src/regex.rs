//! Regular expressions: search and replacement, with a limit on the work.
//!
//! The syntax is fancy-regex's: that of Rust's `regex` (Perl's, with Unicode classes) plus
//! look-around, back-references, atomic groups, conditionals and subroutine calls. Searching
//! follows ECMA-262. `g` finds all matches. An empty match counts, even right after another match.
//! Replacements use JavaScript's notation. fancy-regex refuses to repeat a group that only looks
//! around, `(?:(?=…))?`; the refusal says to write `(?:(?=…)|)`.
//!
//! For any pattern and text, a search ends in bounded time. A pattern that could grow too large is
//! refused before it is compiled (`cost`). A linear pattern runs on automata that can be stopped
//! anywhere: a lazy one (`dfa`), or for a short text a simulation (`automaton`), with its classes
//! narrowed to that text's characters (`linear`). Any other pattern runs on fancy-regex's
//! backtracking engine. Its search checks the deadline between two matches, and whenever the engine
//! reads the text (`meter`). The work between two such checks takes at most a tenth of a second.

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
