//! Cron expressions: parsing, description in English, and run times.
//!
//! Standard: crontab(5) of Vixie cron and cronie: five fields of lists, ranges, names and steps on
//! `*` or a range, and the aliases from `@hourly` to `@yearly`. A day matches if either of its two
//! fields does. If one of them starts with `*`, both must. Left out are `@reboot`, random values
//! (`~`), and Quartz extensions: seconds, years, `L`, `W` and `#`. Their `?` is read as `*`. Text
//! around a schedule in a crontab, a workflow or a program is dropped with a warning: a comment,
//! quotes, a key, a command. A refusal suggests the five fields that were probably meant.
//!
//! Times are those of a wall clock. With the feature `timezones` a line can name the zone of that clock,
//! before its fields (`CRON_TZ=Europe/Paris`, `TZ=…`) or after them, and
//! [`moments_after`](Schedule::moments_after) has the rules of cron(8) for clocks that are changed.

mod describe;
mod field;
mod kind;
mod line;
mod next;
mod rewrite;
#[cfg(feature = "timezones")]
mod zoned;

pub use self::field::Field;
use self::kind::Kind;
#[cfg(all(feature = "tools", feature = "timestamp"))]
use crate::echo::Echo;
use crate::error::{ErrorKind, ToolError};
use crate::limits::CRON_BYTES_MAX;
use crate::serde_text::serde_as_text;
use crate::warnings::Warnings;

/// Where the fields come from, for errors.
#[derive(Debug)]
struct Source<'a> {
    /// The whole input, which contains the words unless an alias was expanded.
    expression: &'a str,
    words: [&'a str; 5],
    /// The time zone that the line names.
    zone: Option<&'a str>,
    /// Whether an error gives the expression to write.
    corrects: bool,
}

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
    zone: Option<String>,
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
            let refusal = ToolError::new(format!("has {bytes} bytes")).of(ErrorKind::TooLarge);
            return Err(refusal.with_hint(format!("at most {CRON_BYTES_MAX} are accepted")));
        }
        let (words, zone) = line::read(expression, warnings)?;
        let source = Source { expression, words, zone: zone.as_deref(), corrects: true };
        let schedule = Self::from_words(&source, warnings)?;
        let schedule = Self { zone, ..schedule };
        let is_full = schedule.day_of_month.is_full || schedule.day_of_week.is_full;
        if schedule.needs_both_days() && !is_full {
            warnings.push(
                "Both day fields must match, as one of them starts with `*` (crontab(5)); other \
                 schedulers run when either does.",
            );
        }
        Ok(schedule)
    }

    fn from_words(source: &Source<'_>, warnings: &mut Warnings) -> Result<Self, ToolError> {
        let [minute, hour, day_of_month, month, day_of_week] = source.words;
        let mut read = |kind, word| Field::parse(kind, word, source, warnings);
        Ok(Self {
            minute: read(Kind::MINUTE, minute)?,
            hour: read(Kind::HOUR, hour)?,
            day_of_month: read(Kind::DAY_OF_MONTH, day_of_month)?,
            month: read(Kind::MONTH, month)?,
            day_of_week: read(Kind::DAY_OF_WEEK, day_of_week)?,
            zone: None,
        })
    }

    /// The schedule in a time zone that is named apart from its line.
    #[cfg(all(feature = "tools", feature = "timestamp"))]
    pub(crate) fn in_zone(self, name: &str) -> Result<Self, ToolError> {
        let zone = line::one_zone("", [name])?;
        if let (Some(own), Some(zone)) = (self.zone(), &zone)
            && own != zone
        {
            let (own, zone) = (Echo(own), Echo(zone));
            let refusal = ToolError::new(format!("is {zone}, but the expression names {own}"));
            return Err(refusal.with_hint("leave one of them out"));
        }
        Ok(Self { zone, ..self })
    }

    /// The name of its time zone, if the line has one.
    pub fn zone(&self) -> Option<&str> {
        self.zone.as_deref()
    }

    /// The five fields with single spaces, an alias expanded.
    ///
    /// ```
    /// use toolkit_core::{Warnings, cron::Schedule};
    ///
    /// let schedule = Schedule::parse("@daily", &mut Warnings::new())?;
    /// assert_eq!(schedule.expression(), "0 0 * * *");
    /// # Ok::<(), toolkit_core::ToolError>(())
    /// ```
    pub fn expression(&self) -> String {
        let fields = [&self.minute, &self.hour, &self.day_of_month, &self.month, &self.day_of_week];
        fields.map(|field| field.raw.as_str()).join(" ")
    }

    /// Whether a day must match both of its fields, not just one of them.
    fn needs_both_days(&self) -> bool {
        self.day_of_month.starts_with_star || self.day_of_week.starts_with_star
    }
}

impl std::str::FromStr for Schedule {
    type Err = ToolError;

    /// Parses an expression. [`Schedule::parse`] also reports what was tolerated.
    fn from_str(expression: &str) -> Result<Self, ToolError> {
        Self::parse(expression, &mut Warnings::new())
    }
}

serde_as_text!(Schedule);

impl std::fmt::Display for Schedule {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if let Some(zone) = &self.zone {
            write!(f, "CRON_TZ={zone} ")?;
        }
        f.write_str(&self.expression())
    }
}
