//! Diagnosis where a value should begin.

use super::{Defect, ErrorContext, other_syntax};
use crate::echo::Echo;

pub(super) fn defect(scene: ErrorContext<'_>) -> Defect {
    let Some(next) = scene.next() else {
        return at_the_end(scene);
    };
    match next {
        ']' | '}' => closing(scene, next),
        ',' if scene.last() == Some(':') => without_value(scene),
        ',' => scene.defect(
            "a comma without a value before it",
            "remove it, or write null for a value that is missing",
        ),
        ':' => scene.defect("a colon in place of a value", "a member is \"name\": value"),
        '+' => scene.defect("a plus sign before a number", "remove the plus sign"),
        _ => other_syntax::defect(scene)
            .or_else(|| other_notation(scene, next))
            .unwrap_or_else(|| {
                let what = format!("{} where a value should begin", Echo(&next.to_string()));
                scene.defect(
                    what,
                    "a value is a string, number, array, object or literal",
                )
            }),
    }
}

fn at_the_end(scene: ErrorContext<'_>) -> Defect {
    if !scene.frames.is_empty() {
        return scene.unclosed();
    }
    let what = match scene.text {
        "" => "the text is empty",
        _ => "the text holds nothing but white space",
    };
    scene.defect(what, "send one value, such as {} or null")
}

fn closing(scene: ErrorContext<'_>, next: char) -> Defect {
    let fits = |frame: &super::Frame| frame.bracket.words().1 == next;
    match scene.last() {
        Some(':') => without_value(scene),
        Some(',') if scene.frames.last().is_some_and(fits) => scene.trailing_comma(next),
        _ => scene.mismatch(next),
    }
}

/// A name and a colon with nothing after them.
fn without_value(scene: ErrorContext<'_>) -> Defect {
    scene.defect(
        "a name without a value",
        "write a value after the colon, or null",
    )
}

fn other_notation(scene: ErrorContext<'_>, next: char) -> Option<Defect> {
    match next {
        '.' => Some(scene.defect(
            "a number without a digit before its point",
            "write a 0 before the point",
        )),
        '<' => Some(scene.defect(
            "`<` where a value should begin",
            "this looks like XML or HTML",
        )),
        '%' | '@' | '&' | '*' | '!' | '|' | '>' => None,
        _ if super::is_word(next) => Some(word(scene)),
        _ => None,
    }
}

/// A word that is not a JSON literal.
pub(super) fn word(scene: ErrorContext<'_>) -> Defect {
    let word = scene.word();
    let shown = Echo(word);
    match word.to_ascii_lowercase().as_str() {
        "nan" | "inf" | "infinity" => not_a_number(scene, word),
        "undefined" | "none" | "nil" | "null" => {
            scene.defect(format!("{shown} is not JSON"), "write null")
        }
        "true" => scene.defect(format!("{shown} is not JSON"), "write true"),
        "false" => scene.defect(format!("{shown} is not JSON"), "write false"),
        _ => scene.defect(
            format!("the word {shown} without quotes"),
            "text stands in double quotes; the only bare words are true, false and null",
        ),
    }
}

/// `NaN` or an infinity.
pub(super) fn not_a_number(scene: ErrorContext<'_>, word: &str) -> Defect {
    scene.defect(
        format!("JSON has no {}", Echo(word)),
        "write null, or the word as a string",
    )
}
