//! Diagnosis of tokens from other notations: comments, single quotes, `NaN`, `undefined`.

use super::{Defect, ErrorContext};

/// Names the defect if the character at the fault belongs to another notation.
pub(super) fn defect(ctx: ErrorContext<'_>) -> Option<Defect> {
    let rest = ctx.rest();
    let next = ctx.next()?;
    let (what, hint) = match next {
        '\'' => ("a string in single quotes", "use double quotes"),
        '`' => ("a string in backticks", "use double quotes"),
        '“' | '”' | '„' | '‘' | '’' | '«' | '»' => {
            ("a typographic quote", "use the straight double quote \"")
        }
        '/' if rest.starts_with("//") || rest.starts_with("/*") => COMMENT,
        '#' => COMMENT,
        '<' if rest.starts_with("<!--") => COMMENT,
        '\\' => ("a backslash outside a string", "the text may have been escaped once too often"),
        '…' => ELLIPSIS,
        '.' if rest.starts_with("...") => ELLIPSIS,
        '\u{FEFF}' => (
            "a byte order mark inside the text",
            "remove it: only at the very start it is passed over",
        ),
        '\0' => ("a NUL character", "send the text as UTF-8"),
        _ if is_invisible(next) => {
            let what = format!("the character U+{:04X} between tokens", u32::from(next));
            let hint = "only space, tab, line feed and carriage return may stand there";
            return Some(ctx.defect(what, hint));
        }
        _ => return None,
    };
    Some(ctx.defect(what, hint))
}

const COMMENT: (&str, &str) = ("a comment", "JSON has no comments: remove it");
const ELLIPSIS: (&str, &str) = ("an ellipsis", "write out what was left out");

/// White space and invisible format characters.
fn is_invisible(character: char) -> bool {
    let zero_width =
        matches!(character, '\u{AD}' | '\u{200B}'..='\u{200F}' | '\u{2060}'..='\u{2064}');
    character.is_whitespace() || character.is_control() || zero_width
}
