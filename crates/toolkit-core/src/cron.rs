//! Cron expressions: parsing, description in English, and run times.
//!
//! Standard: crontab(5) of Vixie cron and cronie, in UTC: five fields of lists, ranges, names and
//! steps on `*` or a range, and the aliases from `@hourly` to `@yearly`. A day matches if either of
//! its two fields does; if one of them starts with `*`, both must. Left out are `@reboot`, random
//! values (`~`), and Quartz extensions: seconds, years, `L`, `W` and `#`. Their `?` is read as `*`.

mod describe;
mod field;
mod next;

pub use self::field::Field;
use self::field::Kind;
use crate::echo::Echo;
use crate::error::{ErrorKind, ToolError};
use crate::limits::CRON_BYTES_MAX;
use crate::warnings::Warnings;

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
/// let friday = datetime!(2023-11-17 09:30 UTC);
/// assert_eq!(schedule.next_after(friday), Some(datetime!(2023-11-20 09:30 UTC)));
/// # Ok::<(), toolkit_core::ToolError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
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

/// Limits on an expression, for [`Schedule::parse_with`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Limits {
    /// Maximum length of an expression, in bytes.
    pub expression_bytes: usize,
}

impl Limits {
    /// No limits.
    pub const NONE: Self = Self {
        expression_bytes: usize::MAX,
    };

    /// Sets the maximum length of an expression, in bytes; `usize::MAX` means no limit.
    #[must_use]
    pub const fn expression_bytes(mut self, bytes: usize) -> Self {
        self.expression_bytes = bytes;
        self
    }
}

impl Default for Limits {
    /// [`CRON_BYTES_MAX`].
    fn default() -> Self {
        Self {
            expression_bytes: CRON_BYTES_MAX,
        }
    }
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
        Self::parse_with(expression, Limits::default(), warnings)
    }

    /// Parses an expression with custom limits.
    ///
    /// ```
    /// use toolkit_core::Warnings;
    /// use toolkit_core::cron::{Limits, Schedule};
    ///
    /// let minutes = vec!["0"; 1_000].join(",");
    /// let (expression, mut warnings) = (format!("{minutes} * * * *"), Warnings::new());
    /// assert!(Schedule::parse(&expression, &mut warnings).is_err());
    /// assert!(Schedule::parse_with(&expression, Limits::NONE, &mut warnings).is_ok());
    /// ```
    ///
    /// # Errors
    ///
    /// As [`Schedule::parse`].
    pub fn parse_with(
        expression: &str,
        limits: Limits,
        warnings: &mut Warnings,
    ) -> Result<Self, ToolError> {
        if expression.len() > limits.expression_bytes {
            let (bytes, most) = (expression.len(), limits.expression_bytes);
            let message = format!("has {bytes} bytes; at most {most} are accepted");
            return Err(ToolError::new(message).of(ErrorKind::TooLarge));
        }
        let expression = match expression.trim() {
            alias if alias.starts_with('@') => expanded(alias)?,
            _ => expression,
        };
        let mut raw = words(expression);
        let count = raw.clone().count();
        if count != 5 {
            return Err(wrong_count(count));
        }
        let mut read =
            |kind| Field::parse(kind, raw.next().unwrap_or_default(), expression, warnings);
        Ok(Self {
            minute: read(Kind::MINUTE)?,
            hour: read(Kind::HOUR)?,
            day_of_month: read(Kind::DAY_OF_MONTH)?,
            month: read(Kind::MONTH)?,
            day_of_week: read(Kind::DAY_OF_WEEK)?,
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
        8.. => format!("{FIELDS}; leave out the command after them"),
        _ => FIELDS.to_owned(),
    };
    ToolError::new(message).with_hint(hint)
}
