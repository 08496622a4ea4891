//! Diagnosis where a member's name or its colon should be.

use super::{Defect, ErrorContext, after, other_syntax};
use crate::echo::Echo;

pub(super) fn name_defect(ctx: ErrorContext<'_>) -> Defect {
    let Some(next) = ctx.next() else {
        return ctx.unclosed();
    };
    match next {
        '}' => ctx.trailing_comma('}'),
        ']' => ctx.mismatch(']'),
        ',' => ctx.defect("a comma without a member before it", "remove the comma"),
        ':' => ctx.defect("a colon without a name before it", "a member is \"name\": value"),
        '[' | '{' => ctx.defect("a name that is not a string", "names are strings"),
        '-' | '0'..='9' => {
            ctx.defect("a name that is a number", "names are strings: put it in double quotes")
        }
        _ if super::is_word(next) => ctx.defect(
            format!("the name {} without quotes", Echo(ctx.word())),
            "names stand in double quotes",
        ),
        _ => other_syntax::defect(ctx).unwrap_or_else(|| {
            let what = format!("{} where a name should begin", Echo(&next.to_string()));
            ctx.defect(what, "names stand in double quotes")
        }),
    }
}

pub(super) fn colon_defect(ctx: ErrorContext<'_>) -> Defect {
    let Some(next) = ctx.next() else {
        return ctx.unclosed();
    };
    match next {
        ',' | '}' => ctx.defect("a name without a value", "a member is \"name\": value"),
        '=' => ctx.defect("`=` in place of a colon", "a member is \"name\": value"),
        _ => {
            other_syntax::defect(ctx).or_else(|| after::string_goes_on(ctx)).unwrap_or_else(|| {
                ctx.defect("a missing colon", "a colon stands between a name and its value")
            })
        }
    }
}
