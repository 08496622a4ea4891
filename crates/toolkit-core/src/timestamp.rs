//! Timestamps: Unix time, ISO 8601 and RFC 2822, parsed tolerantly and written canonically.
//!
//! Standards: POSIX for Unix time; ISO 8601 (of which RFC 3339 is a subset) and RFC 2822 §3.3 and
//! §4.3 for dates, in the proleptic Gregorian calendar. Times are in the years 0001 to 9999 in UTC,
//! to the nanosecond. Left out are time zones by name, except those of RFC 2822, durations and
//! intervals.
//!
//! The unit of a number without one is detected from its absolute value: below 10^11 seconds, below
//! 10^14 milliseconds, below 10^17 microseconds, else nanoseconds. Its digits are exact; fractions
//! of a nanosecond are rounded down, as everywhere in this module.
//!
//! Unix time has no leap seconds: `23:59:60` is the same as the second after it, according to the
//! POSIX formula. It is only accepted at the end of June and of December in UTC, where every leap
//! second has been so far (RFC 3339 §5.7).

mod clock;
mod cursor;
mod iso8601;
mod number;
mod relative;
mod rfc2822;
mod write;

use time::OffsetDateTime;

pub use self::number::Unit;
pub use self::relative::relative;
pub use self::write::{to_iso8601, to_rfc2822};
use crate::echo::Echo;
use crate::error::{ErrorKind, ToolError};
use crate::warnings::Warnings;

/// Notation in which a time was given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
#[cfg_attr(feature = "tools", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub enum Notation {
    /// Seconds since 1970.
    Seconds,
    /// Milliseconds since 1970.
    Milliseconds,
    /// Microseconds since 1970.
    Microseconds,
    /// Nanoseconds since 1970.
    Nanoseconds,
    /// A date of ISO 8601.
    Iso8601,
    /// A date of RFC 2822.
    Rfc2822,
    /// Nothing: the time of the call.
    Now,
}

/// Parses a number or a date, ignoring white space around it.
///
/// `unit` is that of a number; without one it is detected from the number's size. A number can also
/// carry its unit, as in `1700000000s`, `1700000000000 ms` and, for seconds, `@1700000000`.
///
/// ```
/// use toolkit_core::Warnings;
/// use toolkit_core::timestamp::{self, Notation};
///
/// let mut warnings = Warnings::new();
/// let (moment, notation) = timestamp::parse("1700000000.5", None, &mut warnings)?;
/// assert_eq!(timestamp::to_iso8601(moment), "2023-11-14T22:13:20.5Z");
/// assert_eq!(notation, Notation::Seconds);
/// # Ok::<(), toolkit_core::ToolError>(())
/// ```
///
/// # Errors
///
/// Says what is wrong, and where if known.
pub fn parse(
    text: &str,
    unit: Option<Unit>,
    warnings: &mut Warnings,
) -> Result<(OffsetDateTime, Notation), ToolError> {
    let (digits, written_unit) = Unit::split(text.trim());
    if let Some(number) = number::Number::split(digits) {
        if unit.is_some() && written_unit.is_some() {
            warnings.push("`unit` has no effect: the number is written with its unit.");
        }
        return number.moment(written_unit.or(unit), warnings);
    }
    let date = if rfc2822::looks_like(text.trim_start()) {
        (parse_rfc2822(text, warnings)?, Notation::Rfc2822)
    } else if iso8601::looks_like(text.trim_start()) {
        (parse_iso8601(text, warnings)?, Notation::Iso8601)
    } else {
        return Err(no_timestamp(text.trim()));
    };
    if unit.is_some() {
        warnings.push("`unit` is for numbers; a date has no use for it.");
    }
    Ok(date)
}

/// Parses an ISO 8601 date, or date and time, ignoring white space around it.
///
/// Accepted are calendar (`2023-11-14`), week (`2023-W46-2`) and ordinal dates (`2023-318`), each
/// with or without hyphens; after `T`, `t` or a space hours and optional minutes and seconds, with
/// or without colons; a fraction of the last of them after a full stop or a comma; then `Z`, `z`,
/// `UTC`, `GMT`, or an offset (`+05:30`, `+0530`, `+05`), optionally after a space. What is missing
/// is taken as midnight and UTC, with a warning.
///
/// ```
/// use toolkit_core::{Warnings, timestamp};
///
/// let mut warnings = Warnings::new();
/// let moment = timestamp::parse_iso8601("2023-W46-2 23:13:20,5+01", &mut warnings)?;
/// assert_eq!(timestamp::to_iso8601(moment), "2023-11-14T22:13:20.5Z");
/// # Ok::<(), toolkit_core::ToolError>(())
/// ```
///
/// # Errors
///
/// Says what is wrong, and where.
pub fn parse_iso8601(text: &str, warnings: &mut Warnings) -> Result<OffsetDateTime, ToolError> {
    iso8601::read(text, warnings)
}

/// Parses an RFC 2822 date, ignoring white space around it.
///
/// The weekday and the seconds are optional; comments are skipped. Also accepted are the forms of
/// RFC 850 (`Tuesday, 14-Nov-23 22:13:20 GMT`), of asctime(3) and date(1)
/// (`Tue Nov 14 22:13:20 2023`) and of Apache's logs (`14/Nov/2023:22:13:20 +0000`). Of the obsolete forms (§4.3)
/// years of two and three digits are accepted, with a warning, and the zones `UT`, `GMT`, `EST`,
/// `EDT`, `CST`, `CDT`, `MST`, `MDT`, `PST` and `PDT`, also `UTC` and `Z`. The letters of military
/// zones are refused, since they have been used with either sign. Without a zone it is UTC, with a
/// warning.
///
/// ```
/// use toolkit_core::{Warnings, timestamp};
///
/// let mut warnings = Warnings::new();
/// let moment = timestamp::parse_rfc2822("Tue, 14 Nov 2023 17:13:20 EST", &mut warnings)?;
/// assert_eq!(timestamp::to_rfc2822(moment), "Tue, 14 Nov 2023 22:13:20 +0000");
/// # Ok::<(), toolkit_core::ToolError>(())
/// ```
///
/// # Errors
///
/// Says what is wrong, and where.
pub fn parse_rfc2822(text: &str, warnings: &mut Warnings) -> Result<OffsetDateTime, ToolError> {
    rfc2822::read(text, warnings)
}

const NO_OFFSET: &str = "No offset from UTC is given; UTC is assumed.";
const DIGITS_DROPPED: &str = "Digits after the nanosecond were dropped.";
const NANOSECONDS_A_SECOND: i64 = 1_000_000_000;

/// Converts nanoseconds to a time in the supported years.
fn from_nanoseconds(nanoseconds: i128) -> Result<OffsetDateTime, ToolError> {
    OffsetDateTime::from_unix_timestamp_nanos(nanoseconds)
        .ok()
        .filter(|moment| (1..=9999).contains(&moment.year()))
        .ok_or_else(out_of_range)
}

fn out_of_range() -> ToolError {
    ToolError::new("is outside of the years 0001 to 9999").of(ErrorKind::Range)
}

/// Error for a text that starts like none of the known notations.
fn no_timestamp(text: &str) -> ToolError {
    let refusal = if text.is_empty() {
        ToolError::new("is empty")
    } else {
        ToolError::new(format!("is {}, neither a number nor a date", Echo(text)))
    };
    refusal.with_hint(
        "write a number of seconds since 1970, a date of ISO 8601 as in `2023-11-14T22:13:20Z`, or \
         one of RFC 2822 as in `Tue, 14 Nov 2023 22:13:20 +0000`; for the current time leave it out",
    )
}
