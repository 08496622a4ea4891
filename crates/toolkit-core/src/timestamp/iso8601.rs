//! ISO 8601 parser: see [`super::parse_iso8601`].

use time::util::{days_in_year, weeks_in_year};
use time::{Date, Month};

use super::clock::{Clock, Form, calendar_day, day, drop_zone, instead_of, named_offset, offset};
use super::cursor::Cursor;
use super::{Basis, DIGITS_DROPPED, Dated, NANOSECONDS_A_SECOND, NO_CLOCK, out_of_range};
use crate::error::{ErrorKind, ToolError};
use crate::warnings::{WarningKind, Warnings};

const HINT: &str = "ISO 8601 is written as in `2023-11-14T22:13:20Z`";
/// Number of significant digits of a fraction: of an hour they resolve far less than a nanosecond.
const FRACTION_DIGITS: usize = 18;

/// Whether a text starts like an ISO 8601 date.
pub(super) fn looks_like(text: &str) -> bool {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let digits = unsigned.bytes().take_while(u8::is_ascii_digit).count();
    match digits {
        4 | 7 | 8 if unsigned.len() == text.len() => true,
        // Years of more than four digits, and those with a sign (ISO 8601-1 §4.3.2).
        4..=6 => unsigned.as_bytes().get(digits) == Some(&b'-'),
        _ => false,
    }
}

pub(super) fn read(text: &str, warnings: &mut Warnings) -> Result<Dated, ToolError> {
    parse(text, warnings).map_err(|refusal| rewritten(text).unwrap_or(refusal))
}

/// Refuses a time of day as in file names, `-10:30` or `T10-30-00`, with the text to write.
fn rewritten(text: &str) -> Option<ToolError> {
    let is_read = |text: &String| parse(text, &mut Warnings::new()).is_ok();
    let mut cursor = Cursor::new(text, HINT).ok()?;
    read_day(&mut cursor).ok()?;
    let (at, rest) = (cursor.position(cursor.at()), cursor.rest());
    let date = text.trim().strip_suffix(rest)?;
    let (separator, clock) = rest.split_at_checked(1).filter(|(s, _)| "-_Tt ".contains(s))?;
    let colon = |(index, c)| if c == '-' && [2, 5].contains(&index) { ':' } else { c };
    let has_minutes = clock.len() > 3;
    let clock: String = clock.char_indices().map(colon).collect();
    let meant = Some(format!("{date}T{clock}")).filter(|text| has_minutes && is_read(text))?;
    let beside =
        Some(format!("{date}T00:00{rest}")).filter(|text| separator == "-" && is_read(text));
    let beside = beside.map(|text| format!("; an offset needs a time before it, as in `{text}`"));
    let hint = format!("write `{meant}`{}", beside.unwrap_or_default());
    let refusal = ToolError::new("has a time of day that ISO 8601 writes differently");
    Some(refusal.at(at).with_hint(hint))
}

fn parse(text: &str, warnings: &mut Warnings) -> Result<Dated, ToolError> {
    let mut cursor = Cursor::new(text, HINT)?;
    let day = read_day(&mut cursor)?;
    let clock = read_clock(&mut cursor, warnings)?;
    let basis = read_offset(&mut cursor, clock.is_some(), warnings)?;
    if clock.is_some() {
        refuse_word(&cursor)?;
    }
    cursor.expect_end()?;
    if clock.is_none() {
        warnings.add(WarningKind::Assumed, NO_CLOCK);
    }
    let clock = clock.unwrap_or_default();
    let moment = clock.on(day, basis.offset(), &cursor, warnings)?;
    Ok((moment, basis))
}

/// Refuses a word after the time of day: the name of a zone, or the `h` of `22h30`.
fn refuse_word(cursor: &Cursor<'_>) -> Result<(), ToolError> {
    let name = cursor.rest();
    if name.starts_with(['h', 'H']) && name.as_bytes().get(1).is_some_and(u8::is_ascii_digit) {
        return Err(cursor.needs("`:` and a minute"));
    }
    let is_word = name.len() > 2 && name.chars().all(|c| c.is_alphabetic() || "/_".contains(c));
    if !is_word && !name.starts_with('[') {
        return Ok(());
    }
    let hint = instead_of(name).unwrap_or_else(|| {
        "write its offset from UTC, as in `+01:00`, or a zone as in `Europe/Berlin`".to_owned()
    });
    Err(ToolError::new("has the name of a time zone")
        .of(ErrorKind::Unsupported)
        .at(cursor.position(cursor.at()))
        .with_hint(hint))
}

/// Parses a date as the number of days from 1970.
fn read_day(cursor: &mut Cursor<'_>) -> Result<i64, ToolError> {
    let run = cursor.digit_run();
    let is_expanded = matches!(cursor.peek(), Some(b'+' | b'-')) || matches!(run, 5 | 6);
    if is_expanded && looks_like(cursor.rest()) {
        let digits = cursor.rest().trim_start_matches('+').split('-').next();
        let is_known = digits
            .and_then(|year| year.parse().ok())
            .is_some_and(|year| (1..=9999).contains(&year));
        return Err(if is_known { cursor.needs("a year of four digits") } else { out_of_range() });
    }
    let year = cursor.digits(4, "a year of four digits")?;
    if year == 0 {
        return Err(out_of_range());
    }
    if let Some(separator @ (b'/' | b'.')) = cursor.peek() {
        cursor.take(separator);
        return calendar_date(cursor, year, Some(separator));
    }
    let is_extended = cursor.take(b'-');
    if cursor.take_letter(b'W') {
        return week_day(cursor, year, is_extended);
    }
    match cursor.digit_run() {
        3 => ordinal_day(cursor, year),
        2 if is_extended => calendar_date(cursor, year, Some(b'-')),
        4 if !is_extended => calendar_date(cursor, year, None),
        _ if is_extended => {
            Err(cursor.needs("a month of two digits, `W` and a week, or a day of three digits"))
        }
        _ => Err(cursor.needs("`-` and a month")),
    }
}

fn calendar_date(
    cursor: &mut Cursor<'_>,
    year: u16,
    separator: Option<u8>,
) -> Result<i64, ToolError> {
    let at = cursor.at();
    let month = cursor.digits(2, "a month of two digits")?;
    let month = u8::try_from(month)
        .ok()
        .and_then(|month| Month::try_from(month).ok())
        .ok_or_else(|| cursor.no_such(at, "a month", "months are 01 to 12"))?;
    if let Some(separator) = separator {
        cursor.expect(separator, &format!("`{}` and a day", char::from(separator)))?;
    }
    let at = cursor.at();
    let number = cursor.digits(2, "a day of two digits")?;
    calendar_day(year, month, number, cursor, at)
}

fn ordinal_day(cursor: &mut Cursor<'_>, year: u16) -> Result<i64, ToolError> {
    let at = cursor.at();
    let ordinal = cursor.digits(3, "a day of three digits")?;
    let date = Date::from_ordinal_date(year.into(), ordinal);
    date.map(day).map_err(|_| {
        let last = days_in_year(year.into());
        cursor.no_such(at, "a day", format!("{year} has {last} days"))
    })
}

/// Counts from the Monday of the week with 4 January (ISO 8601-1 §3.1.1.23).
fn week_day(cursor: &mut Cursor<'_>, year: u16, is_extended: bool) -> Result<i64, ToolError> {
    let at = cursor.at();
    let week = cursor.digits(2, "a week of two digits")?;
    let last = weeks_in_year(year.into());
    if !(1..=last.into()).contains(&week) {
        return Err(cursor.no_such(at, "a week", format!("{year} has {last} weeks")));
    }
    if is_extended {
        cursor.expect(b'-', "`-` and a day of the week")?;
    }
    let at = cursor.at();
    let number = cursor.digits(1, "a day of the week")?;
    if !(1..=7).contains(&number) {
        let hint = "days of the week are 1, Monday, to 7";
        return Err(cursor.no_such(at, "a day", hint));
    }
    let fourth = Date::from_ordinal_date(year.into(), 4).map_err(|_| out_of_range())?;
    let monday = day(fourth) - i64::from(fourth.weekday().number_days_from_monday());
    Ok(monday + (i64::from(week) - 1) * 7 + i64::from(number) - 1)
}

fn read_clock(
    cursor: &mut Cursor<'_>,
    warnings: &mut Warnings,
) -> Result<Option<Clock>, ToolError> {
    let follows_digit = cursor
        .rest()
        .strip_prefix(' ')
        .is_some_and(|rest| rest.starts_with(|first: char| first.is_ascii_digit()));
    // A space can also precede an offset.
    let has_clock = cursor.take_letter(b'T') || follows_digit && cursor.take(b' ');
    if !has_clock {
        return Ok(None);
    }
    let form = match cursor.digit_run() {
        4 | 6 => Form::Basic,
        _ if follows_digit => Form::Spaced,
        _ => Form::Extended,
    };
    let (mut clock, unit) = Clock::read(cursor, form)?;
    let mut is_clear = form != Form::Basic;
    if cursor.take(b'.') || cursor.take(b',') {
        clock.nanoseconds += fraction(cursor, unit, warnings)?;
        // With AM or PM, the point of `10.30` stands for a colon.
        is_clear &= unit == NANOSECONDS_A_SECOND;
    }
    if is_clear {
        clock.half_day(cursor)?;
    }
    Ok(Some(clock))
}

/// Converts the digits of a fraction of a unit to nanoseconds, rounded down.
fn fraction(cursor: &mut Cursor<'_>, unit: i64, warnings: &mut Warnings) -> Result<i64, ToolError> {
    if cursor.digit_run() == 0 {
        return Err(cursor.needs("a digit"));
    }
    let digits = cursor.take_while(|byte| byte.is_ascii_digit());
    let (mut value, mut scale) = (0_i128, 1_i128);
    for digit in digits.bytes().take(FRACTION_DIGITS) {
        value = value * 10 + i128::from(digit - b'0');
        scale *= 10;
    }
    let value = value * i128::from(unit);
    // Most fractions of an hour or a minute are not whole nanoseconds, so rounding loses nothing.
    let is_second = unit == NANOSECONDS_A_SECOND;
    let has_more = digits.bytes().skip(FRACTION_DIGITS).any(|digit| digit != b'0');
    if is_second && (value % scale != 0 || has_more) {
        warnings.add(WarningKind::Dropped, DIGITS_DROPPED);
    }
    Ok(i64::try_from(value / scale).expect("an hour has fewer nanoseconds"))
}

fn read_offset(
    cursor: &mut Cursor<'_>,
    has_clock: bool,
    warnings: &mut Warnings,
) -> Result<Basis, ToolError> {
    let start = cursor.at();
    cursor.take(b' ');
    if let Some(offset) = named_offset(cursor) {
        return offset;
    }
    let name = cursor.rest().split(|c: char| !c.is_alphabetic()).next().unwrap_or_default();
    if ["Z", "UTC", "GMT"].iter().any(|utc| name.eq_ignore_ascii_case(utc)) {
        cursor.take_while(|byte| byte.is_ascii_alphabetic());
        return Ok(Basis::Moment);
    }
    if !matches!(cursor.peek(), Some(b'+' | b'-')) {
        return Ok(Basis::Wall);
    }
    let at = cursor.at();
    let offset = offset(cursor, 2)?;
    if !has_clock {
        return Err(ToolError::new("has an offset from UTC without a time of day")
            .at(cursor.position(at.min(start)))
            .with_hint("write the time before it, as in `2023-11-14T00:00:00-03:00`"));
    }
    drop_zone(cursor, warnings);
    Ok(Basis::Offset(offset))
}
