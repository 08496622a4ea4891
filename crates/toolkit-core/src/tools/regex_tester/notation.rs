//! Foreign notations: the meaning here of a pattern from another language.

use crate::regex::Pattern;
use crate::warnings::{WarningKind, Warnings};

/// Warns of a pattern that probably means something else than its author thinks.
pub(super) fn warn(
    source: &str,
    pattern: &Pattern,
    text: &str,
    found: bool,
    warnings: &mut Warnings,
) {
    let mut note = |sentence: &'static str| warnings.add(WarningKind::Note, sentence);
    if !found {
        if has_delimiters(source) {
            note(
                "The slashes around the pattern are matched literally: leave them out, and put the \
                 letters after them into `flags`.",
            );
        }
        if is_quoted(source) {
            note("The quotes around the pattern are matched literally: leave them out.");
        }
        if has_doubled_backslash(source) {
            note(
                "`\\\\` matches a backslash: write `\\d` and the like with one; you don't need to \
                 double backslashes here.",
            );
        }
    }
    if outside_classes(source, "(?R)") {
        note(
            "`(?R)` is the flag R (CRLF at line ends) here; the whole pattern is called by `\\g<0>`.",
        );
    }
    if escapes(source).any(|(escaped, _)| escaped == 'h') {
        note("`\\h` is a hexadecimal digit here; write `[ \\t]` for Perl's horizontal space.");
    }
    if open_repetition(source) {
        note("`{,n}` is a repetition from 0 to n here; JavaScript and others match it literally.");
    }
    if balancing_group(source) {
        note("A `-` is part of a group's name here; there are no balancing groups as in .NET.");
    }
    if pattern.refers_without_case() && text.chars().any(changes_length) {
        note(
            "A back-reference that ignores case misses a letter whose other case has another \
             length in UTF-8, as in `ẞß`.",
        );
    }
}

/// Whether a pattern looks like `/…/g`.
fn has_delimiters(pattern: &str) -> bool {
    let inside = pattern.strip_prefix('/').and_then(|rest| rest.rsplit_once('/'));
    inside.is_some_and(|(_, flags)| flags.bytes().all(|byte| byte.is_ascii_lowercase()))
}

/// Whether a pattern is within quotes, also those of Python, Rust and C#.
fn is_quoted(pattern: &str) -> bool {
    let bare = pattern.strip_prefix(['r', '@']).unwrap_or(pattern);
    let bare = bare.trim_matches('#');
    ['"', '\'', '`'].iter().any(|&quote| {
        let inside = bare.strip_prefix(quote).and_then(|rest| rest.strip_suffix(quote));
        inside.is_some_and(|inside| !inside.is_empty())
    })
}

/// Whether a backslash is doubled before a letter or sign that takes one.
fn has_doubled_backslash(pattern: &str) -> bool {
    escapes(pattern).any(|(escaped, next)| {
        escaped == '\\' && next.is_some_and(|c| "dDwWsSbB.()[]{}+*?/-$^|tnr".contains(c))
    })
}

/// The characters that are escaped, each with the next one.
fn escapes(pattern: &str) -> impl Iterator<Item = (char, Option<char>)> {
    let mut characters = pattern.chars().peekable();
    std::iter::from_fn(move || {
        characters.find(|&character| character == '\\')?;
        Some((characters.next()?, characters.peek().copied()))
    })
}

/// Whether a pattern has a part that is neither escaped nor in a class.
fn outside_classes(pattern: &str, part: &str) -> bool {
    places(pattern).any(|place| pattern.get(place..).is_some_and(|rest| rest.starts_with(part)))
}

fn open_repetition(pattern: &str) -> bool {
    places(pattern).any(|place| {
        let rest = pattern.get(place..).and_then(|rest| rest.strip_prefix("{,"));
        let count = rest.and_then(|rest| rest.split_once('}'));
        count.is_some_and(|(count, _)| {
            !count.is_empty() && count.bytes().all(|b| b.is_ascii_digit())
        })
    })
}

fn balancing_group(pattern: &str) -> bool {
    places(pattern).any(|place| {
        let rest = pattern.get(place..).and_then(|rest| rest.strip_prefix("(?<"));
        let name = rest.and_then(|rest| rest.split_once('>'));
        let is_letter = |c: char| c.is_alphanumeric() || "_-".contains(c);
        name.is_some_and(|(name, _)| name.contains('-') && name.chars().all(is_letter))
    })
}

/// Byte offsets of the characters that are neither escaped nor in a class.
fn places(pattern: &str) -> impl Iterator<Item = usize> {
    let (mut is_escaped, mut in_class) = (false, false);
    pattern.char_indices().filter_map(move |(place, character)| {
        let is_plain = !is_escaped && !in_class;
        match character {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            '[' => in_class = true,
            ']' => in_class = false,
            _ => {}
        }
        is_plain.then_some(place)
    })
}

/// Whether the other case of a character has another length in UTF-8.
fn changes_length(character: char) -> bool {
    let single = |mut cases: std::iter::Chain<std::char::ToLowercase, std::char::ToUppercase>| {
        cases.any(|case| case.len_utf8() != character.len_utf8())
    };
    !character.is_ascii() && single(character.to_lowercase().chain(character.to_uppercase()))
}
