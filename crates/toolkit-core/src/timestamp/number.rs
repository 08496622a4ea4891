//! Unix time parser: from decimal digits, without floating point.

use time::{Date, Month, OffsetDateTime, Time};

use super::{DIGITS_DROPPED, Notation, from_nanoseconds, out_of_range, to_iso8601};
use crate::error::ToolError;
use crate::warnings::{WarningKind, Warnings};

/// Number of digits of the nanoseconds from 1970 to the year 9999.
const NANOSECOND_DIGITS: i64 = 21;

/// Maximum length of a number in groups that a refusal gives without them.
const GROUPED_BYTES_MAX: usize = 60;

/// Unit of a number, counted from 1970.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
pub enum Unit {
    /// Seconds.
    Seconds,
    /// Milliseconds.
    Milliseconds,
    /// Microseconds.
    Microseconds,
    /// Nanoseconds.
    Nanoseconds,
}

impl Unit {
    /// Selects the unit in which a number with this many digits before the point is closest to
    /// today.
    const fn of_size(whole_digits: i64) -> Self {
        match whole_digits {
            ..=11 => Self::Seconds,
            12..=14 => Self::Milliseconds,
            15..=17 => Self::Microseconds,
            18.. => Self::Nanoseconds,
        }
    }

    /// Splits a number from the unit that it is written with.
    pub(super) fn split(text: &str) -> (&str, Option<Self>) {
        if let Some(number) = text.strip_prefix('@') {
            return (number, Some(Self::Seconds));
        }
        for (suffix, unit) in [
            ("ms", Self::Milliseconds),
            ("us", Self::Microseconds),
            ("ns", Self::Nanoseconds),
            ("s", Self::Seconds),
        ] {
            if let Some(number) = text.strip_suffix(suffix) {
                return (number.trim_end(), Some(unit));
            }
        }
        (text, None)
    }

    /// Number of decimal places in nanoseconds, notation and name.
    const fn facts(self) -> (i64, Notation, &'static str) {
        match self {
            Self::Seconds => (9, Notation::Seconds, "seconds"),
            Self::Milliseconds => (6, Notation::Milliseconds, "milliseconds"),
            Self::Microseconds => (3, Notation::Microseconds, "microseconds"),
            Self::Nanoseconds => (0, Notation::Nanoseconds, "nanoseconds"),
        }
    }
}

/// A decimal number as written.
#[derive(Debug)]
pub(super) struct Number<'a> {
    is_negative: bool,
    whole: &'a str,
    fraction: &'a str,
    exponent: i64,
}

impl<'a> Number<'a> {
    /// Splits a number: a sign, digits with a full stop before, within or after them, and an
    /// exponent, all but the digits optional.
    pub(super) fn split(text: &'a str) -> Option<Self> {
        let is_negative = text.starts_with('-');
        let text = text.strip_prefix(['-', '+']).unwrap_or(text);
        let (digits, exponent) = match text.split_once(['e', 'E']) {
            Some((digits, exponent)) => (digits, read_exponent(exponent)?),
            None => (text, 0),
        };
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
        let mut all = whole.bytes().chain(fraction.bytes());
        let is_number = digits.len() > usize::from(digits.contains('.'))
            && all.all(|byte| byte.is_ascii_digit());
        is_number.then_some(Self { is_negative, whole, fraction, exponent })
    }

    /// Converts the number to a time.
    pub(super) fn moment(
        &self,
        unit: Option<Unit>,
        warnings: &mut Warnings,
    ) -> Result<(OffsetDateTime, Notation), ToolError> {
        let whole_digits = self.whole_digits();
        let taken = unit.unwrap_or(Unit::of_size(whole_digits));
        let (decimals, notation, name) = taken.facts();
        let (nanoseconds, is_exact) = self.nanoseconds(whole_digits, decimals)?;
        let moment = from_nanoseconds(nanoseconds)?;
        if !is_exact {
            warnings.add(WarningKind::Dropped, DIGITS_DROPPED);
        }
        if unit.is_none() {
            self.warn_of_date(name, warnings);
            self.warn_of_systems(name, warnings);
            // The last second of 9999 means "never" in some systems.
            let other = from_nanoseconds(nanoseconds.saturating_mul(1_000)).ok();
            if taken != Unit::Seconds
                && let Some(other) = other.filter(|other| other.year() == 9999)
            {
                let other = to_iso8601(other);
                let warning = format!(
                    "The number is taken as {name}; in the next larger unit it would be {other}."
                );
                warnings.add(WarningKind::Assumed, warning);
            }
        }
        Ok((moment, notation))
    }

    fn digits(&self) -> impl Iterator<Item = u8> {
        self.whole.bytes().chain(self.fraction.bytes())
    }

    /// Number of digits before the point, without leading zeros and with the exponent applied. Zero
    /// or less for numbers below 1.
    fn whole_digits(&self) -> i64 {
        let zeros = self.digits().take_while(|&digit| digit == b'0').count();
        if zeros == self.whole.len() + self.fraction.len() {
            return 0;
        }
        let length = |count: usize| i64::try_from(count).unwrap_or(i64::MAX);
        (length(self.whole.len()) - length(zeros)).saturating_add(self.exponent)
    }

    /// Converts to nanoseconds, rounded down. Also returns whether the result is exact.
    fn nanoseconds(&self, whole_digits: i64, decimals: i64) -> Result<(i128, bool), ToolError> {
        let count = whole_digits.saturating_add(decimals);
        if count > NANOSECOND_DIGITS {
            return Err(out_of_range());
        }
        let count = usize::try_from(count).unwrap_or(0);
        let mut digits = self.digits().skip_while(|&digit| digit == b'0');
        let mut value = 0_i128;
        for _ in 0..count {
            value = value * 10 + i128::from(digits.next().unwrap_or(b'0') - b'0');
        }
        let is_exact = digits.all(|digit| digit == b'0');
        if self.is_negative {
            value = -value - i128::from(!is_exact);
        }
        Ok((value, is_exact))
    }

    /// Warns if a person would read the digits as a date: `20231114`, `20231114221320`.
    fn warn_of_date(&self, unit: &str, warnings: &mut Warnings) {
        let is_plain = !self.is_negative && self.fraction.is_empty() && self.exponent == 0;
        if is_plain && let Some(date) = date_within(self.whole) {
            let date = to_iso8601(date);
            let warning = format!(
                "The digits are read as a number of {unit}; the date would be written {date}."
            );
            warnings.add(WarningKind::Assumed, warning);
        }
    }

    /// Warns if the digits are a time of these years in the unit of another system.
    fn warn_of_systems(&self, unit: &str, warnings: &mut Warnings) {
        let is_plain = !self.is_negative && self.fraction.is_empty() && self.exponent == 0;
        let Some(number) = self.whole.parse::<i128>().ok().filter(|_| is_plain) else {
            return;
        };
        for (system, nanoseconds, epoch) in SYSTEMS {
            let since_1970 = number * nanoseconds - epoch * 1_000_000_000;
            let other = from_nanoseconds(since_1970).ok();
            if let Some(other) = other.filter(|other| (1990..2100).contains(&other.year())) {
                let other = to_iso8601(other);
                let warning =
                    format!("The number is taken as {unit}; as {system} it would be {other}.");
                warnings.add(WarningKind::Assumed, warning);
            }
        }
    }
}

/// Integers of other systems: name, nanoseconds of a unit, and seconds from their epoch to 1970.
const SYSTEMS: [(&str, i128, i128); 3] = [
    ("a Windows FILETIME", 100, 11_644_473_600),
    (".NET ticks", 100, 62_135_596_800),
    ("microseconds since 1601 (WebKit)", 1_000, 11_644_473_600),
];

/// The digits of a number that is written in groups of three, as in `1,700,000,000`.
pub(super) fn ungrouped(text: &str) -> Option<String> {
    let separator = text.chars().find(|c| ",_'’. \u{A0}\u{202F}".contains(*c))?;
    let (first, rest) = text.split_once(separator)?;
    let is_grouped = (1..=3).contains(&first.len())
        && text.len() <= GROUPED_BYTES_MAX
        && rest.split(separator).all(|group| group.len() == 3);
    let digits = text.replace(separator, "");
    (is_grouped && digits.bytes().all(|byte| byte.is_ascii_digit())).then_some(digits)
}

/// Parses an exponent. One too large to represent becomes the maximum.
fn read_exponent(text: &str) -> Option<i64> {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    // Far from the ends of the type, so that no sum overflows.
    let size = digits.parse().unwrap_or(i64::MAX).min(1 << 40);
    Some(if text.starts_with('-') { -size } else { size })
}

/// Finds a plausible date in digits: year, month, day, and optionally hour, minute, second.
fn date_within(digits: &str) -> Option<OffsetDateTime> {
    let part = |from: usize, to: usize| digits.get(from..to)?.parse::<u8>().ok();
    let year = digits.get(..4)?.parse().ok()?;
    let month = Month::try_from(part(4, 6)?).ok()?;
    let date = Date::from_calendar_date(year, month, part(6, 8)?).ok()?;
    let time = match digits.len() {
        8 => Time::MIDNIGHT,
        14 => Time::from_hms(part(8, 10)?, part(10, 12)?, part(12, 14)?).ok()?,
        _ => return None,
    };
    (1900..2100).contains(&year).then(|| OffsetDateTime::new_utc(date, time))
}
