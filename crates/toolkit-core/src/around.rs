//! Surroundings of a value: what gets copied along with it from a program, a document or a log, and
//! look-alike characters.
//!
//! Only for values that cannot begin or end with any of it. Patterns and texts to encode are left
//! alone.

#[cfg(feature = "tools")]
use std::borrow::Cow;

use crate::warnings::{WarningKind, Warnings};

/// Quotes of programs and of word processors, and Markdown's.
pub(crate) const QUOTES: [char; 14] =
    ['"', '\'', '`', '\u{B4}', '«', '»', '‘', '’', '‚', '‛', '“', '”', '„', '‟'];
/// Brackets of logs and of lists.
const BRACKETS: [(char, char); 3] = [('[', ']'), ('(', ')'), ('<', '>')];
/// Stands before the text of some files.
const BYTE_ORDER_MARK: char = '\u{FEFF}';
/// The marks of a code block in Markdown.
const FENCES: [&str; 2] = ["```", "~~~"];

/// Strips the surroundings of a value, with a warning that names them. White space is kept.
pub(crate) fn bare<'a>(text: &'a str, what: &str, warnings: &mut Warnings) -> &'a str {
    let quoted = |text: &'a str| text.trim_matches(QUOTES);
    let (rest, taken) = peeled(text, |_| true, quoted, &BRACKETS);
    if taken.is_empty() {
        return text;
    }
    warn_of(&taken, what, warnings);
    rest
}

fn warn_of(taken: &[&str], what: &str, warnings: &mut Warnings) {
    let sentence = format!("Left out around {what}: {}.", taken.join(", "));
    warnings.add(WarningKind::Dropped, sentence);
}

/// The text without its surroundings, and their names.
fn peeled<'a>(
    text: &'a str,
    is_listed: impl Fn(&str) -> bool,
    without_quotes: impl Fn(&'a str) -> &'a str,
    brackets: &[(char, char)],
) -> (&'a str, Vec<&'static str>) {
    let is_space = |c: char| c.is_whitespace() || is_zero_width(c);
    let mut rest = text;
    let mut taken: Vec<&str> = Vec::new();
    let mut take = |name| {
        if !taken.contains(&name) {
            taken.push(name);
        }
    };
    loop {
        let before = rest.len();
        let trimmed = rest.trim_matches(is_space);
        for end in [rest.chars().next(), rest.chars().next_back()].into_iter().flatten() {
            if is_zero_width(end) {
                take(if end == BYTE_ORDER_MARK {
                    "a byte order mark"
                } else {
                    "a zero-width space"
                });
            }
        }
        rest = trimmed;
        if let Some(inside) = in_fence(rest) {
            take("a code fence");
            rest = inside;
        }
        let listed = rest.trim_end_matches([',', ';']);
        if listed.len() < rest.len() && is_listed(listed) {
            take("a comma or semicolon");
            rest = listed;
        }
        let quoted = without_quotes(rest);
        if quoted.len() < rest.len() {
            take("quotes");
            rest = quoted;
        }
        for &(open, close) in brackets {
            if let Some(inside) = rest.strip_prefix(open).and_then(|rest| rest.strip_suffix(close))
            {
                take("brackets");
                rest = inside;
            }
        }
        if rest.len() == before {
            return (rest, taken);
        }
    }
}

/// The text inside a code block of Markdown, without the language in its first line. The end may be
/// missing, as in an answer that was cut.
pub(crate) fn in_fence(text: &str) -> Option<&str> {
    let text = text.trim_start();
    let fence = FENCES.iter().find(|fence| text.starts_with(**fence))?;
    let (language, rest) = text.strip_prefix(fence)?.split_once('\n')?;
    let is_language =
        language.trim().chars().all(|c| c.is_ascii_alphanumeric() || "+-_.".contains(c));
    let inside = rest.trim_end().strip_suffix(fence).unwrap_or(rest);
    (is_language && !inside.contains(fence)).then_some(inside)
}

/// Strips what surrounds a document that begins and ends with one of the brackets, if any: with a
/// warning, a code fence, and if there are brackets, quotes and a comma or semicolon. White space
/// replaces it, so that positions are kept, except before an XML declaration, which must come first.
#[cfg(feature = "tools")]
pub(crate) fn document<'a>(
    whole: &'a str,
    brackets: &str,
    warnings: &mut Warnings,
) -> Cow<'a, str> {
    let text = whole.strip_prefix('\u{FEFF}').unwrap_or(whole);
    let is_bracket = |c: char| brackets.contains(c);
    let is_listed = |rest: &str| rest.ends_with(is_bracket) || rest.ends_with(QUOTES);
    let without_quotes = |rest: &'a str| {
        let inside = rest.trim_matches(QUOTES);
        let is_document = inside.starts_with(is_bracket) && inside.ends_with(is_bracket);
        let is_value = brackets == JSON && is_string(rest);
        if is_document && !is_value { inside } else { rest }
    };
    let (inside, taken) = match in_fence(text) {
        Some(inside) if brackets.is_empty() => (inside, vec!["a code fence"]),
        None if brackets.is_empty() => return Cow::Borrowed(whole),
        _ => peeled(text, is_listed, without_quotes, &[]),
    };
    if taken.is_empty() {
        return Cow::Borrowed(whole);
    }
    warn_of(&taken, "the text", warnings);
    if inside.starts_with("<?xml") {
        return Cow::Borrowed(inside);
    }
    let start = inside.as_ptr().addr() - text.as_ptr().addr();
    let before = text.get(..start).unwrap_or_default();
    let column = before.chars().rev().take_while(|&c| c != '\n').count();
    Cow::Owned("\n".repeat(before.matches('\n').count()) + &" ".repeat(column) + inside)
}

/// The brackets of JSON.
#[cfg(feature = "tools")]
pub(crate) const JSON: &str = "{}[]";

/// Whether a text is a single string of JSON.
#[cfg(feature = "tools")]
fn is_string(text: &str) -> bool {
    let mut is_escaped = false;
    let is_end = |c: char| {
        let is_end = !is_escaped && matches!(c, '"' | '\n');
        is_escaped = !is_escaped && c == '\\';
        is_end
    };
    text.strip_prefix('"').and_then(|rest| rest.split_once(is_end)).is_some_and(|(string, rest)| {
        rest.is_empty() && text.len() == string.len() + 2 && text.ends_with('"')
    })
}

/// The name of the first character that looks like a space, where a space would separate in YAML: at the
/// start, or after a sign.
#[cfg(feature = "yaml")]
pub(crate) fn odd_space(text: &str) -> Option<String> {
    text.char_indices().find_map(|(index, character)| {
        let (name, _) = look_alike(character).filter(|_| character.is_whitespace())?;
        let before = text.get(..index)?.chars().next_back();
        let code = u32::from(character);
        let is_odd = before.is_none_or(|before| ":,-".contains(before));
        is_odd.then(|| format!("{name} (U+{code:04X})"))
    })
}

/// Whether a character is invisible and has no width.
pub(crate) fn is_zero_width(character: char) -> bool {
    matches!(character, '\u{AD}' | '\u{200B}'..='\u{200F}' | '\u{2060}'..='\u{2064}' | '\u{FEFF}')
}

/// The name of a character that looks like a space, a hyphen or a quote, or is invisible, and what
/// to write instead.
pub(crate) fn look_alike(character: char) -> Option<(&'static str, &'static str)> {
    const HYPHEN: &str = "write `-`";
    const SPACE: &str = "write a space";
    const SINGLE: &str = "write `'`";
    const DOUBLE: &str = "write `\"`";
    Some(match character {
        '\u{A0}' | '\u{202F}' => ("a no-break space", SPACE),
        '\u{2002}' => ("an en space", SPACE),
        '\u{2003}' => ("an em space", SPACE),
        '\u{2000}'..='\u{200A}' | '\u{205F}' | '\u{3000}' => ("a wide or narrow space", SPACE),
        '\u{200B}' => ("a zero-width space", "remove it"),
        BYTE_ORDER_MARK => ("a byte order mark", "remove it"),
        _ if is_zero_width(character) => ("an invisible character", "remove it"),
        '\u{2010}' | '\u{2011}' => ("a typographic hyphen", HYPHEN),
        '\u{2012}' | '\u{2013}' => ("an en dash", HYPHEN),
        '\u{2014}' | '\u{2015}' => ("an em dash", HYPHEN),
        '\u{2212}' => ("a minus sign", HYPHEN),
        '‘' | '’' | '‚' | '‛' | '\u{B4}' => ("a typographic quote", SINGLE),
        '“' | '”' | '„' | '‟' | '«' | '»' => ("a typographic quote", DOUBLE),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_surrounds_a_value_is_taken_off_and_named_once() {
        for (text, taken) in [
            ("x y", ""),
            (" x y\n", ""),
            ("'x y'", "quotes"),
            ("“x y”", "quotes"),
            ("«x y»", "quotes"),
            ("`x y`", "quotes"),
            ("```\nx y\n```", "a code fence"),
            ("```json\nx y\n```\n", "a code fence"),
            ("[x y]", "brackets"),
            ("x y,", "a comma or semicolon"),
            ("\"x y\";", "a comma or semicolon, quotes"),
            ("['x y']", "brackets, quotes"),
            ("\u{200B}x y", "a zero-width space"),
            ("\u{FEFF}x y", "a byte order mark"),
        ] {
            let mut warnings = Warnings::new();
            assert_eq!(bare(text, "the value", &mut warnings).trim(), "x y", "{text}");
            let said = format!("Left out around the value: {taken}.");
            let said = if taken.is_empty() { vec![] } else { vec![said.as_str()] };
            assert_eq!(warnings.sentences(), said, "{text}");
        }
    }

    #[test]
    fn a_text_with_several_code_blocks_stays_as_it_is() {
        for text in ["```\na\n```\nb\n```\nc\n```", "```a```", "``` a b\nc\n```", "a\n```"] {
            assert_eq!(in_fence(text), None, "{text}");
        }
    }

    #[test]
    fn a_fence_may_have_tildes_and_no_end() {
        for (text, inside) in [("~~~json\na\n~~~", "a\n"), ("```json\na\n", "a\n")] {
            assert_eq!(in_fence(text), Some(inside), "{text}");
        }
    }

    #[cfg(feature = "tools")]
    #[test]
    fn what_surrounds_a_document_is_replaced_by_white_space() {
        for (text, brackets, inside, taken) in [
            ("'{\"a\":1}'", JSON, " {\"a\":1}", "quotes"),
            ("`{\"a\":1}`,", JSON, " {\"a\":1}", "a comma or semicolon, quotes"),
            ("\"{\"a\":1}\"", JSON, " {\"a\":1}", "quotes"),
            ("“[1]”", JSON, " [1]", "quotes"),
            ("\"[1,\n2]\"", JSON, " [1,\n2]", "quotes"),
            (" ```json\n\"a\";\n```", JSON, "\n\"a\"", "a code fence, a comma or semicolon"),
            ("<a b=\"c\"/>;", "<>", "<a b=\"c\"/>", "a comma or semicolon"),
            ("\"<a/>\"", "<>", " <a/>", "quotes"),
            ("'<?xml version=\"1.0\"?><a/>'", "<>", "<?xml version=\"1.0\"?><a/>", "quotes"),
            ("~~~\n'a',\n~~~", "", "\n'a',\n", "a code fence"),
        ] {
            let mut warnings = Warnings::new();
            assert_eq!(document(text, brackets, &mut warnings), inside, "{text}");
            assert_eq!(warnings.sentences(), [format!("Left out around the text: {taken}.")]);
        }
        for (text, brackets) in [
            ("\"{}\"", JSON),
            ("\"{\\\"a\\\":1}\"", JSON),
            (" [1] ", JSON),
            ("\u{FEFF}7", JSON),
            ("[1,", JSON),
            ("'a',", ""),
        ] {
            let mut warnings = Warnings::new();
            assert_eq!(document(text, brackets, &mut warnings), text);
            assert!(warnings.is_empty(), "{text}");
        }
    }
}
