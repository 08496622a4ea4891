//! Numbers of JSON (RFC 8259 §6), kept as text.

use std::fmt;

/// Number as JSON writes it: `-0`, `1.10` and thirty digits stay as they are.
///
/// ```
/// use toolkit_core::Number;
///
/// assert_eq!(Number::new("1.10").as_ref().map(Number::as_str), Some("1.10"));
/// assert_eq!(Number::new("01"), None);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Number(String);

impl Number {
    /// Creates a number, unless the text is not one.
    pub fn new(text: impl Into<String>) -> Option<Self> {
        let text = text.into();
        let is_number = scan(text.as_bytes(), 0) == Ok(text.len());
        is_number.then_some(Self(text))
    }

    /// Creates a number from text that is known to be one.
    pub(crate) fn checked(text: impl Into<String>) -> Self {
        let text = text.into();
        debug_assert_eq!(scan(text.as_bytes(), 0), Ok(text.len()), "{text}");
        Self(text)
    }

    /// The digits, with sign, point and exponent.
    pub const fn as_str(&self) -> &str {
        self.0.as_str()
    }

    /// The nearest double, if there is a finite one.
    #[cfg(feature = "serde")]
    pub(super) fn finite(&self) -> Option<f64> {
        self.0.parse().ok().filter(|value: &f64| value.is_finite())
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The byte at a position. Zero at the end, since a zero byte is not part of a token either.
pub(crate) fn byte(bytes: &[u8], at: usize) -> u8 {
    bytes.get(at).copied().unwrap_or_default()
}

/// Scans a number, which begins with a minus sign or a digit.
#[expect(
    clippy::inline_always,
    reason = "a function call for each number would cost a tenth of the total speed"
)]
#[inline(always)]
pub(crate) fn scan(bytes: &[u8], start: usize) -> Result<usize, usize> {
    let integer = start + usize::from(byte(bytes, start) == b'-');
    let mut at = digits(bytes, integer);
    let leading_zero = byte(bytes, integer) == b'0' && at != integer + 1;
    if at == integer || leading_zero {
        return Err(start);
    }
    if byte(bytes, at) == b'.' {
        let fraction = at + 1;
        at = digits(bytes, fraction);
        if at == fraction {
            return Err(start);
        }
    }
    if matches!(byte(bytes, at), b'e' | b'E') {
        let signed = matches!(byte(bytes, at + 1), b'+' | b'-');
        let exponent = at + 1 + usize::from(signed);
        at = digits(bytes, exponent);
        if at == exponent {
            return Err(start);
        }
    }
    Ok(at)
}

/// Skips decimal digits.
fn digits(bytes: &[u8], mut at: usize) -> usize {
    while byte(bytes, at).is_ascii_digit() {
        at += 1;
    }
    at
}
