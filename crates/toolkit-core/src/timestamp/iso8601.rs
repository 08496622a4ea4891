//! Dates and times of ISO 8601, read tolerantly.

use time::{Date, Month, OffsetDateTime, Time, UtcOffset, Weekday};

use super::{in_range, out_of_range};
use crate::error::{Position, ToolError};
use crate::warnings::Warnings;

/// Reads a date, or a date and a time, and gives the moment in UTC.
///
/// Taken are calendar (`2023-11-14`), week (`2023-W46-2`) and ordinal dates (`2023-318`), each also
/// without hyphens in front of a time; `T`, `t` or a space; hours and minutes, with seconds or
/// without, each also without colons; a fraction of the last of them behind a point or comma; `Z`, `z`,
/// `UTC`, `GMT` or an offset (`+05:30`, `+0530`, `+05`). Without an offset it is UTC, with a warning.
///
/// Unix time has no leap seconds: `23:59:60` is the moment after it, and only accepted where one can
/// be, at the end of a month in UTC.
///
/// ```
/// use toolkit_core::{Warnings, timestamp};
///
/// let moment = timestamp::parse_iso8601("2023-11-14 23:13:20,5+01", &mut Warnings::new())?;
/// assert_eq!(timestamp::to_iso8601(moment), "2023-11-14T22:13:20.5Z");
/// # Ok::<(), toolkit_core::ToolError>(())
/// ```
///
/// # Errors
///
/// Says what is wrong, and where.
pub fn parse_iso8601(text: &str, warnings: &mut Warnings) -> Result<OffsetDateTime, ToolError> {
    let text = text.trim();
    let mut reader = Reader { text, at: 0 };
    let date = reader.date()?;
    let clock = reader.clock()?;
    let offset = reader.offset()?;
    if reader.at < text.len() {
        return Err(reader.unexpected("nothing more"));
    }
    let Some(offset) = offset else {
        warnings.push("There is no offset from UTC; UTC is assumed.");
        return at_offset(date, clock, UtcOffset::UTC);
    };
    at_offset(date, clock, offset)
}

/// A time of day; with a leap second the time is the one in front of it.
#[derive(Debug, Clone, Copy)]
struct Clock {
    time: Time,
    has_leap_second: bool,
}

fn at_offset(date: Date, clock: Clock, offset: UtcOffset) -> Result<OffsetDateTime, ToolError> {
    let local = OffsetDateTime::new_in_offset(date, clock.time, offset);
    let moment = local
        .checked_to_offset(UtcOffset::UTC)
        .ok_or_else(out_of_range)?;
    if !clock.has_leap_second {
        return in_range(moment);
    }
    let next = moment
        .checked_add(time::Duration::SECOND)
        .ok_or_else(out_of_range)?;
    let (hour, minute, second) = next.to_hms();
    if next.day() == 1 && (hour, minute, second) == (0, 0, 0) {
        return in_range(next);
    }
    let message = "has a leap second where none can be";
    Err(ToolError::new(message).hint("second 60 is only at the end of a month, 23:59:60 in UTC"))
}

/// A text and how far it is read.
struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl Reader<'_> {
    fn date(&mut self) -> Result<Date, ToolError> {
        let start = self.at;
        let year = self.digits(4, "a year of four digits")?;
        let year = i32::from(year);
        let extended = self.take(b'-');
        if self.take(b'W') || self.take(b'w') {
            return self.week_date(start, year, extended);
        }
        let digits = self.run_of_digits();
        if digits == 3 || digits == 7 && !extended {
            let day = self.digits(3, "a day of the year")?;
            let date = Date::from_ordinal_date(year, day);
            return date.map_err(|_| self.no_such(start, "day of the year"));
        }
        let month = self.digits(2, "a month of two digits")?;
        if extended {
            self.expect(b'-', "`-` and a day")?;
        }
        let day = self.digits(2, "a day of two digits")?;
        let month = u8::try_from(month)
            .ok()
            .and_then(|month| Month::try_from(month).ok());
        let day = u8::try_from(day).unwrap_or(u8::MAX);
        let date = month.and_then(|month| Date::from_calendar_date(year, month, day).ok());
        date.ok_or_else(|| self.no_such(start, "day"))
    }

    fn week_date(&mut self, start: usize, year: i32, extended: bool) -> Result<Date, ToolError> {
        let week = self.digits(2, "a week of two digits")?;
        if extended {
            self.expect(b'-', "`-` and a day of the week")?;
        }
        let day = self.digits(1, "a day of the week")?;
        let week = u8::try_from(week).unwrap_or(u8::MAX);
        let date = weekday(day).and_then(|day| Date::from_iso_week_date(year, week, day).ok());
        date.ok_or_else(|| self.no_such(start, "day of a week"))
    }

    fn clock(&mut self) -> Result<Clock, ToolError> {
        let midnight = Clock {
            time: Time::MIDNIGHT,
            has_leap_second: false,
        };
        let has_time = match self.peek() {
            Some(b'T' | b't') => true,
            // A space may also stand in front of an offset.
            Some(b' ') => self
                .text
                .as_bytes()
                .get(self.at + 1)
                .is_some_and(u8::is_ascii_digit),
            _ => false,
        };
        if !has_time {
            return Ok(midnight);
        }
        self.at += 1;
        let start = self.at;
        let hour = self.digits(2, "an hour of two digits")?;
        let extended = self.take(b':');
        let has_minute = extended || self.run_of_digits() > 0;
        let minute = if has_minute {
            self.digits(2, "a minute of two digits")?
        } else {
            0
        };
        let has_second = has_minute
            && if extended {
                self.take(b':')
            } else {
                self.run_of_digits() > 0
            };
        let second = if has_second {
            self.digits(2, "a second of two digits")?
        } else {
            0
        };
        let unit_seconds = match (has_minute, has_second) {
            (_, true) => 1,
            (true, false) => 60,
            (false, false) => 3600,
        };
        let nanoseconds = self.fraction()? * unit_seconds;
        if hour == 24 {
            let no_such = self.no_such(start, "time of day");
            return Err(no_such.hint("write 00:00:00 of the next day"));
        }
        let has_leap_second = second == 60;
        let second = if has_leap_second { 59 } else { second };
        let byte = |number: u16| u8::try_from(number).unwrap_or(u8::MAX);
        let time = Time::from_hms(byte(hour), byte(minute), byte(second))
            .map_err(|_| self.no_such(start, "time of day"))?;
        Ok(Clock {
            // What is added stays below one unit, so that it does not wrap around.
            time: time + time::Duration::nanoseconds(nanoseconds),
            has_leap_second,
        })
    }

    /// A fraction in billionths, cut off behind the ninth digit.
    fn fraction(&mut self) -> Result<i64, ToolError> {
        if !self.take(b'.') && !self.take(b',') {
            return Ok(0);
        }
        let start = self.at;
        let count = self.run_of_digits();
        if count == 0 {
            return Err(self.unexpected("a digit"));
        }
        self.at += count;
        let digits = self.text.as_bytes().get(start..self.at).unwrap_or_default();
        let billionths = digits.iter().chain([b'0'; 9].iter()).take(9);
        Ok(billionths.fold(0, |value, digit| value * 10 + i64::from(digit - b'0')))
    }

    fn offset(&mut self) -> Result<Option<UtcOffset>, ToolError> {
        self.take(b' ');
        let start = self.at;
        let rest = self.text.get(start..).unwrap_or_default();
        if ["Z", "UTC", "GMT"]
            .iter()
            .any(|zone| rest.eq_ignore_ascii_case(zone))
        {
            self.at = self.text.len();
            return Ok(Some(UtcOffset::UTC));
        }
        let sign: i8 = match self.peek() {
            Some(b'+') => 1,
            Some(b'-') => -1,
            _ => return Ok(None),
        };
        self.at += 1;
        let hours = self.digits(2, "an offset of two or four digits")?;
        let has_minutes = self.take(b':') || self.run_of_digits() > 0;
        let minutes = if has_minutes {
            self.digits(2, "the minutes of an offset")?
        } else {
            0
        };
        let within = |number: u16, end: u16| i8::try_from(number).ok().filter(|_| number < end);
        within(hours, 24)
            .zip(within(minutes, 60))
            .and_then(|(hours, minutes)| UtcOffset::from_hms(sign * hours, sign * minutes, 0).ok())
            .map(Some)
            .ok_or_else(|| self.no_such(start, "offset"))
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn take(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, byte: u8, expected: &str) -> Result<(), ToolError> {
        if self.take(byte) {
            return Ok(());
        }
        Err(self.unexpected(expected))
    }

    fn run_of_digits(&self) -> usize {
        let rest = self.text.as_bytes().get(self.at..).unwrap_or_default();
        rest.iter().take_while(|byte| byte.is_ascii_digit()).count()
    }

    fn digits(&mut self, count: usize, expected: &str) -> Result<u16, ToolError> {
        if self.run_of_digits() < count {
            return Err(self.unexpected(expected));
        }
        let digits = self.text.get(self.at..self.at + count).unwrap_or_default();
        let number = digits.parse().map_err(|_| self.unexpected(expected))?;
        self.at += count;
        Ok(number)
    }

    fn unexpected(&self, expected: &str) -> ToolError {
        ToolError::new(format!(
            "is not a date and time of ISO 8601: {expected} is expected"
        ))
        .at(Position::offset(self.text, self.at))
        .hint("write it like 2023-11-14T22:13:20Z")
    }

    fn no_such(&self, start: usize, what: &str) -> ToolError {
        let written = self.text.get(start..self.at).unwrap_or_default();
        ToolError::new(format!("has `{written}`, and there is no such {what}"))
            .at(Position::offset(self.text, start))
    }
}

/// The day of a week that begins on Monday with 1.
fn weekday(number: u16) -> Option<Weekday> {
    let number = u8::try_from(number)
        .ok()
        .filter(|number| (1..=7).contains(number))?;
    Some(Weekday::Monday.nth_next(number - 1))
}
