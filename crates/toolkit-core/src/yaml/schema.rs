//! Core schema (YAML 1.2.2 §10.3): the type of a plain scalar.
//!
//! There is one deviation: an integer with leading zeros, such as `007`, stays a string. It is
//! nearly always an identifier, and other schemas read it as octal.

use super::number;
use super::tree::{Meaning, Style};
use super::value::Value;

/// Resolves a scalar. `None` if its tag does not allow its content.
pub(super) fn resolve(text: &str, style: Style, tag: Option<Meaning>) -> Option<Value<'_>> {
    match tag {
        None if matches!(style, Style::Plain | Style::Empty) => Some(plain(text)),
        None | Some(Meaning::NonSpecific | Meaning::Str | Meaning::Merge | Meaning::Other) => {
            Some(Value::Text(text))
        }
        Some(Meaning::Null) => Some(plain(text)).filter(|value| *value == Value::Null),
        Some(Meaning::Bool) => Some(plain(text)).filter(|value| matches!(value, Value::Bool(_))),
        Some(Meaning::Int) => match plain(text) {
            value @ (Value::Int(_) | Value::Radix(..)) => Some(value),
            Value::Padded(padded) => Some(Value::Int(number::unpadded(padded)?.into())),
            _ => None,
        },
        Some(Meaning::Float) => match plain(text) {
            value @ (Value::Float(_) | Value::NonFinite(_)) => Some(value),
            Value::Int(digits) => Some(Value::Float(format!("{digits}.0").into())),
            Value::Padded(padded) => {
                Some(Value::Float(format!("{}.0", number::unpadded(padded)?).into()))
            }
            _ => None,
        },
        Some(Meaning::Sequence | Meaning::Mapping) => None,
    }
}

/// Resolves a scalar that has neither quotes nor a tag.
pub(super) fn plain(text: &str) -> Value<'_> {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => Value::Null,
        "true" | "True" | "TRUE" => Value::Bool(true),
        "false" | "False" | "FALSE" => Value::Bool(false),
        _ => match text.as_bytes() {
            [b'0'..=b'9' | b'+' | b'-' | b'.', ..] => number::read(text),
            _ => None,
        }
        .unwrap_or(Value::Text(text)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn int(digits: &str) -> Value<'_> {
        Value::Int(digits.into())
    }

    fn float(digits: &str) -> Value<'_> {
        Value::Float(digits.into())
    }

    #[test]
    fn plain_scalars_follow_section_10_3_2() {
        for text in ["", "~", "null", "Null", "NULL"] {
            assert_eq!(plain(text), Value::Null, "{text}");
        }
        for text in ["true", "True", "TRUE"] {
            assert_eq!(plain(text), Value::Bool(true), "{text}");
        }
        for text in ["false", "False", "FALSE"] {
            assert_eq!(plain(text), Value::Bool(false), "{text}");
        }
        assert_eq!(plain("0"), int("0"));
        assert_eq!(plain("-19"), int("-19"));
        assert_eq!(plain("+12"), int("12"));
        assert_eq!(plain("-0"), int("-0"));
        assert_eq!(plain("0o7"), Value::Radix("7", 3));
        assert_eq!(plain("0x3A"), Value::Radix("3A", 4));
        assert_eq!(plain("0."), float("0.0"));
        assert_eq!(plain("-0.0"), float("-0.0"));
        assert_eq!(plain(".5"), float("0.5"));
        assert_eq!(plain("+12e03"), float("12e03"));
        assert_eq!(plain("-2E+05"), float("-2E+05"));
        assert_eq!(plain("5.e3"), float("5.0e3"));
        assert_eq!(plain("-.5e3"), float("-0.5e3"));
        assert_eq!(plain("01.50"), float("1.50"));
        for text in [".inf", "-.Inf", "+.INF", ".nan", ".NaN", ".NAN"] {
            assert_eq!(plain(text), Value::NonFinite(text), "{text}");
        }
    }

    #[test]
    fn scalars_that_only_yaml_1_1_resolves_are_strings() {
        for text in [
            "no",
            "Yes",
            "on",
            "OFF",
            "y",
            "N",
            "nULL",
            "tRUE",
            "12:30:00",
            "190:20:30.15",
            "0b101",
            "1_000",
            "2001-12-14",
            "0X1F",
            "0O17",
            "-0x1",
            "+0o7",
            "0o8",
            "0x",
            "0o",
            "0xG",
            ".",
            "+",
            "-",
            "+.",
            ".e3",
            "1e",
            "1e+",
            "1.2.3",
            "1,000",
            ".iNF",
            "-.nan",
            "+.NaN",
            "inf",
            "NaN",
            "1e5e5",
            "--1",
            "+-1",
            "1-1",
            "٣",
            "=",
            "<<",
        ] {
            assert_eq!(plain(text), Value::Text(text), "{text}");
        }
    }

    #[test]
    fn whole_numbers_with_leading_zeros_are_strings_unless_tagged() {
        for text in ["007", "00", "-01", "+08"] {
            assert_eq!(plain(text), Value::Padded(text), "{text}");
        }
        assert_eq!(resolve("007", Style::Plain, Some(Meaning::Int)), Some(int("7")));
        assert_eq!(resolve("-00", Style::Plain, Some(Meaning::Int)), Some(int("-0")));
        assert_eq!(resolve("+08", Style::Plain, Some(Meaning::Float)), Some(float("8.0")));
    }

    #[test]
    fn a_tag_decides_even_between_quotes() {
        let quoted = Style::DoubleQuoted;
        assert_eq!(resolve("12", quoted, None), Some(Value::Text("12")));
        assert_eq!(resolve("12", quoted, Some(Meaning::Int)), Some(int("12")));
        assert_eq!(resolve("12", quoted, Some(Meaning::Float)), Some(float("12.0")));
        assert_eq!(resolve("12", Style::Plain, Some(Meaning::Str)), Some(Value::Text("12")));
        assert_eq!(
            resolve("12", Style::Plain, Some(Meaning::NonSpecific)),
            Some(Value::Text("12"))
        );
        assert_eq!(resolve("", Style::Empty, Some(Meaning::Str)), Some(Value::Text("")));
        assert_eq!(resolve("", quoted, Some(Meaning::Null)), Some(Value::Null));
    }

    #[test]
    fn a_tag_that_does_not_fit_resolves_to_nothing() {
        for (text, tag) in [
            ("abc", Meaning::Int),
            ("1.5", Meaning::Int),
            ("", Meaning::Int),
            ("0b1", Meaning::Int),
            ("abc", Meaning::Float),
            ("0x1", Meaning::Float),
            ("yes", Meaning::Bool),
            ("1", Meaning::Bool),
            ("nil", Meaning::Null),
            ("a", Meaning::Sequence),
            ("a", Meaning::Mapping),
        ] {
            assert_eq!(resolve(text, Style::Plain, Some(tag)), None, "{text} {tag:?}");
        }
    }
}
