//! RFC 2822 parser: see [`super::parse_rfc2822`].

use std::borrow::Cow;

use time::{Month, UtcOffset, Weekday};

use super::clock::{Clock, Form, abbreviation, calendar_day, drop_zone, named_offset, offset};
use super::cursor::Cursor;
use super::{Basis, Dated, NANOSECONDS_A_SECOND, NO_CLOCK, out_of_range};
use crate::error::{ErrorKind, Position, ToolError};
use crate::warnings::{WarningKind, Warnings};

const HINT: &str = "RFC 2822 is written as in `Tue, 14 Nov 2023 22:13:20 +0000`";

const MINUTE: i64 = 60 * NANOSECONDS_A_SECOND;

/// Whether a text starts like an RFC 2822 date: with a weekday, or with a day and a month.
pub(super) fn looks_like(text: &str) -> bool {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let name = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let name = name.trim_start_matches(|c: char| u8::try_from(c).is_ok_and(is_separator));
    let name = name.split(|c: char| !c.is_ascii_alphabetic()).next();
    match digits {
        0 => name.is_some_and(|name| weekday_of(name).is_some() || month_of(name).is_some()),
        1 | 2 => name.and_then(month_of).is_some(),
        _ => false,
    }
}

pub(super) fn read(text: &str, warnings: &mut Warnings) -> Result<Dated, ToolError> {
    let text = without_comments(text)?;
    let mut cursor = Cursor::new(&text, HINT)?;
    let weekday = read_weekday(&mut cursor)?;
    let (day, clock, basis) = if cursor.peek().is_some_and(|b| b.is_ascii_alphabetic()) {
        read_asctime(&mut cursor, warnings)?
    } else {
        let day = read_day(&mut cursor, warnings)?;
        let (clock, basis) = read_clock(&mut cursor, warnings)?;
        (day, clock, basis)
    };
    if let Basis::Offset(_) = basis {
        drop_zone(&mut cursor, warnings);
    }
    cursor.expect_end()?;
    if let Some((at, weekday)) = weekday {
        check_weekday(&cursor, at, weekday, day)?;
    }
    let moment = clock.on(day, basis.offset(), &cursor, warnings)?;
    Ok((moment, basis))
}

/// Parses a date that begins with its month: the year is after the day, or after the time and
/// perhaps its zone (asctime(3), date(1), Git).
fn read_asctime(
    cursor: &mut Cursor<'_>,
    warnings: &mut Warnings,
) -> Result<(i64, Clock, Basis), ToolError> {
    let month = read_month(cursor)?;
    cursor.skip_space();
    let at = cursor.at();
    let number = cursor.digits(cursor.digit_run().clamp(1, 2), "a day")?;
    let has_comma = cursor.take(b',');
    cursor.skip_space();
    let is_year_next = has_comma || cursor.digit_run() == 4;
    if is_year_next {
        let year = read_year(cursor, warnings)?;
        let day = calendar_day(year, month, number, cursor, at)?;
        let (clock, basis) = read_clock(cursor, warnings)?;
        return Ok((day, clock, basis));
    }
    let (clock, before) = read_clock(cursor, warnings)?;
    cursor.skip_space();
    let year = read_year(cursor, warnings)?;
    let basis = match before {
        Basis::Wall => read_zone(cursor)?,
        _ => before,
    };
    Ok((calendar_day(year, month, number, cursor, at)?, clock, basis))
}

/// Parses a time of day, if there is one, and the zone after it.
fn read_clock(
    cursor: &mut Cursor<'_>,
    warnings: &mut Warnings,
) -> Result<(Clock, Basis), ToolError> {
    // A comma is written by some locales, a colon in Apache's logs.
    let goes_on = cursor.take(b':') || cursor.take(b',');
    cursor.skip_space();
    if cursor.rest().is_empty() && !goes_on {
        warnings.add(WarningKind::Assumed, NO_CLOCK);
        return Ok((Clock::default(), Basis::Wall));
    }
    let (mut clock, unit) = Clock::read(cursor, Form::Spaced)?;
    if unit > MINUTE {
        return Err(cursor.needs("`:` and a minute"));
    }
    clock.half_day(cursor)?;
    Ok((clock, read_zone(cursor)?))
}

/// Between the parts of a date: `-` in RFC 850, `/` in Apache's logs.
fn is_separator(byte: u8) -> bool {
    byte.is_ascii_whitespace() || matches!(byte, b'-' | b'/')
}

/// The month with a name of three letters, `Sept`, or in full.
fn month_of(name: &str) -> Option<Month> {
    let mut months = (0..12).map(|index| Month::January.nth_next(index));
    months.find(|month| {
        let names = [format!("{month:.3}"), format!("{month:.4}"), month.to_string()];
        let count = if *month == Month::September { 3 } else { 1 };
        let mut known = names.iter().take(count).chain(names.last());
        known.any(|known| known.eq_ignore_ascii_case(name))
    })
}

/// The weekday with a name of three letters or, as in RFC 850, in full.
fn weekday_of(name: &str) -> Option<Weekday> {
    let mut days = (0..7).map(|index| Weekday::Monday.nth_next(index));
    days.find(|day| {
        [format!("{day:.3}"), day.to_string()].iter().any(|d| d.eq_ignore_ascii_case(name))
    })
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

/// Parses the weekday, if present, and its offset in the text.
fn read_weekday(cursor: &mut Cursor<'_>) -> Result<Option<(usize, Weekday)>, ToolError> {
    let at = cursor.at();
    if cursor.peek().is_some_and(|first| first.is_ascii_digit()) {
        return Ok(None);
    }
    let name = cursor.rest().split(|c: char| !c.is_ascii_alphabetic()).next();
    if name.and_then(month_of).is_some() {
        return Ok(None);
    }
    let Some(weekday) = weekday_of(word(cursor)) else {
        let hint = "weekdays are Mon, Tue, Wed, Thu, Fri, Sat, Sun";
        return Err(cursor.no_such(at, "a weekday", hint));
    };
    cursor.skip_space();
    // A name, that of the month, follows in asctime(3).
    if !cursor.peek().is_some_and(|next| next.is_ascii_alphabetic()) {
        cursor.expect(b',', "a comma after the weekday")?;
        cursor.skip_space();
    }
    Ok(Some((at, weekday)))
}

/// Refuses a weekday that does not match the date (§3.3), since either of them can be the wrong
/// one.
fn check_weekday(
    cursor: &Cursor<'_>,
    at: usize,
    weekday: Weekday,
    day: i64,
) -> Result<(), ToolError> {
    // 1 January 1970 was a Thursday.
    let days = u8::try_from(day.rem_euclid(7)).expect("it is below 7");
    let right = Weekday::Thursday.nth_next(days);
    if weekday == right {
        return Ok(());
    }
    Err(ToolError::new("has a weekday that does not match the date")
        .of(ErrorKind::Range)
        .at(cursor.position(at))
        .with_hint(format!("the date is a `{right:.3}`")))
}

fn read_day(cursor: &mut Cursor<'_>, warnings: &mut Warnings) -> Result<i64, ToolError> {
    let day_at = cursor.at();
    let number = cursor.digits(cursor.digit_run().clamp(1, 2), "a day")?;
    cursor.take_while(is_separator);
    let month = read_month(cursor)?;
    if cursor.take_while(is_separator).is_empty() {
        return Err(cursor.needs("a space and a year"));
    }
    let year = read_year(cursor, warnings)?;
    calendar_day(year, month, number, cursor, day_at)
}

fn read_month(cursor: &mut Cursor<'_>) -> Result<Month, ToolError> {
    let at = cursor.at();
    month_of(word(cursor)).ok_or_else(|| {
        let hint = "months are Jan, Feb, Mar, Apr, May, Jun, Jul, Aug, Sep, Oct, Nov, Dec";
        cursor.no_such(at, "a month", hint)
    })
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

/// Parses an offset, a zone of §4.3, or one of two other common names of UTC. Before anything else,
/// such as a year, there is none.
fn read_zone(cursor: &mut Cursor<'_>) -> Result<Basis, ToolError> {
    cursor.skip_space();
    if matches!(cursor.peek(), Some(b'+' | b'-')) {
        return offset(cursor, 4).map(Basis::Offset);
    }
    if !cursor.peek().is_some_and(|first| first.is_ascii_alphabetic()) {
        return Ok(Basis::Wall);
    }
    if let Some(offset) = named_offset(cursor) {
        return offset;
    }
    let at = cursor.at();
    let name = word(cursor);
    if ["UT", "GMT", "UTC", "Z"].iter().any(|utc| name.eq_ignore_ascii_case(utc)) {
        return Ok(Basis::Moment);
    }
    let offset = abbreviation(name).and_then(|(hours, _)| UtcOffset::from_hms(hours, 0, 0).ok());
    offset.map(Basis::Offset).ok_or_else(|| {
        ToolError::new("has a time zone that RFC 2822 does not know")
            .of(ErrorKind::Unsupported)
            .at(cursor.position(at))
            .with_hint(
                "write an offset as in `+0100`, `GMT`, or at the end a zone as in `Europe/Berlin`",
            )
    })
}
