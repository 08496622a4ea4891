//! Time of day, combined with a date.

use time::{Date, Month, OffsetDateTime, UtcOffset};

use super::cursor::Cursor;
use super::{Basis, NANOSECONDS_A_SECOND, from_nanoseconds};
use crate::echo::Echo;
use crate::error::ToolError;
use crate::warnings::{WarningKind, Warnings};

const SECONDS_A_DAY: i64 = 86_400;
const EPOCH: Date = OffsetDateTime::UNIX_EPOCH.date();

/// Parts of a time of day: the number of its values, the digits needed, and the values there are.
type Part = (u16, &'static str, &'static str);
const HOUR: Part = (
    24,
    "two digits for the hour",
    "hours are 00 to 23, and a day ends with 00:00:00 of the next one",
);
const MINUTE: Part = (60, "two digits for the minute", "minutes are 00 to 59");
const SECOND: Part = (61, "two digits for the second", "seconds are 00 to 59");

/// The zones of RFC 2822, section 4.3: hours from UTC, and a place that has the zone.
const ABBREVIATIONS: [(&str, i8, &str); 8] = [
    ("EDT", -4, "America/New_York"),
    ("EST", -5, "America/New_York"),
    ("CDT", -5, "America/Chicago"),
    ("CST", -6, "America/Chicago"),
    ("MDT", -6, "America/Denver"),
    ("MST", -7, "America/Denver"),
    ("PDT", -7, "America/Los_Angeles"),
    ("PST", -8, "America/Los_Angeles"),
];

/// A time of day.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Clock {
    hour: i64,
    pub(super) nanoseconds: i64,
    leap_second_at: Option<usize>,
}

impl Clock {
    /// Parses the hour, and minute and second if present. Also returns the nanoseconds of the
    /// smallest unit given.
    pub(super) fn read(cursor: &mut Cursor<'_>, form: Form) -> Result<(Self, i64), ToolError> {
        let (mut minute, mut second, mut unit) = (0, 0, 3600);
        let mut leap_second_at = None;
        let hour = match (form, cursor.digit_run()) {
            (Form::Spaced, 1) => i64::from(cursor.digits(1, HOUR.1)?),
            _ => part(cursor, HOUR)?,
        };
        if form.goes_on(cursor) {
            minute = part(cursor, MINUTE)?;
            unit = 60;
            if form.goes_on(cursor) {
                let at = cursor.at();
                second = part(cursor, SECOND)?;
                unit = 1;
                leap_second_at = (second == 60).then_some(at);
            }
        }
        let seconds = (hour * 60 + minute) * 60 + second;
        let clock = Self { hour, nanoseconds: seconds * NANOSECONDS_A_SECOND, leap_second_at };
        Ok((clock, unit * NANOSECONDS_A_SECOND))
    }

    /// Moves the hour by an `AM`, `p.m.` or the like that follows the time.
    pub(super) fn half_day(&mut self, cursor: &mut Cursor<'_>) -> Result<(), ToolError> {
        let is_part = |byte: u8| byte.is_ascii_alphabetic() || byte == b'.';
        let at = cursor.at();
        let rest = cursor.rest().trim_ascii_start();
        let word: Vec<u8> = rest.bytes().take_while(|&byte| is_part(byte)).collect();
        let word: Vec<u8> = word.into_iter().filter(|&byte| byte != b'.').collect();
        let start = match word.to_ascii_uppercase().as_slice() {
            b"AM" => 0,
            b"PM" => 12,
            _ => return Ok(()),
        };
        cursor.skip_space();
        cursor.take_while(is_part);
        if !(1..=12).contains(&self.hour) {
            return Err(cursor.no_such(at, "a time of day", "hours before AM and PM are 1 to 12"));
        }
        self.nanoseconds += (start + self.hour % 12 - self.hour) * 3600 * NANOSECONDS_A_SECOND;
        Ok(())
    }

    /// Combines this time with a day, counted from 1970, and an offset.
    pub(super) fn on(
        self,
        day: i64,
        offset: UtcOffset,
        cursor: &Cursor<'_>,
        warnings: &mut Warnings,
    ) -> Result<OffsetDateTime, ToolError> {
        let seconds = day * SECONDS_A_DAY - i64::from(offset.whole_seconds());
        let nanoseconds = i128::from(seconds) * i128::from(NANOSECONDS_A_SECOND);
        let moment = from_nanoseconds(nanoseconds + i128::from(self.nanoseconds))?;
        let Some(at) = self.leap_second_at else {
            return Ok(moment);
        };
        let follows_half_year = matches!(moment.month(), Month::January | Month::July);
        if follows_half_year && moment.day() == 1 && moment.to_hms() == (0, 0, 0) {
            warnings.add(
                WarningKind::Changed,
                "Unix time has no leap seconds: the second 60 is counted as the one after it.",
            );
            return Ok(moment);
        }
        let hint = "a leap second is 23:59:60 in UTC at the end of June or December";
        Err(cursor.no_such(at, "a second", hint))
    }
}

/// Separators between the parts of a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// Colons.
    Extended,
    /// Colons, with white space around them (RFC 2822, section 4.3).
    Spaced,
    /// None.
    Basic,
}

impl Form {
    fn goes_on(self, cursor: &mut Cursor<'_>) -> bool {
        match self {
            Self::Extended => cursor.take(b':'),
            Self::Spaced => {
                let goes_on = cursor.rest().trim_ascii_start().starts_with(':');
                if goes_on {
                    cursor.skip_space();
                    cursor.take(b':');
                    cursor.skip_space();
                }
                goes_on
            }
            Self::Basic => cursor.digit_run() > 0,
        }
    }
}

fn part(cursor: &mut Cursor<'_>, (end, expected, there_is): Part) -> Result<i64, ToolError> {
    let at = cursor.at();
    let number = cursor.digits(2, expected)?;
    if number < end {
        return Ok(number.into());
    }
    Err(cursor.no_such(at, "a time of day", there_is))
}

/// Parses an offset: a sign and four digits. With a `minimum` of two, minutes can follow a colon or
/// be missing. With one, hours can have one digit.
pub(super) fn offset(cursor: &mut Cursor<'_>, minimum: usize) -> Result<UtcOffset, ToolError> {
    let start = cursor.at();
    let sign = if cursor.take(b'-') { -1 } else { 1 };
    if sign == 1 {
        cursor.expect(b'+', "`+` or `-` and an offset")?;
    }
    let count = cursor.digit_run().clamp(minimum.min(2), 2);
    let hours = cursor.digits(count, "two digits for the hours of the offset")?;
    let goes_on = minimum == 4 || cursor.take(b':') || cursor.digit_run() > 0;
    let minutes =
        if goes_on { cursor.digits(2, "two digits for the minutes of the offset")? } else { 0 };
    let seconds = (i32::from(hours) * 60 + i32::from(minutes)) * 60;
    UtcOffset::from_whole_seconds(sign * seconds)
        .ok()
        .filter(|_| hours < 24 && minutes < 60)
        .ok_or_else(|| cursor.no_such(start, "an offset", "offsets are -23:59 to +23:59"))
}

/// Parses an offset after `UTC` or `GMT`, as in JavaScript's `GMT+0200`. `None` if there is none.
pub(super) fn named_offset(cursor: &mut Cursor<'_>) -> Option<Result<Basis, ToolError>> {
    let name = cursor.rest().get(..3)?;
    let is_named = ["UTC", "GMT"].iter().any(|known| name.eq_ignore_ascii_case(known));
    let is_signed = cursor.rest().as_bytes().get(3).is_some_and(|sign| b"+-".contains(sign));
    (is_named && is_signed).then(|| {
        cursor.take_while(|byte| byte.is_ascii_alphabetic());
        offset(cursor, 1).map(Basis::Offset)
    })
}

/// The hours from UTC of a zone of RFC 2822, and a place that has it.
pub(super) fn abbreviation(name: &str) -> Option<(i8, &'static str)> {
    let mut known = ABBREVIATIONS.iter();
    let (_, hours, place) = known.find(|(known, ..)| name.eq_ignore_ascii_case(known))?;
    Some((*hours, place))
}

/// What to write in place of an abbreviation, which stands for an offset or for a place.
pub(super) fn instead_of(name: &str) -> Option<String> {
    let (hours, place) = abbreviation(name)?;
    Some(format!("write the offset `{hours:+03}:00`, or a zone as in `{place}`"))
}

/// Leaves out the abbreviation that Go and others write after an offset, and Go's monotonic clock.
pub(super) fn drop_zone(cursor: &mut Cursor<'_>, warnings: &mut Warnings) {
    let rest = cursor.rest().trim_start();
    let (zone, clock) = rest.split_once(" m=").unwrap_or((rest, ""));
    let is_number = |byte: u8| byte.is_ascii_digit() || b"+-.".contains(&byte);
    let is_zone = (1..=5).contains(&zone.len())
        && cursor.rest().starts_with(' ')
        && (zone.bytes().all(|byte| byte.is_ascii_uppercase()) || zone.bytes().all(is_number));
    if is_zone && clock.bytes().all(is_number) {
        let warning = format!("What follows the offset was left out: {}.", Echo(rest));
        warnings.add(WarningKind::Dropped, warning);
        cursor.take_while(|_| true);
    }
}

/// Number of days from 1970 to a date.
pub(super) fn day(date: Date) -> i64 {
    i64::from(date.to_julian_day()) - i64::from(EPOCH.to_julian_day())
}

/// Day number of a calendar date. `at` is the offset of its day of the month.
pub(super) fn calendar_day(
    year: u16,
    month: Month,
    number: u16,
    cursor: &Cursor<'_>,
    at: usize,
) -> Result<i64, ToolError> {
    u8::try_from(number)
        .ok()
        .and_then(|number| Date::from_calendar_date(year.into(), month, number).ok())
        .map(day)
        .ok_or_else(|| {
            let last = month.length(year.into());
            cursor.no_such(at, "a day", format!("{month} {year} has {last} days"))
        })
}
