//! Timestamp writer: ISO 8601 and RFC 2822.

use time::{OffsetDateTime, UtcOffset};

use super::{MONTHS, WEEKDAYS};

/// Formats a time as ISO 8601 in UTC, with as many fractional digits as it needs.
///
/// ```
/// use time::macros::datetime;
/// use toolkit_core::timestamp::to_iso8601;
///
/// assert_eq!(to_iso8601(datetime!(2023-11-15 00:13:20 +2)), "2023-11-14T22:13:20Z");
/// assert_eq!(to_iso8601(datetime!(2023-11-14 22:13:20.5 UTC)), "2023-11-14T22:13:20.5Z");
/// ```
pub fn to_iso8601(moment: OffsetDateTime) -> String {
    let moment = moment.to_offset(UtcOffset::UTC);
    let (year, month, day) = moment.to_calendar_date();
    let (hour, minute, second, nanosecond) = moment.to_hms_nano();
    let mut text = String::with_capacity("-2023-11-14T22:13:20.123456789Z".len());
    if year < 0 {
        text.push('-');
    }
    // Format descriptions take ten times as long as writing the digits directly, and a schedule has
    // many dates.
    let year_digits = if year < 0 { 3 } else { 4 };
    push_digits(&mut text, year.unsigned_abs(), year_digits);
    let pairs = [
        ('-', u8::from(month)),
        ('-', day),
        ('T', hour),
        (':', minute),
        (':', second),
    ];
    for (separator, value) in pairs {
        text.push(separator);
        push_digits(&mut text, value.into(), 2);
    }
    if nanosecond > 0 {
        text.push('.');
        push_digits(&mut text, nanosecond, 9);
        text.truncate(text.trim_end_matches('0').len());
    }
    text.push('Z');
    text
}

/// Appends an integer padded to at least `digits` digits.
fn push_digits(text: &mut String, value: u32, digits: u32) {
    let mut unit = 10_u32.pow(digits - 1);
    while value / unit >= 10 {
        unit *= 10;
    }
    while unit > 0 {
        let digit = char::from_digit(value / unit % 10, 10);
        text.push(digit.unwrap_or('0'));
        unit /= 10;
    }
}

/// Formats a time as RFC 2822 in UTC, dropping fractions of a second.
///
/// The standard has years from 1900 on; earlier ones are written in the same way.
///
/// ```
/// use time::macros::datetime;
/// use toolkit_core::timestamp::to_rfc2822;
///
/// let moment = datetime!(2023-11-14 22:13:20 UTC);
/// assert_eq!(to_rfc2822(moment), "Tue, 14 Nov 2023 22:13:20 +0000");
/// ```
pub fn to_rfc2822(moment: OffsetDateTime) -> String {
    let moment = moment.to_offset(UtcOffset::UTC);
    let (year, month, day) = moment.to_calendar_date();
    let (hour, minute, second) = moment.to_hms();
    let weekday = moment.weekday().number_days_from_monday();
    let weekday = WEEKDAYS.get(usize::from(weekday)).copied();
    let month = MONTHS.get(usize::from(u8::from(month)) - 1).copied();
    let (weekday, month) = (weekday.unwrap_or_default(), month.unwrap_or_default());
    format!("{weekday}, {day:02} {month} {year:04} {hour:02}:{minute:02}:{second:02} +0000")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use time::{Date, Month, Time};

    use super::*;

    proptest! {
        #[test]
        fn the_digits_are_those_of_a_format(
            year in -9999_i32..=9999,
            month in 1_u8..=12,
            day in 1_u8..=28,
            (hour, minute, second) in (0_u8..24, 0_u8..60, 0_u8..60),
            nanosecond in prop_oneof![Just(0_u32), (0_u32..1_000).prop_map(|ms| ms * 1_000_000), 0_u32..1_000_000_000],
        ) {
            let date = Date::from_calendar_date(year, Month::try_from(month).unwrap(), day).unwrap();
            let time = Time::from_hms_nano(hour, minute, second, nanosecond).unwrap();
            let fraction = match nanosecond {
                0 => String::new(),
                _ => format!(".{nanosecond:09}").trim_end_matches('0').to_owned(),
            };
            let expected =
                format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}{fraction}Z");
            prop_assert_eq!(to_iso8601(date.with_time(time).assume_utc()), expected);
        }
    }
}
