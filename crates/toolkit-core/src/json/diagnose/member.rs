//! Diagnosis where a member's name or its colon should be.

use super::{Defect, ErrorContext, after, other_syntax};
use crate::echo::Echo;

pub(super) fn name_defect(scene: ErrorContext<'_>) -> Defect {
    let Some(next) = scene.next() else {
        return scene.unclosed();
    };
    match next {
        '}' => scene.trailing_comma('}'),
        ']' => scene.mismatch(']'),
        ',' => scene.defect("a comma without a member before it", "remove the comma"),
        ':' => scene.defect(
            "a colon without a name before it",
            "a member is \"name\": value",
        ),
        '[' | '{' => scene.defect("a name that is not a string", "names are strings"),
        '-' | '0'..='9' => scene.defect(
            "a name that is a number",
            "names are strings: put it in double quotes",
        ),
        _ if super::is_word(next) => scene.defect(
            format!("the name {} without quotes", Echo(scene.word())),
            "names stand in double quotes",
        ),
        _ => other_syntax::defect(scene).unwrap_or_else(|| {
            let what = format!("{} where a name should begin", Echo(&next.to_string()));
            scene.defect(what, "names stand in double quotes")
        }),
    }
}

pub(super) fn colon_defect(scene: ErrorContext<'_>) -> Defect {
    let Some(next) = scene.next() else {
        return scene.unclosed();
    };
    match next {
        ',' | '}' => scene.defect("a name without a value", "a member is \"name\": value"),
        '=' => scene.defect("`=` in place of a colon", "a member is \"name\": value"),
        _ => other_syntax::defect(scene)
            .or_else(|| after::string_goes_on(scene))
            .unwrap_or_else(|| {
                scene.defect(
                    "a missing colon",
                    "a colon stands between a name and its value",
                )
            }),
    }
}
