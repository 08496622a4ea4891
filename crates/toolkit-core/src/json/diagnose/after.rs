//! Diagnosis after a value, where only a comma, a closing bracket or the end may follow.

use super::{Bracket, Defect, ErrorContext, other_syntax, value};
use crate::echo::Echo;

/// Inside an array or object.
pub(super) fn value_defect(ctx: ErrorContext<'_>) -> Defect {
    let Some(next) = ctx.next() else {
        return ctx.unclosed();
    };
    if let Some(defect) = token_goes_on(ctx).or_else(|| other_syntax::defect(ctx)) {
        return defect;
    }
    let in_object = ctx.frames.last().map(|frame| frame.bracket) == Some(Bracket::Object);
    match next {
        ']' | '}' => ctx.mismatch(next),
        ':' if in_object => {
            ctx.defect("a second colon in one member", "a comma stands between members")
        }
        ':' => ctx.defect("a colon in an array", "members with names stand in { }"),
        ';' => ctx.defect("a semicolon in place of a comma", "write a comma"),
        _ if super::is_word(next) || matches!(next, '"' | '[' | '{' | '-') => {
            ctx.defect("a missing comma", "a comma stands between values")
        }
        _ => {
            let closing = if in_object { '}' } else { ']' };
            let what = format!("{} after a value", Echo(&next.to_string()));
            ctx.defect(what, format!("a comma or `{closing}` should follow"))
        }
    }
}

/// After the whole document.
pub(super) fn document_defect(ctx: ErrorContext<'_>) -> Defect {
    if let Some(defect) = token_goes_on(ctx).or_else(|| other_syntax::defect(ctx)) {
        return defect;
    }
    match ctx.next() {
        Some(next @ (']' | '}')) => ctx.mismatch(next),
        Some(',') => ctx.defect(
            "a comma after the document",
            "remove it, or put several values into one array",
        ),
        Some(':') => ctx.defect("a member outside an object", "put it between { and }"),
        Some('"' | '[' | '{' | '-' | '0'..='9' | 't' | 'f' | 'n') => ctx.defect(
            "a second document",
            "one text holds one value: put several, or the lines of JSON Lines, into one array",
        ),
        _ => ctx.defect("text after the document", "remove what follows the value"),
    }
}

/// A number, literal or string that does not end where it should.
fn token_goes_on(ctx: ErrorContext<'_>) -> Option<Defect> {
    let goes_on = |next: char| super::is_word(next) || matches!(next, '.' | '-' | '+');
    if !ctx.next().is_some_and(goes_on) {
        return None;
    }
    let before = ctx.before();
    let start = before.trim_end_matches(goes_on).len();
    if start == ctx.at {
        return string_goes_on(ctx);
    }
    let from_start = ctx.text.get(start..)?;
    let end = from_start.find(|next: char| !goes_on(next));
    let token = from_start.get(..end.unwrap_or(from_start.len()))?;
    let ctx = ctx.moved_to(start);
    Some(match token.as_bytes() {
        [b'0', b'x' | b'X' | b'o' | b'O' | b'b' | b'B', ..] => ctx.defect(
            format!("the number {} is not decimal", Echo(token)),
            "write it in decimal, or as a string",
        ),
        [b'-' | b'0'..=b'9', ..] => ctx.defect(
            format!("{} is not a number", Echo(token)),
            "a number has digits, a point and an exponent only; put text in double quotes",
        ),
        _ => value::word(ctx),
    })
}

/// Text immediately after a closing quote.
pub(super) fn string_goes_on(ctx: ErrorContext<'_>) -> Option<Defect> {
    let touches = ctx.before().ends_with('"') && ctx.next().is_some_and(super::is_word);
    touches.then(|| {
        ctx.defect("text after the end of a string", "inside a string a quote is written \\\"")
    })
}
