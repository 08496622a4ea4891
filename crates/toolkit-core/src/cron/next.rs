//! Runs: the wall-clock times at which an expression fires.

use time::{Date, Duration, Month, PlainDateTime, Time};

use super::Schedule;

/// Period of the Gregorian calendar, including weekdays, in years: what does not fire within it
/// never does.
const CALENDAR_YEARS: i32 = 400;
/// The last year that is searched.
const YEAR_MAX: i32 = 9999;
/// The first year that is searched.
const YEAR_MIN: i32 = 1;
/// The sum of `1 << (7 * week)` for the six weeks that a month can touch.
const SIX_WEEKS: u64 = 0x0008_1020_4081;

impl Schedule {
    /// Whether the schedule fires in the minute of a wall-clock time.
    ///
    /// ```
    /// use time::macros::datetime;
    /// use toolkit_core::cron::Schedule;
    ///
    /// let schedule: Schedule = "30 9 * * MON-FRI".parse()?;
    /// assert!(schedule.matches(datetime!(2023-11-17 09:30:59)));
    /// assert!(!schedule.matches(datetime!(2023-11-18 09:30)));
    /// # Ok::<(), toolkit_core::ToolError>(())
    /// ```
    pub fn matches(&self, time: PlainDateTime) -> bool {
        self.nearest::<true>(time) == Some(time.truncate_to_minute())
    }

    /// Iterates over the wall-clock times after `time` at which the schedule fires, in order; ends
    /// only at the year 10000.
    ///
    /// ```
    /// use time::macros::datetime;
    /// use toolkit_core::cron::Schedule;
    ///
    /// let schedule: Schedule = "0 9 * * *".parse()?;
    /// let mut runs = schedule.after(datetime!(2023-11-17 09:00));
    /// assert_eq!(runs.next(), Some(datetime!(2023-11-18 09:00)));
    /// assert_eq!(runs.next(), Some(datetime!(2023-11-19 09:00)));
    /// # Ok::<(), toolkit_core::ToolError>(())
    /// ```
    pub fn after(&self, time: PlainDateTime) -> impl Iterator<Item = PlainDateTime> {
        let next = |time: &PlainDateTime| {
            let minute = time.truncate_to_minute().checked_add(Duration::MINUTE)?;
            self.nearest::<true>(minute)
        };
        std::iter::successors(next(&time), next)
    }

    /// Iterates over the wall-clock times before `time` at which the schedule fired, latest first;
    /// ends only at the year 0.
    ///
    /// ```
    /// use time::macros::datetime;
    /// use toolkit_core::cron::Schedule;
    ///
    /// let schedule: Schedule = "0 0 29 2 *".parse()?;
    /// let mut runs = schedule.before(datetime!(2023-11-17 12:00));
    /// assert_eq!(runs.next(), Some(datetime!(2020-02-29 00:00)));
    /// assert_eq!(runs.next(), Some(datetime!(2016-02-29 00:00)));
    /// # Ok::<(), toolkit_core::ToolError>(())
    /// ```
    pub fn before(&self, time: PlainDateTime) -> impl Iterator<Item = PlainDateTime> {
        let last =
            |time: &PlainDateTime| self.nearest::<false>(time.checked_sub(Duration::NANOSECOND)?);
        std::iter::successors(last(&time), last)
    }

    /// The first run at or after a minute, or the last at or before it.
    fn nearest<const FORWARD: bool>(&self, minute: PlainDateTime) -> Option<PlainDateTime> {
        let (date, hour, minute) = (minute.date(), minute.hour(), minute.minute());
        if self.days(date.year(), date.month()) >> date.day() & 1 == 1
            && let Some(time) = self.nearest_time::<FORWARD>(hour, minute)
        {
            return Some(date.with_time(time));
        }
        let (date, hour, minute) =
            if FORWARD { (date.next_day()?, 0, 0) } else { (date.previous_day()?, 23, 59) };
        let date = self.nearest_day::<FORWARD>(date)?;
        let time = self.nearest_time::<FORWARD>(hour, minute)?;
        Some(date.with_time(time))
    }

    /// The nearest time of the same day at which it fires, which may be the given one.
    fn nearest_time<const FORWARD: bool>(&self, hour: u8, minute: u8) -> Option<Time> {
        if let Some(minute) = nearest_value::<FORWARD>(self.minute.bits, minute)
            && self.hour.bits >> hour & 1 == 1
        {
            return Time::from_hms(hour, minute, 0).ok();
        }
        let (hour, minute) = if FORWARD { (hour + 1, 0) } else { (hour.checked_sub(1)?, 59) };
        let hour = nearest_value::<FORWARD>(self.hour.bits, hour)?;
        let minute = nearest_value::<FORWARD>(self.minute.bits, minute)?;
        Time::from_hms(hour, minute, 0).ok()
    }

    /// The nearest day on which it fires, which may be the given one.
    fn nearest_day<const FORWARD: bool>(&self, date: Date) -> Option<Date> {
        let (mut year, mut month, mut day) = date.to_calendar_date();
        let first_year = YEAR_MIN.max(year - CALENDAR_YEARS);
        let last_year = YEAR_MAX.min(year + CALENDAR_YEARS);
        while (first_year..=last_year).contains(&year) {
            if let Some(day) = nearest_value::<FORWARD>(self.days(year, month), day) {
                return Date::from_calendar_date(year, month, day).ok();
            }
            if FORWARD {
                (month, day) = (month.next(), 1);
                year += i32::from(month == Month::January);
            } else {
                (month, day) = (month.previous(), 31);
                year -= i32::from(month == Month::December);
            }
        }
        None
    }

    /// The days of a month on which it fires, as a bit set.
    fn days(&self, year: i32, month: Month) -> u64 {
        if self.month.bits >> u8::from(month) & 1 == 0 {
            return 0;
        }
        let Ok(first) = Date::from_calendar_date(year, month, 1) else {
            return 0;
        };
        let of_month = self.day_of_month.bits;
        // The weekdays of six consecutive weeks, shifted so that the first day of the month is bit
        // 1.
        let of_week = self.day_of_week.bits * SIX_WEEKS;
        let of_week = of_week >> first.weekday().number_days_from_sunday() << 1;
        let days = if self.needs_both_days() { of_month & of_week } else { of_month | of_week };
        days & ((1 << (month.length(year) + 1)) - 2)
    }
}

/// The lowest value of a set that is at least `from`, or the highest that is at most `from`.
fn nearest_value<const FORWARD: bool>(bits: u64, from: u8) -> Option<u8> {
    let value = if FORWARD {
        let rest = bits.checked_shr(from.into())? << from;
        Some(rest.trailing_zeros()).filter(|value| *value < u64::BITS)?
    } else {
        let rest = bits & (u64::MAX >> 63_u32.checked_sub(from.into())?);
        rest.checked_ilog2()?
    };
    u8::try_from(value).ok()
}
