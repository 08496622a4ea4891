//! ASCII form of a linear pattern: what it is on a text of ASCII alone.
//!
//! On such a text `\w` is 63 characters and not 140,000, and a pattern whose classes are read so is
//! compiled in a tenth of the time. It matches what it matched, as long as nothing in it stands for
//! a character beyond ASCII: without regard to case, `ſ` would match an `s`.

use regex_syntax::hir::Hir;

#[cfg(feature = "tools")]
use super::Flags;

/// What may stand for a character beyond ASCII, or combine classes.
const NOT_ASCII: [&str; 9] = ["\\x", "\\u", "\\U", "\\p", "\\P", "(?u", "&&", "--", "~~"];

/// Reads a pattern for texts of ASCII; none where it is not sure to match the same.
pub(super) fn read(pattern: &str) -> Option<Hir> {
    if !pattern.is_ascii() || NOT_ASCII.iter().any(|part| pattern.contains(part)) {
        return None;
    }
    let mut parser = regex_syntax::ParserBuilder::new()
        .unicode(false)
        .utf8(false)
        .build();
    parser.parse(pattern).ok()
}

/// Whether the classes of a pattern are read in no time also where they are those of Unicode: to
/// find the other case of each of their characters can take a millisecond for a class.
#[cfg(feature = "tools")]
pub(super) fn is_quick_to_read(pattern: &str, flags: Flags) -> bool {
    let mut after_opening = pattern.match_indices("(?").map(|(at, opening)| {
        let next = pattern.as_bytes().get(at + opening.len());
        next.copied().unwrap_or_default()
    });
    let sets_flags = after_opening.any(|next| next.is_ascii_lowercase() || next == b'-');
    let has_wide_class = ["\\w", "\\W", "\\d", "\\D", "\\s", "\\S"]
        .iter()
        .any(|class| pattern.contains(class));
    let is_ascii = pattern.is_ascii() && !NOT_ASCII.iter().any(|part| pattern.contains(part));
    is_ascii && !(has_wide_class && (sets_flags || flags.has('i')))
}
