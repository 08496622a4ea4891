//! Diagnosis where a value should begin.

use super::{Defect, ErrorContext, other_syntax};
use crate::echo::Echo;

pub(super) fn defect(ctx: ErrorContext<'_>) -> Defect {
    let Some(next) = ctx.next() else {
        return at_the_end(ctx);
    };
    match next {
        ')' if ctx.rest().starts_with(")]}'") => {
            ctx.defect("the prefix `)]}'` before the JSON", "remove it")
        }
        ']' | '}' => closing(ctx, next),
        ',' if ctx.last() == Some(':') => without_value(ctx),
        ',' => ctx.defect(
            "a comma without a value before it",
            "remove it, or write null for a value that is missing",
        ),
        ':' => ctx.defect("a colon in place of a value", "a member is \"name\": value"),
        '+' => ctx.defect("a plus sign before a number", "remove the plus sign"),
        _ => other_syntax::defect(ctx).or_else(|| other_notation(ctx, next)).unwrap_or_else(|| {
            let what = format!("{} where a value should begin", Echo(&next.to_string()));
            ctx.defect(what, "a value is a string, number, array, object or literal")
        }),
    }
}

fn at_the_end(ctx: ErrorContext<'_>) -> Defect {
    if !ctx.frames.is_empty() {
        return ctx.unclosed();
    }
    let what = match ctx.text {
        "" => "the text is empty",
        _ => "the text holds nothing but white space",
    };
    ctx.defect(what, "send one value, such as {} or null")
}

fn closing(ctx: ErrorContext<'_>, next: char) -> Defect {
    let fits = |frame: &super::Frame| frame.bracket.words().1 == next;
    match ctx.last() {
        Some(':') => without_value(ctx),
        Some(',') if ctx.frames.last().is_some_and(fits) => ctx.trailing_comma(next),
        _ => ctx.mismatch(next),
    }
}

/// A name and a colon without a value.
fn without_value(ctx: ErrorContext<'_>) -> Defect {
    ctx.defect("a name without a value", "write a value after the colon, or null")
}

fn other_notation(ctx: ErrorContext<'_>, next: char) -> Option<Defect> {
    match next {
        '.' => Some(
            ctx.defect("a number without a digit before its point", "write a 0 before the point"),
        ),
        '<' => Some(ctx.defect("`<` where a value should begin", "this looks like XML or HTML")),
        '%' | '@' | '&' | '*' | '!' | '|' | '>' => None,
        _ if super::is_word(next) => Some(word(ctx)),
        _ => None,
    }
}

/// A word that is not a JSON literal.
pub(super) fn word(ctx: ErrorContext<'_>) -> Defect {
    let word = ctx.word();
    let shown = Echo(word);
    match word.to_ascii_lowercase().as_str() {
        "nan" | "inf" | "infinity" => not_a_number(ctx, word),
        "undefined" | "none" | "nil" | "null" => {
            ctx.defect(format!("{shown} is not JSON"), "write null")
        }
        "true" => ctx.defect(format!("{shown} is not JSON"), "write true"),
        "false" => ctx.defect(format!("{shown} is not JSON"), "write false"),
        _ if ctx.rest().get(word.len()..).is_some_and(|rest| rest.starts_with('(')) => {
            call(ctx, word)
        }
        _ => ctx.defect(
            format!("the word {shown} without quotes"),
            "text stands in double quotes; the only bare words are true, false and null",
        ),
    }
}

/// A word with parentheses: JSONP, a prefix against scripts, or a value of `MongoDB`'s shell.
fn call(ctx: ErrorContext<'_>, word: &str) -> Defect {
    let shown = Echo(word);
    let rest = ctx.rest().trim_end();
    let Some(end) = rest.find(')').filter(|_| !ctx.frames.is_empty()) else {
        if !rest.trim_end_matches(';').ends_with(')')
            && let Some((prefix, _)) = rest.split_once(");")
        {
            let prefix = format!("{prefix});");
            return ctx
                .defect(format!("the prefix {} before the JSON", Echo(&prefix)), "remove it");
        }
        return ctx.defect(
            format!("the call {shown} around the JSON"),
            format!("remove {}, and the `)` at the end", Echo(&format!("{word}("))),
        );
    };
    let value = rest.get(word.len() + 1..end).unwrap_or_default().trim();
    let is_number = !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit());
    let value = if is_number {
        value.to_owned()
    } else {
        format!("\"{}\"", value.trim_matches(['"', '\'']))
    };
    ctx.defect(
        format!("the call {shown} in place of a value, as MongoDB's shell writes it"),
        format!("write the value alone: {}", Echo(&value)),
    )
}

/// `NaN` or an infinity.
pub(super) fn not_a_number(ctx: ErrorContext<'_>, word: &str) -> Defect {
    ctx.defect(format!("JSON has no {}", Echo(word)), "write null, or the word as a string")
}
