//! Timestamps: Unix time, ISO 8601 and RFC 2822, parsed tolerantly and written canonically.
//!
//! Standards: POSIX for Unix time; ISO 8601 (of which RFC 3339 is a subset) and RFC 2822 §3.3 and
//! §4.3 for dates, in the proleptic Gregorian calendar. Times are in the years 0001 to 9999 in UTC,
//! to the nanosecond. With the feature `timezones` a date can be followed by a time zone (RFC 9557,
//! or a name in the IANA database). Left out are zone abbreviations, except those of RFC 2822,
//! durations and intervals.
//!
//! The unit of a number is detected from its absolute value unless given: below 10^11 seconds,
//! below 10^14 milliseconds, below 10^17 microseconds, else nanoseconds. Digits are exact, and
//! fractions of a nanosecond are rounded down, as everywhere in this module.
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
#[cfg(feature = "timezones")]
pub(crate) mod tail;
mod write;
#[cfg(feature = "timezones")]
pub(crate) mod zone;

use time::{OffsetDateTime, UtcOffset};

pub use self::number::Unit;
pub use self::relative::relative;
pub use self::write::{to_iso8601, to_iso8601_with_offset, to_rfc2822};
use crate::echo::Echo;
use crate::error::{ErrorKind, ToolError};
#[cfg(not(feature = "timezones"))]
use crate::warnings::WarningKind;
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
    /// Now: the time of the call.
    Now,
}

/// A time as it was given.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Parsed {
    /// The moment, with its zone's offset, or in UTC.
    pub moment: OffsetDateTime,
    /// The notation in which it was given.
    pub notation: Notation,
    /// The name of the time zone after it, in the database's spelling.
    pub zone: Option<String>,
}

/// What a date says about its offset from UTC.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Basis {
    /// No offset: the time of a wall clock.
    Wall,
    /// It is UTC, or a moment that has no offset of its own: `Z` (RFC 9557 §2.2), a number.
    Moment,
    /// The offset.
    Offset(UtcOffset),
}

impl Basis {
    const fn offset(self) -> UtcOffset {
        match self {
            Self::Offset(offset) => offset,
            Self::Wall | Self::Moment => UtcOffset::UTC,
        }
    }
}

/// A parsed date, and what it says about its offset.
type Dated = (OffsetDateTime, Basis);

/// Parses a number or a date, ignoring white space around it.
///
/// `unit` is a number's unit. Without one it is detected from the number's size. A number can also
/// carry its unit, as in `1700000000s`, `1700000000000 ms` and, for seconds, `@1700000000`.
///
/// ```
/// use toolkit_core::Warnings;
/// use toolkit_core::timestamp::{self, Notation};
///
/// let mut warnings = Warnings::new();
/// let parsed = timestamp::parse("1700000000.5", None, &mut warnings)?;
/// assert_eq!(timestamp::to_iso8601(parsed.moment), "2023-11-14T22:13:20.5Z");
/// assert_eq!(parsed.notation, Notation::Seconds);
/// # Ok::<(), toolkit_core::ToolError>(())
/// ```
///
/// # Errors
///
/// Says what is wrong, and where if known.
pub fn parse(text: &str, unit: Option<Unit>, warnings: &mut Warnings) -> Result<Parsed, ToolError> {
    Value { text, unit, now: None, places: [None; 2] }.read(warnings)
}

/// A value to be read.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Value<'a> {
    pub(crate) text: &'a str,
    /// The unit of a number, if it is given.
    pub(crate) unit: Option<Unit>,
    /// The current time, if the value may stand for it.
    pub(crate) now: Option<OffsetDateTime>,
    /// The place of the time, and the one in which it is shown.
    pub(crate) places: [Option<Place<'a>>; 2],
}

/// A time zone or an offset that has an input of its own.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Place<'a> {
    pub(crate) field: &'static str,
    pub(crate) name: &'a str,
}

impl Value<'_> {
    pub(crate) fn read(self, warnings: &mut Warnings) -> Result<Parsed, ToolError> {
        let mut notation = Notation::Iso8601;
        let (moment, zone) = in_zone(self.text, self.places, warnings, |text, warnings| {
            let (dated, found) = self.dated(text.trim(), text, warnings)?;
            notation = found;
            Ok(dated)
        })?;
        Ok(Parsed { moment, notation, zone })
    }

    /// Reads a text without a time zone. `bare` has no surrounding white space.
    fn dated(
        self,
        bare: &str,
        text: &str,
        warnings: &mut Warnings,
    ) -> Result<(Dated, Notation), ToolError> {
        let (digits, written_unit) = Unit::split(bare);
        if let Some(number) = number::Number::split(digits) {
            if self.unit.is_some() && written_unit.is_some() {
                warnings.push("`unit` has no effect: the number is written with its unit.");
            }
            let (moment, notation) = number.moment(written_unit.or(self.unit), warnings)?;
            return Ok(((moment, Basis::Moment), notation));
        }
        if let Some(now) = self.now.filter(|_| bare.eq_ignore_ascii_case("now")) {
            if self.unit.is_some() {
                warnings.push("`unit` is for numbers; the current time has no use for it.");
            }
            return Ok(((now, Basis::Moment), Notation::Now));
        }
        if self.unit.is_some() {
            warnings.push("`unit` is for numbers; a date has no use for it.");
        }
        if rfc2822::looks_like(bare) {
            Ok((rfc2822::read(text, warnings)?, Notation::Rfc2822))
        } else if iso8601::looks_like(bare) {
            Ok((iso8601::read(text, warnings)?, Notation::Iso8601))
        } else {
            Err(no_timestamp(bare))
        }
    }
}

#[cfg(feature = "timezones")]
use self::tail::in_zone;

/// Reads a text that has no time zone, as none is known.
#[cfg(not(feature = "timezones"))]
fn in_zone(
    text: &str,
    places: [Option<Place<'_>>; 2],
    warnings: &mut Warnings,
    read: impl FnOnce(&str, &mut Warnings) -> Result<Dated, ToolError>,
) -> Result<(OffsetDateTime, Option<String>), ToolError> {
    if let Some(Place { field, name }) = places.into_iter().flatten().next() {
        let message = format!("is {}, and this program has no time zones", Echo(name));
        return Err(ToolError::new(message).of(ErrorKind::Unsupported).in_field(field));
    }
    let (moment, basis) = read(text, warnings)?;
    if basis == Basis::Wall {
        warnings.add(WarningKind::Assumed, NO_OFFSET);
    }
    Ok((moment, None))
}

/// Parses an ISO 8601 date, or date and time, ignoring white space around it.
///
/// Accepted are calendar (`2023-11-14`), week (`2023-W46-2`) and ordinal dates (`2023-318`), each
/// with or without hyphens; after `T`, `t` or a space hours and optional minutes and seconds, with
/// or without colons; a fraction of the last of them after a full stop or a comma; then `Z`, `z`,
/// `UTC`, `GMT`, or an offset (`+05:30`, `+0530`, `+05`), optionally after a space. What is missing
/// is taken as midnight and UTC, with a warning. After a space the hour may have one digit, and be
/// followed by AM or PM (`p.m.`); a calendar date may have `/` or `.` in place of its hyphens. With the feature
/// `timezones` a zone may follow, which must agree with the offset unless `in` or `to` precedes it.
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
    Ok(in_zone(text, [None; 2], warnings, iso8601::read)?.0)
}

/// Parses an RFC 2822 date, ignoring white space around it.
///
/// The weekday, the seconds and the time of day are optional; comments are skipped. Months may be
/// written in full, and the hour with one digit or AM and PM. Also accepted are the forms of RFC 850
/// (`Tuesday, 14-Nov-23 22:13:20 GMT`), of asctime(3), date(1), Git and JavaScript
/// (`Tue Nov 14 22:13:20 2023 +0000`), of Apache's logs (`14/Nov/2023:22:13:20 +0000`), and
/// `November 14, 2023`. Of the obsolete forms (§4.3) years of two and three digits are accepted, with
/// a warning, and the zones `UT`, `GMT`, `EST`, `EDT`, `CST`, `CDT`, `MST`, `MDT`, `PST` and `PDT`,
/// also `UTC` and `Z`. The letters of military zones are refused, since they have been used with either
/// sign. Without a zone it is UTC, and without a time midnight, with a warning.
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
    Ok(in_zone(text, [None; 2], warnings, rfc2822::read)?.0)
}

const NO_CLOCK: &str = "No time of day is given; 00:00:00 is assumed.";
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
    if let Some(number) = number::ungrouped(text) {
        let message = format!("is {}, a number with separators", Echo(text));
        return ToolError::new(message).with_hint(format!("write `{number}`"));
    }
    let refusal = if text.is_empty() {
        ToolError::new("is empty")
    } else {
        ToolError::new(format!("is {}, neither a number nor a date", Echo(text)))
    };
    refusal.with_hint(
        "write a number of seconds since 1970, a date of ISO 8601 as in `2023-11-14T22:13:20Z`, or \
         one of RFC 2822 as in `Tue, 14 Nov 2023 22:13:20 +0000`, or `now`",
    )
}
