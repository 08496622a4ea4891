//! Timestamp writer: ISO 8601 and RFC 2822.

use time::{OffsetDateTime, UtcOffset};

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
    date_and_time(moment.to_offset(UtcOffset::UTC)) + "Z"
}

/// Formats a time as ISO 8601 with its own offset, to the second where it has some.
///
/// ```
/// use time::macros::datetime;
/// use toolkit_core::timestamp::to_iso8601_with_offset;
///
/// let moment = datetime!(2023-11-15 00:13:20 +2);
/// assert_eq!(to_iso8601_with_offset(moment), "2023-11-15T00:13:20+02:00");
/// ```
pub fn to_iso8601_with_offset(moment: OffsetDateTime) -> String {
    let (hours, minutes, seconds) = moment.offset().as_hms();
    let sign = if moment.offset().is_negative() { '-' } else { '+' };
    let (hours, minutes) = (hours.unsigned_abs(), minutes.unsigned_abs());
    let text = date_and_time(moment);
    match seconds.unsigned_abs() {
        0 => format!("{text}{sign}{hours:02}:{minutes:02}"),
        seconds => format!("{text}{sign}{hours:02}:{minutes:02}:{seconds:02}"),
    }
}

fn date_and_time(moment: OffsetDateTime) -> String {
    let (year, month, day) = moment.to_calendar_date();
    let (hour, minute, second, nanosecond) = moment.to_hms_nano();
    let mut text =
        format!("{year:04}-{:02}-{day:02}T{hour:02}:{minute:02}:{second:02}", u8::from(month));
    if nanosecond > 0 {
        text += format!(".{nanosecond:09}").trim_end_matches('0');
    }
    text
}

/// Formats a time as RFC 2822 in UTC, dropping fractions of a second.
///
/// The standard starts at the year 1900. Earlier years are written the same way.
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
    let weekday = moment.weekday();
    format!("{weekday:.3}, {day:02} {month:.3} {year:04} {hour:02}:{minute:02}:{second:02} +0000")
}
