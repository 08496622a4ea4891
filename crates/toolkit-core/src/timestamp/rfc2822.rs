//! RFC 2822 parser: see [`super::parse_rfc2822`].

use std::borrow::Cow;

use time::{Month, OffsetDateTime, UtcOffset};

use super::clock::{Clock, Form, calendar_day, offset};
use super::cursor::Cursor;
use super::{MONTHS, NANOSECONDS_A_SECOND, NO_OFFSET, WEEKDAYS, index_of, out_of_range};
use crate::error::{ErrorKind, Position, ToolError};
use crate::warnings::{WarningKind, Warnings};

const HINT: &str = "RFC 2822 is written as in `Tue, 14 Nov 2023 22:13:20 +0000`";

const MINUTE: i64 = 60 * NANOSECONDS_A_SECOND;

/// Whether a text starts like an RFC 2822 date: with a weekday, or with a day and a month.
pub(super) fn looks_like(text: &str) -> bool {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let name = text.get(digits..).unwrap_or_default().trim_start();
    let length = name.bytes().take_while(u8::is_ascii_alphabetic).count();
    let name = name.get(..length).unwrap_or_default();
    match digits {
        0 => index_of(&WEEKDAYS, name).is_some(),
        1 | 2 => index_of(&MONTHS, name).is_some(),
        _ => false,
    }
}

pub(super) fn read(text: &str, warnings: &mut Warnings) -> Result<OffsetDateTime, ToolError> {
    let text = without_comments(text)?;
    let mut cursor = Cursor::new(&text, HINT)?;
    let weekday = read_weekday(&mut cursor)?;
    let day = read_day(&mut cursor, warnings)?;
    if let Some((at, weekday)) = weekday {
        check_weekday(&cursor, at, weekday, day)?;
    }
    cursor.skip_space();
    let (clock, unit) = Clock::read(&mut cursor, Form::Spaced)?;
    if unit > MINUTE {
        return Err(cursor.needs("`:` and a minute"));
    }
    cursor.skip_space();
    let offset = if cursor.rest().is_empty() {
        warnings.add(WarningKind::Assumed, NO_OFFSET);
        UtcOffset::UTC
    } else {
        read_zone(&mut cursor)?
    };
    cursor.expect_end()?;
    clock.on(day, offset, &cursor, warnings)
}

/// Replaces each character of a comment (§3.2.3) with a space, so that all others keep their
/// positions.
fn without_comments(text: &str) -> Result<Cow<'_, str>, ToolError> {
    if !text.contains('(') {
        return Ok(Cow::Borrowed(text));
    }
    let (mut depth, mut is_quoted, mut start) = (0_usize, false, 0);
    let mut blanked = String::with_capacity(text.len());
    for (at, character) in text.char_indices() {
        if depth == 0 {
            start = at;
        }
        if character == '(' && !is_quoted {
            depth += 1;
        }
        blanked.push(if depth > 0 { ' ' } else { character });
        if character == ')' && !is_quoted {
            depth = depth.saturating_sub(1);
        }
        is_quoted = depth > 0 && character == '\\' && !is_quoted;
    }
    if depth > 0 {
        let refusal = ToolError::new("has a comment without an end").with_hint("close it with `)`");
        return Err(refusal.at(Position::offset(text, start)));
    }
    Ok(Cow::Owned(blanked))
}

fn word<'a>(cursor: &mut Cursor<'a>) -> &'a str {
    cursor.take_while(|byte| byte.is_ascii_alphabetic())
}

/// Parses the weekday, if present, as its offset in the text and its index from Monday.
fn read_weekday(cursor: &mut Cursor<'_>) -> Result<Option<(usize, usize)>, ToolError> {
    let at = cursor.at();
    if cursor.peek().is_some_and(|first| first.is_ascii_digit()) {
        return Ok(None);
    }
    let Some(weekday) = index_of(&WEEKDAYS, word(cursor)) else {
        let hint = format!("weekdays are {}", WEEKDAYS.join(", "));
        return Err(cursor.no_such(at, "a weekday", hint));
    };
    cursor.skip_space();
    cursor.expect(b',', "a comma after the weekday")?;
    cursor.skip_space();
    Ok(Some((at, weekday)))
}

/// Refuses a weekday that does not match the date (§3.3), since either of them can be the wrong
/// one.
fn check_weekday(
    cursor: &Cursor<'_>,
    at: usize,
    weekday: usize,
    day: i64,
) -> Result<(), ToolError> {
    // 1 January 1970 was a Thursday.
    let right = usize::try_from((day + 3).rem_euclid(7)).unwrap_or_default();
    if weekday == right {
        return Ok(());
    }
    let name = WEEKDAYS.get(right).copied().unwrap_or_default();
    Err(ToolError::new("has another weekday than its date")
        .of(ErrorKind::Range)
        .at(cursor.position(at))
        .with_hint(format!("the date is a `{name}`")))
}

fn read_day(cursor: &mut Cursor<'_>, warnings: &mut Warnings) -> Result<i64, ToolError> {
    let day_at = cursor.at();
    let number = cursor.digits(cursor.digit_run().clamp(1, 2), "a day")?;
    cursor.skip_space();
    let at = cursor.at();
    let month = index_of(&MONTHS, word(cursor))
        .and_then(|index| u8::try_from(index + 1).ok())
        .and_then(|month| Month::try_from(month).ok());
    let Some(month) = month else {
        let hint = format!("months are {}", MONTHS.join(", "));
        return Err(cursor.no_such(at, "a month", hint));
    };
    cursor.skip_space();
    let year = read_year(cursor, warnings)?;
    calendar_day(year, month, number, cursor, day_at)
}

fn read_year(cursor: &mut Cursor<'_>, warnings: &mut Warnings) -> Result<u16, ToolError> {
    let count = cursor.digit_run();
    if count > 4 {
        return Err(out_of_range());
    }
    let written = cursor.digits(count.max(2), "a year of four digits")?;
    let year = match (count, written) {
        (4, 0) => return Err(out_of_range()),
        (4, year) => return Ok(year),
        (2, 0..50) => written + 2000,
        _ => written + 1900,
    };
    let warning = format!("The year is not of four digits; it is taken as {year} (RFC 2822 §4.3).");
    warnings.add(WarningKind::Assumed, warning);
    Ok(year)
}

/// Parses an offset, a zone of §4.3, or one of two other common names of UTC.
fn read_zone(cursor: &mut Cursor<'_>) -> Result<UtcOffset, ToolError> {
    if matches!(cursor.peek(), Some(b'+' | b'-')) {
        return offset(cursor, false);
    }
    let at = cursor.at();
    let hours = match word(cursor).to_ascii_uppercase().as_str() {
        "UT" | "GMT" | "UTC" | "Z" => Some(0),
        "EDT" => Some(-4),
        "EST" | "CDT" => Some(-5),
        "CST" | "MDT" => Some(-6),
        "MST" | "PDT" => Some(-7),
        "PST" => Some(-8),
        _ => None,
    };
    let offset = hours.and_then(|hours| UtcOffset::from_hms(hours, 0, 0).ok());
    offset.ok_or_else(|| {
        ToolError::new("has a time zone that RFC 2822 does not know")
            .of(ErrorKind::Unsupported)
            .at(cursor.position(at))
            .with_hint("write an offset as in `+0100`, or `GMT`")
    })
}
