//! Number conversion: from the core schema to JSON (RFC 8259 §6), same value and same digits.

use std::borrow::Cow;
use std::fmt::Write;

use super::value::Value;

/// Maximum number of digits after `0x` or `0o`: enough for any hash or key, and few enough for
/// conversion to decimal, which takes quadratic time.
pub(super) const RADIX_DIGITS_MAX: usize = 1024;

/// Parses a scalar as a number, if it is one.
pub(super) fn read(text: &str) -> Option<Value<'_>> {
    if let Some(digits) = text.strip_prefix("0o") {
        return radix(digits, 3, |byte| matches!(byte, b'0'..=b'7'));
    }
    if let Some(digits) = text.strip_prefix("0x") {
        return radix(digits, 4, |byte| byte.is_ascii_hexdigit());
    }
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    if matches!(unsigned, ".inf" | ".Inf" | ".INF") || matches!(text, ".nan" | ".NaN" | ".NAN") {
        return Some(Value::NonFinite(text));
    }
    let parts = Parts::of(text)?;
    let padded = parts.whole.len() > 1 && parts.whole.starts_with('0');
    let written = Cow::Borrowed(text.strip_prefix('+').unwrap_or(text));
    Some(match parts.fraction {
        None if parts.exponent.is_empty() && padded => Value::Padded(text),
        None if parts.exponent.is_empty() => Value::Int(written),
        fraction if padded || parts.whole.is_empty() || fraction == Some("") => {
            Value::Float(parts.rewritten().into())
        }
        _ => Value::Float(written),
    })
}

/// A number without leading zeros.
pub(super) fn unpadded(text: &str) -> Option<String> {
    Parts::of(text).map(Parts::rewritten)
}

/// Decimal digits of an octal or hexadecimal number. `None` if there are too many.
pub(super) fn decimal(digits: &str, bits: u32) -> Option<String> {
    const BASE: u64 = 1_000_000_000;
    /// Seven digits have at most 28 bits, which leave room for a group of nine decimal ones.
    const DIGITS_AT_ONCE: usize = 7;
    if digits.len() > RADIX_DIGITS_MAX {
        return None;
    }
    // Groups of nine decimal digits, the lowest first.
    let mut groups: Vec<u64> = vec![0];
    for chunk in digits.as_bytes().chunks(DIGITS_AT_ONCE) {
        let mut carry = 0;
        for &digit in chunk {
            carry = carry << bits | u64::from(char::from(digit).to_digit(1 << bits)?);
        }
        for group in &mut groups {
            let product = (*group << (bits * u32::try_from(chunk.len()).ok()?)) + carry;
            *group = product % BASE;
            carry = product / BASE;
        }
        if carry > 0 {
            groups.push(carry);
        }
    }
    let mut text = groups.pop()?.to_string();
    for group in groups.iter().rev() {
        write!(text, "{group:09}").ok()?;
    }
    Some(text)
}

fn radix(digits: &str, bits: u32, is_digit: fn(u8) -> bool) -> Option<Value<'_>> {
    let valid = !digits.is_empty() && digits.bytes().all(is_digit);
    valid.then_some(Value::Radix(digits, bits))
}

/// Parts of a number: `-12.50e+3` is `-`, `12`, `50` and `e+3`.
#[derive(Debug, Clone, Copy)]
struct Parts<'a> {
    sign: &'static str,
    whole: &'a str,
    fraction: Option<&'a str>,
    exponent: &'a str,
}

impl<'a> Parts<'a> {
    fn of(text: &'a str) -> Option<Self> {
        let sign = if text.starts_with('-') { "-" } else { "" };
        let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
        let mantissa_len = unsigned.find(['e', 'E']).unwrap_or(unsigned.len());
        let (mantissa, exponent) = unsigned.split_at(mantissa_len);
        let power = exponent.strip_prefix(['e', 'E']).unwrap_or(exponent);
        let power = power.strip_prefix(['+', '-']).unwrap_or(power);
        let (whole, fraction) = match mantissa.split_once('.') {
            Some((whole, fraction)) => (whole, Some(fraction)),
            None => (mantissa, None),
        };
        let has_digits = !whole.is_empty() || fraction.is_some_and(|digits| !digits.is_empty());
        let valid = has_digits
            && is_digits(whole)
            && is_digits(fraction.unwrap_or_default())
            && is_digits(power)
            && exponent.is_empty() == power.is_empty();
        valid.then_some(Self { sign, whole, fraction, exponent })
    }

    /// The number with a digit on both sides of the point, and no leading zeros.
    fn rewritten(self) -> String {
        let whole = match self.whole.trim_start_matches('0') {
            "" => "0",
            digits => digits,
        };
        let Self { sign, exponent, .. } = self;
        match self.fraction {
            Some("") => format!("{sign}{whole}.0{exponent}"),
            Some(fraction) => format!("{sign}{whole}.{fraction}{exponent}"),
            None => format!("{sign}{whole}{exponent}"),
        }
    }
}

fn is_digits(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn octal_and_hexadecimal_numbers_of_any_length_become_decimal() {
        assert_eq!(decimal("17", 3).as_deref(), Some("15"));
        assert_eq!(decimal("000", 3).as_deref(), Some("0"));
        assert_eq!(decimal("1F", 4).as_deref(), Some("31"));
        assert_eq!(decimal("ffffFFFFffffFFFF", 4).as_deref(), Some("18446744073709551615"));
        assert_eq!(
            decimal("100000000000000000000000000000000", 4).as_deref(),
            Some("340282366920938463463374607431768211456"),
        );
        assert_eq!(decimal("3b9aca00", 4).as_deref(), Some("1000000000"));
    }

    #[test]
    fn the_longest_is_of_1024_digits() {
        assert!(decimal(&"f".repeat(RADIX_DIGITS_MAX), 4).is_some());
        assert_eq!(decimal(&"f".repeat(RADIX_DIGITS_MAX + 1), 4), None);
    }
}
