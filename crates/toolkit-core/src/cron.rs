//! Cron expressions: parsing, description in English, and run times.
//!
//! Standard: crontab(5) of Vixie cron and cronie: five fields of lists, ranges, names and steps on
//! `*` or a range, and the aliases from `@hourly` to `@yearly`. A day matches if either of its two
//! fields does; if one of them starts with `*`, both must. Left out are `@reboot`, random values
//! (`~`), and Quartz extensions: seconds, years, `L`, `W` and `#`. Their `?` is read as `*`. What is
//! around a schedule in a crontab, a workflow or a program is left out with a warning: a comment,
//! quotes, a key, a command. A refusal gives the five fields that were probably meant.
//!
//! Times are those of a wall clock: what happens when it is set forward or back depends on a time
//! zone, which this module does not know. The [crate's front page](crate#time-zones-of-schedules)
//! has the rules of cron(8) as an example.

mod describe;
mod field;
mod kind;
mod line;
mod next;
mod rewrite;

pub use self::field::Field;
use self::kind::Kind;
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
        let words = line::read(expression, warnings)?;
        let source = Source { expression, words, corrects: true };
        let schedule = Self::from_words(&source, warnings)?;
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
        })
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
