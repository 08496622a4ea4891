//! Scalar quoting: writes a scalar on one line so that it reads back unchanged (YAML 1.2.2 §7.3).

use std::fmt::Write as _;

use super::ambiguous::is_ambiguous;
use super::tree::Style;

/// Maximum length of a key without a `?`, in characters (§7.4.2).
const SIMPLE_KEY_CHARACTERS_MAX: usize = 1024;

/// Context of a scalar, which determines the forbidden characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Context {
    /// Inside a flow collection.
    Flow,
    /// Elsewhere.
    Block,
}

/// Writes a scalar on one line, in its own style if possible.
///
/// `source` is the scalar as written, with its quotes, or empty if there is no source.
pub(super) fn push_scalar(
    out: &mut String,
    text: &str,
    style: Style,
    source: &str,
    context: Context,
) {
    match style {
        Style::Plain if can_be_plain(text, context) => out.push_str(text),
        Style::Free if is_plain_string(text, context) => out.push_str(text),
        Style::SingleQuoted | Style::DoubleQuoted if !source.contains(['\n', '\r']) => {
            out.push_str(source);
        }
        Style::DoubleQuoted => push_double_quoted(out, text),
        _ => push_quoted(out, text),
    }
}

/// Whether a string can be written without quotes and read back as the same text. How a schema then
/// resolves it is another question.
pub(super) fn can_be_plain(text: &str, context: Context) -> bool {
    let mut characters = text.chars();
    let Some(first) = characters.next() else {
        return false;
    };
    let begins = match first {
        '-' => match characters.next() {
            Some(second) => second.is_ascii_alphanumeric() || matches!(second, '-' | '.'),
            None => false,
        },
        '?' | ':' | ',' | '[' | ']' | '{' | '}' | '#' | '&' | '*' | '!' | '|' | '>' | '\''
        | '"' | '%' | '@' | '`' => false,
        _ => true,
    };
    // At the start of a line these mark a document, if a space or the end follows.
    let marks_document = text.starts_with("---") || text.starts_with("...");
    let is_padded = text.starts_with(' ') || text.ends_with([' ', ':']);
    let is_forbidden = |character| match character {
        // A question mark is an indicator to parsers of YAML 1.1.
        ',' | '[' | ']' | '{' | '}' | '?' => context == Context::Flow,
        character => needs_escape(character),
    };
    begins
        && !marks_document
        && !is_padded
        && !text.contains(": ")
        && !text.contains(" #")
        && !text.contains(is_forbidden)
}

/// Whether every parser reads a string without quotes as that string.
pub(super) fn is_plain_string(text: &str, context: Context) -> bool {
    can_be_plain(text, context) && !is_ambiguous(text)
}

/// Writes a string in quotes, on one line.
///
/// Single quotes, if it has backslashes or double quotes and they save escapes.
pub(super) fn push_quoted(out: &mut String, text: &str) {
    let single = text.contains(['"', '\\']) && !text.contains('\'') && !text.contains(needs_escape);
    if single {
        out.extend(["'", text, "'"]);
    } else {
        push_double_quoted(out, text);
    }
}

/// Writes any string, on one line (§5.7).
pub(super) fn push_double_quoted(out: &mut String, text: &str) {
    out.push('"');
    let mut rest = text;
    while let Some(at) =
        rest.find(|character| matches!(character, '"' | '\\') || needs_escape(character))
    {
        let (before, special) = rest.split_at(at);
        out.push_str(before);
        let mut characters = special.chars();
        if let Some(character) = characters.next() {
            push_escape(out, character);
        }
        rest = characters.as_str();
    }
    out.push_str(rest);
    out.push('"');
}

fn push_escape(out: &mut String, character: char) {
    match character {
        '\0' => out.push_str("\\0"),
        '\t' => out.push_str("\\t"),
        '\n' => out.push_str("\\n"),
        '\r' => out.push_str("\\r"),
        '\u{1B}' => out.push_str("\\e"),
        '\u{85}' => out.push_str("\\N"),
        '\u{2028}' => out.push_str("\\L"),
        '\u{2029}' => out.push_str("\\P"),
        '"' | '\\' => out.extend(['\\', character]),
        // Writing to a string cannot fail.
        _ => {
            let _ = match u32::from(character) {
                code @ ..0x100 => write!(out, "\\x{code:02X}"),
                code @ ..0x1_0000 => write!(out, "\\u{code:04X}"),
                code => write!(out, "\\U{code:08X}"),
            };
        }
    }
}

/// Whether a character is a line break or a tab, or one that a parser of YAML 1.1 or 1.2 refuses,
/// reads as a line break, or drops.
pub(super) fn needs_escape(character: char) -> bool {
    match character {
        ' '..='~' => false,
        '\u{85}' | '\u{2028}' | '\u{2029}' | '\u{FEFF}' | '\u{FFFE}' | '\u{FFFF}' => true,
        character => character < '\u{A0}',
    }
}

/// Whether a key as written, with its properties, needs no `?`.
pub(super) fn is_simple_key(written: &str) -> bool {
    written.len() <= SIMPLE_KEY_CHARACTERS_MAX
        || written.chars().count() <= SIMPLE_KEY_CHARACTERS_MAX
}
