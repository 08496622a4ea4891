//! Diagnosis inside a string or a number.

use super::{Defect, ErrorContext, value};

pub(super) fn string_defect(ctx: ErrorContext<'_>, open: usize) -> Defect {
    match ctx.next() {
        None => unclosed(ctx, open),
        Some('\\') => escape_defect(ctx, open),
        Some('\n' | '\r') => ctx.defect(
            "a line break inside a string",
            format!("write it as \\n, or close the string opened at {}", ctx.position(open)),
        ),
        Some('\t') => ctx.defect("a raw TAB inside a string", "write it as \\t"),
        Some(control) => {
            let code = u32::from(control);
            let what = format!("the control character U+{code:04X} inside a string");
            ctx.defect(what, format!("write it as \\u{code:04x}"))
        }
    }
}

fn unclosed(ctx: ErrorContext<'_>, open: usize) -> Defect {
    let hint = format!("the text ends at {}", ctx.position(ctx.text.len()));
    let ctx = ctx.moved_to(open);
    ctx.defect("no closing quote for the string that opens here", hint)
}

fn escape_defect(ctx: ErrorContext<'_>, open: usize) -> Defect {
    let Some(escaped) = ctx.rest().chars().nth(1) else {
        return unclosed(ctx, open);
    };
    match escaped {
        'u' => ctx.defect(
            "an escape \\u without four hexadecimal digits",
            "write \\u00e9, and \\\\ for a backslash itself",
        ),
        '\'' => ctx.defect("the escape \\'", "a single quote needs no backslash"),
        'x' | '0' => ctx.defect(
            format!("the escape \\{escaped}"),
            "write the code point as \\u and four hexadecimal digits",
        ),
        _ if escaped.is_control() => ctx.defect(
            "a backslash before a line break or control character",
            "a string has one line: write \\n",
        ),
        _ => ctx.defect(
            format!("the escape \\{escaped}"),
            "write \\\\ for a backslash; the escapes are \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX",
        ),
    }
}

pub(super) fn number_defect(ctx: ErrorContext<'_>) -> Defect {
    let number = ctx.rest();
    let unsigned = number.strip_prefix('-').unwrap_or(number);
    let fraction = unsigned.trim_start_matches(|next: char| next.is_ascii_digit());
    let integer_digits = unsigned.len() - fraction.len();
    if integer_digits == 0 {
        return without_integer(ctx, unsigned);
    }
    if integer_digits > 1 && unsigned.starts_with('0') {
        return ctx.defect(
            "a number with a leading zero",
            "remove the zero, or put the digits in double quotes",
        );
    }
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let exponent = match fraction.strip_prefix('.') {
        Some(after) if digits(after) == 0 => {
            return ctx.before_last(after.len()).defect(
                "a number without a digit after its point",
                "write a 0 after the point, or remove it",
            );
        }
        Some(after) => after.get(digits(after)..).unwrap_or_default(),
        None => fraction,
    };
    let after = exponent.get(1..).unwrap_or_default();
    let after = after.strip_prefix(['+', '-']).unwrap_or(after);
    ctx.before_last(after.len())
        .defect("a number without a digit in its exponent", "write one or more digits after the e")
}

/// A minus sign without a digit after it.
fn without_integer(ctx: ErrorContext<'_>, unsigned: &str) -> Defect {
    let looks_like_yaml = unsigned.starts_with("--") || unsigned.starts_with([' ', '\n']);
    let word = ctx.before_last(unsigned.len()).word();
    match word.to_ascii_lowercase().as_str() {
        "nan" | "inf" | "infinity" => {
            let shown = ctx.rest().get(..=word.len()).unwrap_or_default();
            value::not_a_number(ctx, shown)
        }
        _ if unsigned.starts_with('.') => {
            ctx.defect("a number without a digit before its point", "write a 0 before the point")
        }
        _ if looks_like_yaml && ctx.before().trim().is_empty() => {
            ctx.defect("a minus sign without a number", "this looks like YAML")
        }
        _ => ctx.defect("a minus sign without a number", "write a digit after it"),
    }
}
