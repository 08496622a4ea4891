//! Description of an expression in plain English.
//!
//! Descriptions depend on the values, not on how they are written, so they are true of any
//! expression: "every 7 minutes" only appears if the minutes divide the hour.

#![expect(
    clippy::indexing_slicing,
    reason = "a field has at least one value, and so has a run of them"
)]

use std::fmt::Display;

use time::{Month, Weekday};

use super::{Field, Schedule};

/// Maximum number of times of day listed individually, unless they only differ by the hour.
const TIMES_MAX: usize = 8;
/// Maximum number of ranges of hours listed individually.
const STRETCHES_MAX: usize = 3;

impl Schedule {
    /// Describes the schedule in a sentence, in the 24-hour clock.
    ///
    /// ```
    /// use toolkit_core::cron::Schedule;
    ///
    /// let schedule: Schedule = "0 9 * * MON-FRI".parse()?;
    /// assert_eq!(schedule.describe(), "At 09:00, Monday through Friday.");
    /// # Ok::<(), toolkit_core::ToolError>(())
    /// ```
    pub fn describe(&self) -> String {
        let mut parts = vec![self.times()];
        match self.days_in_words() {
            Some(days) => parts.push(days),
            // "Every …" already implies it.
            None if !self.hour.is_full && parts.concat().starts_with("At") => {
                parts.push("every day".to_owned());
            }
            None => {}
        }
        if !self.month.is_full {
            parts.push(format!("in {}", months(&self.month)));
        }
        parts.join(", ") + "."
    }

    /// Describes minutes and hours.
    fn times(&self) -> String {
        let (minutes, hours) = (values(&self.minute), values(&self.hour));
        let first = minutes[0];
        let all_hours = self.hour.is_full;
        match (pace(&minutes, 60), minutes.len()) {
            (Some(pace), count) if count > 1 => {
                let every = every(pace, "minute");
                let last = minutes[minutes.len() - 1];
                if all_hours {
                    return every;
                }
                format!("{every} {}", stretches(&hours, last))
            }
            (_, 1) if all_hours && first == 0 => "Every hour, on the hour".to_owned(),
            (_, 1) if all_hours => format!("At minute {first} past every hour"),
            (_, 1) => times_by_hour(first, &hours),
            _ if hours.len() == 1 && run(&minutes).is_some() => {
                let hour = hours[0];
                let last = minutes[minutes.len() - 1];
                let (first, last) = (clock(hour, first), clock(hour, last));
                format!("Every minute from {first} through {last}")
            }
            (_, count) if count * hours.len() <= TIMES_MAX => {
                let times = hours.iter().flat_map(|hour| {
                    let times = minutes.iter().map(|minute| clock(*hour, *minute));
                    times.collect::<Vec<_>>()
                });
                format!("At {}", and(&times.collect::<Vec<_>>()))
            }
            _ => format!("At minutes {} past {}", numbers(&minutes), past(&hours)),
        }
    }

    /// Describes the days. `None` if it is every day.
    fn days_in_words(&self) -> Option<String> {
        let (of_month, of_week) = (&self.day_of_month, &self.day_of_week);
        match (of_month.is_full, of_week.is_full) {
            (false, true) if self.needs_both_days() => Some(month_days(of_month)),
            (true, false) if self.needs_both_days() => Some(weekdays(of_week, "and")),
            (false, false) if self.needs_both_days() => Some(format!(
                "{} and only if it is {}",
                month_days(of_month),
                weekdays(of_week, "or").trim_start_matches("on ")
            )),
            (false, false) => {
                let weekdays = weekdays(of_week, "and");
                let weekdays = weekdays.trim_start_matches("on ");
                Some(format!("{} or on {weekdays}", month_days(of_month)))
            }
            // Both fields match every day, or one does and either suffices.
            _ => None,
        }
    }
}

fn values(field: &Field) -> Vec<u8> {
    field.values().collect()
}

fn clock(hour: u8, minute: u8) -> String {
    format!("{hour:02}:{minute:02}")
}

/// The constant distance between values that start at 0 and wrap around the cycle, if there is one.
fn pace(values: &[u8], cycle: usize) -> Option<usize> {
    let pace = cycle / values.len().max(1);
    let mut expected = (0..cycle).step_by(pace.max(1));
    let is_even = cycle.is_multiple_of(values.len().max(1))
        && values.iter().all(|value| expected.next() == Some((*value).into()));
    is_even.then_some(pace)
}

fn every(pace: usize, unit: &str) -> String {
    match pace {
        1 => format!("Every {unit}"),
        _ => format!("Every {pace} {unit}s"),
    }
}

/// The first and last of at least three consecutive values.
fn run(values: &[u8]) -> Option<(u8, u8)> {
    let (first, last) = (*values.first()?, *values.last()?);
    let is_run = values.len() >= 3 && usize::from(last - first) + 1 == values.len();
    is_run.then_some((first, last))
}

/// Describes one time in each of some hours.
fn times_by_hour(minute: u8, hours: &[u8]) -> String {
    let times: Vec<String> = hours.iter().map(|hour| clock(*hour, minute)).collect();
    match (pace(hours, 24), run(hours)) {
        (Some(pace), _) if hours.len() > STRETCHES_MAX => {
            format!("{} from {}", every(pace, "hour"), clock(0, minute))
        }
        (_, Some((first, last))) => {
            let (first, last) = (clock(first, minute), clock(last, minute));
            format!("Every hour from {first} through {last}")
        }
        _ => format!("At {}", and(&times)),
    }
}

/// Describes hours as ranges of the day, where the last minute of each is `last`.
fn stretches(hours: &[u8], last: u8) -> String {
    let stretches: Vec<&[u8]> = hours.chunk_by(|one, next| one + 1 == *next).collect();
    if stretches.len() > STRETCHES_MAX {
        let hours: Vec<String> = hours.iter().map(|hour| clock(*hour, 0)).collect();
        return format!("in the hours that begin at {}", and(&hours));
    }
    let stretch = |hours: &&[u8]| {
        let first = hours[0];
        let end = hours[hours.len() - 1];
        format!("from {} through {}", clock(first, 0), clock(end, last))
    };
    and(&stretches.iter().map(stretch).collect::<Vec<_>>())
}

/// Describes the hours in which minutes are counted.
fn past(hours: &[u8]) -> String {
    match (hours, run(hours)) {
        (_, Some((0, 23))) => "every hour".to_owned(),
        (_, Some((first, last))) => format!("every hour from {first} through {last}"),
        ([hour], _) => format!("hour {hour}"),
        _ => format!("hours {}", numbers(hours)),
    }
}

/// Lists numbers in order, with runs of three and more as "1 through 3".
fn numbers(values: &[u8]) -> String {
    and(&stretched(values, |value| value))
}

fn stretched<W: Display>(values: &[u8], word: impl Fn(u8) -> W) -> Vec<String> {
    let stretches = values.chunk_by(|one, next| one + 1 == *next);
    let words = stretches.flat_map(|stretch| match run(stretch) {
        Some((first, last)) => vec![format!("{} through {}", word(first), word(last))],
        None => stretch.iter().map(|value| word(*value).to_string()).collect(),
    });
    words.collect()
}

fn month_days(field: &Field) -> String {
    let days = values(field);
    let unit = if days.len() == 1 { "day" } else { "days" };
    format!("on {unit} {} of the month", numbers(&days))
}

fn months(field: &Field) -> String {
    let name = |month| Month::December.nth_next(month);
    and(&stretched(&values(field), name))
}

/// Describes days of the week: as one range that may start or end on Sunday, or in a list that
/// begins on Monday.
fn weekdays(field: &Field, conjunction: &str) -> String {
    let name = |day| Weekday::Sunday.nth_next(day);
    let from_sunday = values(field);
    let from_monday: Vec<u8> = (1..=7).filter(|day| field.bits >> (day % 7) & 1 == 1).collect();
    match run(&from_sunday).or_else(|| run(&from_monday)) {
        Some((first, last)) => format!("{} through {}", name(first), name(last)),
        None => format!("on {}", joined(&stretched(&from_monday, name), conjunction)),
    }
}

fn and(words: &[String]) -> String {
    joined(words, "and")
}

fn joined(words: &[String], conjunction: &str) -> String {
    match words {
        [] => String::new(),
        [word] => word.clone(),
        [words @ .., last] => format!("{} {conjunction} {last}", words.join(", ")),
    }
}
