//! Cron expressions: parsing, description in English, and run times.
//!
//! Standard: crontab(5) of Vixie cron and cronie: five fields of lists, ranges, names and steps on
//! `*` or a range, and the aliases from `@hourly` to `@yearly`. A day matches if either of its two
//! fields does; if one of them starts with `*`, both must. Left out are `@reboot`, random values
//! (`~`), and Quartz extensions: seconds, years, `L`, `W` and `#`. Their `?` is read as `*`.
//!
//! Times are those of a wall clock: what happens when it is set forward or back depends on a time
//! zone, which this module does not know. The [crate's front page](crate#time-zones-of-schedules)
//! has the rules of cron(8) as an example.

mod describe;
mod field;
mod next;

pub use self::field::Field;
use self::field::{Kind, may_be_field};
use crate::echo::Echo;
use crate::error::{ErrorKind, ToolError};
use crate::limits::CRON_BYTES_MAX;
use crate::serde_text::serde_as_text;
use crate::warnings::{WarningKind, Warnings};

/// Aliases and the expressions they expand to.
const ALIASES: [(&str, &str); 7] = [
    ("@hourly", "0 * * * *"),
    ("@daily", "0 0 * * *"),
    ("@midnight", "0 0 * * *"),
    ("@weekly", "0 0 * * 0"),
    ("@monthly", "0 0 1 * *"),
    ("@yearly", "0 0 1 1 *"),
    ("@annually", "0 0 1 1 *"),
];

/// A cron expression.
///
/// ```
/// use time::macros::datetime;
/// use toolkit_core::{Warnings, cron::Schedule};
///
/// let schedule = Schedule::parse("30 9 * * MON-FRI", &mut Warnings::new())?;
/// assert_eq!(schedule.describe(), "At 09:30, Monday through Friday.");
/// let friday = datetime!(2023-11-17 09:30);
/// assert_eq!(schedule.after(friday).next(), Some(datetime!(2023-11-20 09:30)));
/// # Ok::<(), toolkit_core::ToolError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Schedule {
    /// Minute of the hour, 0 to 59.
    pub minute: Field,
    /// Hour of the day, 0 to 23.
    pub hour: Field,
    /// Day of the month, 1 to 31.
    pub day_of_month: Field,
    /// Month, 1 to 12.
    pub month: Field,
    /// Day of the week, 0 (Sunday) to 6.
    pub day_of_week: Field,
}

impl Schedule {
    /// Parses an expression of up to [`CRON_BYTES_MAX`] bytes.
    ///
    /// ```
    /// use toolkit_core::{Warnings, cron::Schedule};
    ///
    /// let schedule = Schedule::parse("*/15 9-17 * * MON-FRI", &mut Warnings::new())?;
    /// assert_eq!(schedule.minute.values().collect::<Vec<_>>(), [0, 15, 30, 45]);
    /// let refused = Schedule::parse("60 * * * *", &mut Warnings::new()).unwrap_err();
    /// assert_eq!(refused.kind(), toolkit_core::ErrorKind::Range);
    /// # Ok::<(), toolkit_core::ToolError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Names the refused field, the reason and what is accepted.
    pub fn parse(expression: &str, warnings: &mut Warnings) -> Result<Self, ToolError> {
        if expression.len() > CRON_BYTES_MAX {
            let bytes = expression.len();
            let message = format!("has {bytes} bytes; at most {CRON_BYTES_MAX} are accepted");
            return Err(ToolError::new(message).of(ErrorKind::TooLarge));
        }
        let trimmed = expression.trim_start();
        let (expression, rest) = if trimmed.starts_with('@') {
            let (alias, rest) = trimmed
                .split_once(char::is_whitespace)
                .unwrap_or((trimmed, ""));
            (expanded(alias)?, rest)
        } else {
            let sixth = words(expression).nth(5);
            expression.split_at(sixth.map_or(expression.len(), |(offset, _)| offset))
        };
        refuse_zones(expression, rest)?;
        let fields: Vec<_> = words(expression).collect();
        let &[minute, hour, day_of_month, month, day_of_week] = fields.as_slice() else {
            return Err(wrong_count(fields.len()));
        };
        leave_out(rest, warnings)?;
        let mut read = |kind, word| Field::parse(kind, word, expression, warnings);
        let schedule = Self {
            minute: read(Kind::MINUTE, minute)?,
            hour: read(Kind::HOUR, hour)?,
            day_of_month: read(Kind::DAY_OF_MONTH, day_of_month)?,
            month: read(Kind::MONTH, month)?,
            day_of_week: read(Kind::DAY_OF_WEEK, day_of_week)?,
        };
        let is_full = schedule.day_of_month.is_full || schedule.day_of_week.is_full;
        if schedule.needs_both_days() && !is_full {
            warnings.push(
                "Both day fields must match, as one of them starts with `*` (crontab(5)); other \
                 schedulers run when either does.",
            );
        }
        Ok(schedule)
    }

    /// The expression with single spaces, an alias expanded.
    ///
    /// ```
    /// use toolkit_core::{Warnings, cron::Schedule};
    ///
    /// let schedule = Schedule::parse("@daily", &mut Warnings::new())?;
    /// assert_eq!(schedule.expression(), "0 0 * * *");
    /// # Ok::<(), toolkit_core::ToolError>(())
    /// ```
    pub fn expression(&self) -> String {
        let fields = [
            &self.minute,
            &self.hour,
            &self.day_of_month,
            &self.month,
            &self.day_of_week,
        ];
        fields.map(|field| field.raw.as_str()).join(" ")
    }

    /// Whether a day must match both of its fields, not just one of them.
    fn needs_both_days(&self) -> bool {
        self.day_of_month.starts_with_star || self.day_of_week.starts_with_star
    }
}

impl std::str::FromStr for Schedule {
    type Err = ToolError;

    /// Parses an expression; to learn what was tolerated, use [`Schedule::parse`].
    fn from_str(expression: &str) -> Result<Self, ToolError> {
        Self::parse(expression, &mut Warnings::new())
    }
}

serde_as_text!(Schedule);

impl std::fmt::Display for Schedule {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.expression())
    }
}

/// Words of a string, each with its byte offset.
fn words(text: &str) -> impl Iterator<Item = (usize, &str)> + Clone {
    let words = text.split(char::is_whitespace).scan(0, |offset, word| {
        let start = *offset;
        let separator = text
            .get(start + word.len()..)
            .and_then(|rest| rest.chars().next());
        *offset += word.len() + separator.map_or(0, char::len_utf8);
        Some((start, word))
    });
    words.filter(|(_, word)| !word.is_empty())
}

fn expanded(alias: &str) -> Result<&'static str, ToolError> {
    let known = ALIASES
        .iter()
        .find(|(known, _)| alias.eq_ignore_ascii_case(known));
    if let Some((_, expression)) = known {
        return Ok(expression);
    }
    if alias.eq_ignore_ascii_case("@reboot") {
        let message = "is `@reboot`, which names no time: it fires when the machine starts";
        return Err(ToolError::new(message).of(ErrorKind::Unsupported));
    }
    let known = ALIASES.map(|(known, _)| known).join(", ");
    let message = format!("has no alias {}; use one of {known}", Echo(alias));
    Err(ToolError::new(message))
}

/// Leaves out the command of a line of a crontab, and the user before it.
fn leave_out(rest: &str, warnings: &mut Warnings) -> Result<(), ToolError> {
    let further = rest.split_whitespace();
    if further.clone().next().is_some_and(may_be_field) {
        return Err(wrong_count(5 + further.count()));
    }
    if !rest.trim().is_empty() {
        let left_out = Echo(rest.trim());
        let warning = format!("What follows the schedule was left out: {left_out}.");
        warnings.add(WarningKind::Dropped, warning);
    }
    Ok(())
}

/// Refuses a time zone before or after the fields: without it, they would mean other times.
fn refuse_zones(fields: &str, rest: &str) -> Result<(), ToolError> {
    const AREAS: &str = "Africa America Antarctica Arctic Asia Atlantic Australia Etc Europe Indian \
                         Pacific UTC GMT Z";
    let is_assignment = |word: &&str| word.starts_with("CRON_TZ=") || word.starts_with("TZ=");
    let is_zone = |word: &&str| {
        let area = word.split('/').next();
        area.is_some_and(|area| AREAS.split(' ').any(|known| known == area))
    };
    let before = fields.split_whitespace().next().filter(is_assignment);
    let zone = before.or(rest.split_whitespace().next().filter(is_zone));
    zone.map_or(Ok(()), |zone| {
        Err(
            ToolError::new(format!("names the time zone {}", Echo(zone)))
                .of(ErrorKind::Unsupported)
                .with_hint("leave it out and write the hours in UTC"),
        )
    })
}

fn wrong_count(count: usize) -> ToolError {
    const FIELDS: &str = "write five: minute, hour, day of month, month, day of week";
    let message = match count {
        0 => "is empty".to_owned(),
        1 => "has 1 field".to_owned(),
        _ => format!("has {count} fields"),
    };
    let hint = match count {
        6 => format!("{FIELDS}; leave out the seconds in front, or the year at the end"),
        7 => format!("{FIELDS}; leave out the seconds in front and the year at the end"),
        _ => FIELDS.to_owned(),
    };
    ToolError::new(message).with_hint(hint)
}
