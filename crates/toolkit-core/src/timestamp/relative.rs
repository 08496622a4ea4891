//! Relative time in words: "3 days ago".

use time::{OffsetDateTime, UtcOffset};

/// Describes a time relative to now: `3 days ago`, `in 2 hours`, or `now` within a second.
///
/// Uses the largest unit of which at least one has passed, rounded down. Months and years are
/// calendar ones in UTC.
///
/// ```
/// use time::macros::datetime;
/// use toolkit_core::timestamp::relative;
///
/// let now = datetime!(2023-11-14 22:13:20 UTC);
/// assert_eq!(relative(datetime!(2022-11-14 22:13:20 UTC), now), "1 year ago");
/// assert_eq!(relative(datetime!(2023-11-15 00:13:20 UTC), now), "in 2 hours");
/// ```
pub fn relative(moment: OffsetDateTime, now: OffsetDateTime) -> String {
    let is_past = moment < now;
    let (earlier, later) = if is_past { (moment, now) } else { (now, moment) };
    let seconds = (later - earlier).whole_seconds();
    let months = whole_months(earlier, later);
    let (count, unit) = match (months, seconds) {
        (12.., _) => (months / 12, "year"),
        (1.., _) => (months, "month"),
        (_, 86_400..) => (seconds / 86_400, "day"),
        (_, 3_600..) => (seconds / 3_600, "hour"),
        (_, 60..) => (seconds / 60, "minute"),
        (_, 1..) => (seconds, "second"),
        _ => return "now".to_owned(),
    };
    let plural = if count == 1 { "" } else { "s" };
    if is_past {
        format!("{count} {unit}{plural} ago")
    } else {
        format!("in {count} {unit}{plural}")
    }
}

/// Number of full calendar months between two times.
fn whole_months(earlier: OffsetDateTime, later: OffsetDateTime) -> i64 {
    let number = |moment: OffsetDateTime| {
        let month = i64::from(u8::from(moment.month()));
        i64::from(moment.year()) * 12 + month
    };
    let (earlier, later) = (earlier.to_offset(UtcOffset::UTC), later.to_offset(UtcOffset::UTC));
    let is_begun = (later.day(), later.time()) < (earlier.day(), earlier.time());
    number(later) - number(earlier) - i64::from(is_begun)
}
