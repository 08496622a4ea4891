//! Moments in time: from Unix time, ISO 8601 and RFC 2822, and back.
//!
//! Standard: POSIX for Unix time, which has no leap seconds; ISO 8601 (with RFC 3339 within it) and
//! RFC 2822 for dates, in the proleptic Gregorian calendar. Covered are the years 0001 to 9999, in
//! nanoseconds. Left out are time zones by name, intervals and durations.

mod iso8601;

use time::{OffsetDateTime, UtcOffset};

pub use self::iso8601::parse_iso8601;
use crate::error::ToolError;

/// Writes a moment as ISO 8601 in UTC, with as many digits behind the second as it has.
pub fn to_iso8601(moment: OffsetDateTime) -> String {
    let moment = moment.checked_to_offset(UtcOffset::UTC).unwrap_or(moment);
    let fraction = moment.nanosecond();
    let (date, (hour, minute, second)) = (moment.date(), moment.to_hms());
    let (year, month, day) = (date.year(), u8::from(date.month()), date.day());
    let mut text = format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}");
    if fraction > 0 {
        let digits = format!(".{fraction:09}");
        text.push_str(digits.trim_end_matches('0'));
    }
    text.push('Z');
    text
}

/// Takes a moment of the years that are covered.
fn in_range(moment: OffsetDateTime) -> Result<OffsetDateTime, ToolError> {
    if (1..=9999).contains(&moment.year()) {
        return Ok(moment);
    }
    Err(out_of_range())
}

fn out_of_range() -> ToolError {
    ToolError::new("is outside the years 0001 to 9999")
}
