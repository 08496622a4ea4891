//! Ambiguous plain scalars: those that some parser would not read as a string.
//!
//! They are the ones that YAML 1.2 resolves (its core schema) or YAML 1.1 does (the types at
//! yaml.org/type: `no`, `12:30`, `0777`, `1_000`, dates, `=`, `<<`), and in doubt a few more.

use super::schema;
use super::value::Value;
use crate::around;

/// Words, in lower case, for booleans, null, a default or a merge. YAML 1.1 accepts them in lower
/// case, capitalized and in upper case.
const WORDS: [&str; 14] =
    ["~", "null", "true", "false", "yes", "no", "on", "off", "y", "n", "=", "<<", ".nan", ".inf"];

/// Whether a string must be quoted so that every parser reads it as a string.
pub(super) fn is_ambiguous(text: &str) -> bool {
    let Some(first) = text.bytes().next() else {
        return true;
    };
    let may_be_number = matches!(first, b'0'..=b'9' | b'+' | b'-' | b'.');
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    is_word(unsigned)
        || around::odd_space(text).is_some()
        || may_be_number && (is_numeric(unsigned) || is_date(text))
        || !matches!(schema::plain(text), Value::Text(_))
}

fn is_word(text: &str) -> bool {
    WORDS.iter().any(|word| text.eq_ignore_ascii_case(word))
}

/// Whether a string without its sign looks like a number: with a base, with `_` between digits, in
/// base 60 with `:`, with a point or an exponent.
fn is_numeric(unsigned: &str) -> bool {
    let after_zero = unsigned.strip_prefix('0').unwrap_or_default();
    if let Some(digits) = after_zero.strip_prefix(['b', 'B', 'o', 'O', 'x', 'X']) {
        return digits.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'_');
    }
    let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent.trim_start_matches(['+', '-'])),
        None => (unsigned, ""),
    };
    let is_digit = |byte: u8| byte.is_ascii_digit() || byte == b'_';
    mantissa.bytes().all(|byte| is_digit(byte) || matches!(byte, b'.' | b':'))
        && mantissa.bytes().filter(|&byte| byte == b'.').count() <= 1
        && exponent.bytes().all(is_digit)
}

/// Whether a string begins like a date, `2001-12-14`, and has only characters that a time can have.
fn is_date(text: &str) -> bool {
    let Some((year, rest)) = text.split_once('-') else {
        return false;
    };
    let is_time = |byte: u8| byte.is_ascii_digit() || b"-+:. TtZz".contains(&byte);
    year.len() == 4 && year.bytes().all(|byte| byte.is_ascii_digit()) && rest.bytes().all(is_time)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scalars_that_yaml_1_1_or_1_2_resolves_are_ambiguous() {
        for text in [
            "",
            "~",
            "null",
            "Null",
            "NULL",
            "true",
            "False",
            "yes",
            "Yes",
            "NO",
            "on",
            "Off",
            "y",
            "N",
            "=",
            "<<",
            ".inf",
            "-.INF",
            "+.inf",
            ".NaN",
            "0",
            "12",
            "+1",
            "-1",
            "1.",
            ".5",
            "1e3",
            "1.5E-7",
            "007",
            "0777",
            "0o17",
            "0b101",
            "0x1F",
            "0B1",
            "-0x1",
            "1_000",
            "0_",
            "12:30",
            "12:30:00",
            "1:2",
            "190:20:30.15",
            "2001-12-14",
            "2001-12-14T21:59:43.1Z",
            "2001-12-14 21:59:43 +5",
            "2001-1-1",
            ".",
            "+",
            "-",
            "1_0.0_1",
            "6.8523015e+5",
        ] {
            assert!(is_ambiguous(text), "{text}");
        }
    }

    #[test]
    fn ordinary_words_versions_and_addresses_are_not() {
        for text in [
            "a",
            "None",
            "yess",
            "nothing",
            "onto",
            "nan",
            "inf",
            "1.2.3",
            "127.0.0.1",
            "10px",
            "2nd",
            "v1",
            "1-2",
            "12-14",
            "2001-12-14-draft",
            "0xylophone",
            "0bar",
            "e5",
            "1.2.3-rc1",
            "١٢",
            "-foo",
            "--flag",
            ".gitignore",
            "+49 89 1",
            "a:b",
            "5 apples",
            "1,000",
            "3/4",
        ] {
            assert!(!is_ambiguous(text), "{text}");
        }
    }
}
