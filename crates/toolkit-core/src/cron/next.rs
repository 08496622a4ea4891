//! Runs: the wall-clock times at which an expression fires.

use time::{Date, Duration, Month, PlainDateTime, Time};

use super::Schedule;

/// Period of the Gregorian calendar, including weekdays, in years. A schedule that does not fire
/// within it has no runs at all.
pub(super) const CALENDAR_YEARS: i32 = 400;
/// The last year that is searched.
const YEAR_MAX: i32 = 9999;
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
        self.first_from(time) == Some(time.truncate_to_minute())
    }

    /// Iterates over the wall-clock times after `time` at which the schedule fires, in order, up to
    /// the year 9999.
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
            self.first_from(minute)
        };
        std::iter::successors(next(&time), next)
    }

    /// The first run at or after a minute.
    fn first_from(&self, minute: PlainDateTime) -> Option<PlainDateTime> {
        let (date, hour, minute) = (minute.date(), minute.hour(), minute.minute());
        if self.days(date.year(), date.month()) >> date.day() & 1 == 1
            && let Some(time) = self.first_time(hour, minute)
        {
            return Some(date.with_time(time));
        }
        Some(self.first_day(date.next_day()?)?.with_time(self.first_time(0, 0)?))
    }

    /// The first time of a day at which it fires, from a minute on.
    fn first_time(&self, hour: u8, minute: u8) -> Option<Time> {
        if let Some(minute) = first_value(self.minute.bits, minute)
            && self.hour.bits >> hour & 1 == 1
        {
            return Time::from_hms(hour, minute, 0).ok();
        }
        let hour = first_value(self.hour.bits, hour + 1)?;
        Time::from_hms(hour, first_value(self.minute.bits, 0)?, 0).ok()
    }

    /// The first day on which it fires, from a day on.
    fn first_day(&self, date: Date) -> Option<Date> {
        let (mut year, mut month, mut day) = date.to_calendar_date();
        let last_year = YEAR_MAX.min(year + CALENDAR_YEARS);
        while year <= last_year {
            if let Some(day) = first_value(self.days(year, month), day) {
                return Date::from_calendar_date(year, month, day).ok();
            }
            (month, day) = (month.next(), 1);
            year += i32::from(month == Month::January);
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

/// The lowest value of a set that is at least `from`.
fn first_value(bits: u64, from: u8) -> Option<u8> {
    let rest = bits.checked_shr(from.into())? << from;
    (rest != 0).then(|| u8::try_from(rest.trailing_zeros()).ok())?
}
