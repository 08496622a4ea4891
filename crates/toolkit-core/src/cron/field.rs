//! Parser for one field of a cron expression.

use super::problem::Problem;
use crate::echo::Echo;
use crate::error::ErrorKind;
use crate::warnings::{WarningKind, Warnings};

const MONTHS: [&str; 12] = [
    "JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC",
];
const WEEKDAYS: [&str; 7] = ["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"];

/// Kind of field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Minute,
    Hour,
    DayOfMonth,
    Month,
    DayOfWeek,
}

impl Kind {
    pub(super) const ALL: [Self; 5] = [
        Self::Minute,
        Self::Hour,
        Self::DayOfMonth,
        Self::Month,
        Self::DayOfWeek,
    ];

    const fn name(self) -> &'static str {
        match self {
            Self::Minute => "minute",
            Self::Hour => "hour",
            Self::DayOfMonth => "day of month",
            Self::Month => "month",
            Self::DayOfWeek => "day of week",
        }
    }

    /// The lowest and highest number; for weekdays the highest is Sunday again.
    const fn bounds(self) -> (u32, u32) {
        match self {
            Self::Minute => (0, 59),
            Self::Hour => (0, 23),
            Self::DayOfMonth => (1, 31),
            Self::Month => (1, 12),
            Self::DayOfWeek => (0, 7),
        }
    }

    /// The names, the first of which is the lowest number.
    const fn names(self) -> &'static [&'static str] {
        match self {
            Self::Month => &MONTHS,
            Self::DayOfWeek => &WEEKDAYS,
            _ => &[],
        }
    }

    fn accepted(self) -> &'static str {
        match self {
            Self::Minute => "minutes are 0-59",
            Self::Hour => "hours are 0-23",
            Self::DayOfMonth => "days of the month are 1-31",
            Self::Month => "months are 1-12 or JAN-DEC",
            Self::DayOfWeek => "days of the week are 0-7 or SUN-SAT; 0 and 7 are Sunday",
        }
    }

    /// Bits of all values.
    fn all(self) -> u64 {
        let (first, last) = self.bounds();
        let last = if self == Self::DayOfWeek {
            last - 1
        } else {
            last
        };
        between(first, last)
    }
}

/// Bits of the values from `first` to `last`, which are below 64.
fn between(first: u32, last: u32) -> u64 {
    let from_first = u64::MAX.checked_shl(first).unwrap_or(0);
    let to_last = u64::MAX >> 63_u32.saturating_sub(last);
    from_first & to_last
}

/// A field: its source and its values.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Field {
    pub(super) raw: String,
    pub(super) starts_with_star: bool,
    /// A bit for each value.
    pub(super) bits: u64,
    pub(super) is_full: bool,
}

impl Field {
    /// The field as written.
    ///
    /// ```
    /// use toolkit_core::{Warnings, cron::Schedule};
    ///
    /// let schedule = Schedule::parse("0 0 * * mon-fri", &mut Warnings::new())?;
    /// assert_eq!(schedule.day_of_week.raw(), "mon-fri");
    /// # Ok::<(), toolkit_core::ToolError>(())
    /// ```
    pub fn raw(&self) -> &str {
        &self.raw
    }

    /// The values, in increasing order.
    ///
    /// ```
    /// use toolkit_core::{Warnings, cron::Schedule};
    ///
    /// let schedule = Schedule::parse("0 0 * * mon-fri", &mut Warnings::new())?;
    /// assert_eq!(schedule.day_of_week.values().collect::<Vec<_>>(), [1, 2, 3, 4, 5]);
    /// # Ok::<(), toolkit_core::ToolError>(())
    /// ```
    pub fn values(&self) -> impl Iterator<Item = u8> + Clone + use<> {
        let mut rest = self.bits;
        (0..rest.count_ones()).map(move |_| {
            let lowest = rest.trailing_zeros();
            rest ^= 1 << lowest;
            u8::try_from(lowest).unwrap_or_default()
        })
    }

    pub(super) fn parse(kind: Kind, raw: &str, warnings: &mut Warnings) -> Result<Self, Problem> {
        let raw = if raw == "?" {
            warnings.add(
                WarningKind::Assumed,
                format!("`?` as {} is taken for `*`.", kind.name()),
            );
            "*"
        } else {
            raw
        };
        let mut bits = 0;
        let mut offset = 0;
        for text in raw.split(',') {
            let item = Item { kind, text, offset };
            bits |= item.bits(warnings)?;
            offset += text.len() + 1;
        }
        Ok(Self {
            raw: raw.to_owned(),
            starts_with_star: raw.starts_with('*'),
            bits,
            is_full: bits == kind.all(),
        })
    }
}

/// An item of a list.
#[derive(Debug, Clone, Copy)]
struct Item<'a> {
    kind: Kind,
    text: &'a str,
    /// Byte offset of the item within the field.
    offset: usize,
}

impl Item<'_> {
    fn bits(self, warnings: &mut Warnings) -> Result<u64, Problem> {
        if self.text.is_empty() {
            return Err(Problem {
                kind: ErrorKind::Syntax,
                message: format!("has an empty item in its {} field", self.kind.name()),
                hint: "remove the extra comma".to_owned(),
                offset: self.offset,
            });
        }
        self.refuse_quartz()?;
        let (span, step) = match self.text.split_once('/') {
            Some((span, step)) => (span, Some(self.step(step)?)),
            None => (self.text, None),
        };
        let (low, high) = self.kind.bounds();
        let (first, last) = match span.split_once('-') {
            Some(_) if span.starts_with('-') => return Err(self.malformed()),
            Some((first, last)) => self.range(first, last)?,
            None if span == "*" => (
                low,
                if self.kind == Kind::DayOfWeek {
                    6
                } else {
                    high
                },
            ),
            None => {
                let value = self.value(span)?;
                if step.is_some() {
                    return Err(self.step_on_value(value));
                }
                (value, value)
            }
        };
        if step.is_some_and(|step| first < last && step > last - first) {
            warnings.push(format!(
                "The step leads beyond the {} field: only {first} is left of {}.",
                self.kind.name(),
                Echo(self.text),
            ));
        }
        let bits = match step {
            None => between(first, last),
            Some(step) => {
                let step = usize::try_from(step).unwrap_or(usize::MAX);
                let values = (first..=last).step_by(step);
                values.fold(0, |bits, value| bits | 1 << value)
            }
        };
        // Sunday is 0 and 7.
        let is_sunday_7 = self.kind == Kind::DayOfWeek && bits & 1 << 7 != 0;
        Ok(if is_sunday_7 {
            bits ^ (1 << 7) | 1
        } else {
            bits
        })
    }

    fn range(self, first: &str, last: &str) -> Result<(u32, u32), Problem> {
        if first.is_empty() || last.is_empty() {
            return Err(self.malformed());
        }
        let (from, to) = (self.value(first)?, self.value(last)?);
        if from <= to {
            return Ok((from, to));
        }
        let (low, high) = self.kind.bounds();
        let wrapped = match self.kind {
            Kind::DayOfWeek if to == 0 => format!("{from}-7"),
            Kind::DayOfWeek => format!("{from}-6,0-{to}"),
            _ => format!("{from}-{high},{low}-{to}"),
        };
        let problem = self.problem("it runs backwards", &format!("write `{wrapped}`"));
        Err(problem.of(ErrorKind::Range))
    }

    fn value(self, text: &str) -> Result<u32, Problem> {
        let (low, high) = self.kind.bounds();
        if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) {
            let value = text
                .parse()
                .ok()
                .filter(|value| (low..=high).contains(value));
            return value.ok_or_else(|| {
                let problem = self.problem("it is out of range", self.kind.accepted());
                problem.of(ErrorKind::Range)
            });
        }
        let named = self.kind.names().iter().zip(low..);
        if let Some((_, value)) = named
            .into_iter()
            .find(|(name, _)| name.eq_ignore_ascii_case(text))
        {
            return Ok(value);
        }
        let known = |names: &[&str]| names.iter().any(|name| name.eq_ignore_ascii_case(text));
        if known(&MONTHS) {
            return Err(self.problem("it is the name of a month", self.kind.accepted()));
        }
        if known(&WEEKDAYS) {
            return Err(self.problem("it is the name of a day of the week", self.kind.accepted()));
        }
        Err(self.malformed())
    }

    fn step(self, text: &str) -> Result<u32, Problem> {
        if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(self.problem("it has no number as its step", "write it like `*/5`"));
        }
        // A step beyond the field is warned about, however large it is.
        let step = text.parse().unwrap_or(u32::MAX);
        if step == 0 {
            let problem = self.problem("it has a step of 0", "a step is at least 1");
            return Err(problem.of(ErrorKind::Range));
        }
        Ok(step)
    }

    /// Refuses Quartz syntax that cron does not have, by name.
    fn refuse_quartz(self) -> Result<(), Problem> {
        let name = |names: &[&str], text: &str| {
            text.is_empty()
                || text.bytes().all(|byte| byte.is_ascii_digit())
                || names.iter().any(|name| name.eq_ignore_ascii_case(text))
        };
        let day = |text: &str| text.split('-').all(|end| name(&WEEKDAYS, end));
        let text = self.text.to_ascii_uppercase();
        let feature = if text.contains('#') {
            "`#` (the nth weekday of a month)"
        } else if text.strip_suffix('L').is_some_and(day)
            || text.starts_with("L-")
            || text.ends_with("-L")
        {
            "`L` (the last day)"
        } else if ["LW", "WL"].contains(&text.as_str())
            || text.strip_suffix('W').is_some_and(day)
            || text.strip_prefix('W').is_some_and(day)
        {
            "`W` (the nearest weekday)"
        } else if text.starts_with('H') {
            "`H` (a value of Jenkins's choice)"
        } else if text.contains('~') {
            "`~` (a random value)"
        } else if text.contains('?') {
            "`?` beside anything else"
        } else {
            return Ok(());
        };
        let reason = format!("it has {feature}, which is not in crontab(5)");
        let problem = self.problem(&reason, self.kind.accepted());
        Err(problem.of(ErrorKind::Unsupported))
    }

    fn step_on_value(self, value: u32) -> Problem {
        let (_, high) = self.kind.bounds();
        let step = self.text.split_once('/').map_or("1", |(_, step)| step);
        let hint = format!("write `{value}-{high}/{step}`");
        self.problem("it has a step on a single value", &hint)
    }

    fn malformed(self) -> Problem {
        let hint = format!(
            "{}, `*`, ranges (1-5), steps (*/2) and lists (1,3) of them",
            self.kind.accepted()
        );
        self.problem("it is not understood", &hint)
    }

    fn problem(self, reason: &str, hint: &str) -> Problem {
        Problem {
            kind: ErrorKind::Syntax,
            message: format!("has {} in its {} field", Echo(self.text), self.kind.name()),
            hint: format!("{reason}: {hint}"),
            offset: self.offset,
        }
    }
}
