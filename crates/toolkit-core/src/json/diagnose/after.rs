//! Diagnosis after a value, where only a comma, a closing bracket or the end may follow.

use super::{Bracket, Defect, ErrorContext, other_syntax, value};
use crate::echo::Echo;

/// Inside an array or object.
pub(super) fn value_defect(scene: ErrorContext<'_>) -> Defect {
    let Some(next) = scene.next() else {
        return scene.unclosed();
    };
    if let Some(defect) = token_goes_on(scene).or_else(|| other_syntax::defect(scene)) {
        return defect;
    }
    let in_object = scene.frames.last().map(|frame| frame.bracket) == Some(Bracket::Object);
    match next {
        ']' | '}' => scene.mismatch(next),
        ':' if in_object => scene.defect(
            "a second colon in one member",
            "a comma stands between members",
        ),
        ':' => scene.defect("a colon in an array", "members with names stand in { }"),
        ';' => scene.defect("a semicolon in place of a comma", "write a comma"),
        _ if super::is_word(next) || matches!(next, '"' | '[' | '{' | '-') => {
            scene.defect("a missing comma", "a comma stands between values")
        }
        _ => {
            let closing = if in_object { '}' } else { ']' };
            let what = format!("{} after a value", Echo(&next.to_string()));
            scene.defect(what, format!("a comma or `{closing}` should follow"))
        }
    }
}

/// After the whole document.
pub(super) fn document_defect(scene: ErrorContext<'_>) -> Defect {
    if let Some(defect) = token_goes_on(scene).or_else(|| other_syntax::defect(scene)) {
        return defect;
    }
    match scene.next() {
        Some(next @ (']' | '}')) => scene.mismatch(next),
        Some(',') => scene.defect(
            "a comma after the document",
            "remove it, or put several values into one array",
        ),
        Some(':') => scene.defect("a member outside an object", "put it between { and }"),
        Some('"' | '[' | '{' | '-' | '0'..='9' | 't' | 'f' | 'n') => scene.defect(
            "a second document",
            "one text holds one value: put several, or the lines of JSON Lines, into one array",
        ),
        _ => scene.defect("text after the document", "remove what follows the value"),
    }
}

/// A number, literal or string that does not end where it should.
fn token_goes_on(scene: ErrorContext<'_>) -> Option<Defect> {
    let goes_on = |next: char| super::is_word(next) || matches!(next, '.' | '-' | '+');
    if !scene.next().is_some_and(goes_on) {
        return None;
    }
    let before = scene.before();
    let start = before.trim_end_matches(goes_on).len();
    if start == scene.at {
        return string_goes_on(scene);
    }
    let from_start = scene.text.get(start..)?;
    let end = from_start.find(|next: char| !goes_on(next));
    let token = from_start.get(..end.unwrap_or(from_start.len()))?;
    let scene = scene.moved_to(start);
    Some(match token.as_bytes() {
        [b'0', b'x' | b'X' | b'o' | b'O' | b'b' | b'B', ..] => scene.defect(
            format!("the number {} is not decimal", Echo(token)),
            "write it in decimal, or as a string",
        ),
        [b'-' | b'0'..=b'9', ..] => scene.defect(
            format!("{} is not a number", Echo(token)),
            "a number has digits, a point and an exponent only; put text in double quotes",
        ),
        _ => value::word(scene),
    })
}

/// Text immediately after a closing quote.
pub(super) fn string_goes_on(scene: ErrorContext<'_>) -> Option<Defect> {
    let touches = scene.before().ends_with('"') && scene.next().is_some_and(super::is_word);
    touches.then(|| {
        scene.defect(
            "text after the end of a string",
            "inside a string a quote is written \\\"",
        )
    })
}
