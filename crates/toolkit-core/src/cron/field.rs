//! Parser for one field of a cron expression.

use super::kind::{Kind, MONTHS, SUNDAY_AGAIN, WEEKDAYS, is_one_of};
use super::{Source, line, rewrite};
use crate::echo::Echo;
use crate::error::{ErrorKind, Position, ToolError};
use crate::warnings::{WarningKind, Warnings};

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
        let bits = self.bits;
        (0..=63).filter(move |value| bits >> value & 1 == 1)
    }

    /// Parses a field.
    pub(super) fn parse(
        kind: &'static Kind,
        mut raw: &str,
        source: &Source<'_>,
        warnings: &mut Warnings,
    ) -> Result<Self, ToolError> {
        if raw == "?" {
            let warning = format!("`?` as {} is taken for `*`.", kind.name);
            warnings.add(WarningKind::Assumed, warning);
            raw = "*";
        }
        let mut bits = 0;
        for text in raw.split(',') {
            bits |= Item { kind, text, source }.bits(warnings)?;
        }
        Ok(Self {
            raw: raw.to_owned(),
            starts_with_star: raw.starts_with('*'),
            bits,
            is_full: (kind.low..=kind.last()).all(|value| bits >> value & 1 == 1),
        })
    }
}

/// An item of a list.
#[derive(Debug, Clone, Copy)]
struct Item<'a> {
    kind: &'static Kind,
    text: &'a str,
    source: &'a Source<'a>,
}

impl Item<'_> {
    fn bits(self, warnings: &mut Warnings) -> Result<u64, ToolError> {
        if self.text.is_empty() {
            let hint = self
                .instead()
                .unwrap_or_else(|| "a list has no spaces and no empty items".to_owned());
            return Err(self.error("an empty item").with_hint(hint));
        }
        self.refuse_quartz()?;
        let (span, step) = match self.text.split_once('/') {
            Some((span, step)) => (span, Some(self.step(step)?)),
            None => (self.text, None),
        };
        let (first, last) = match span.split_once('-') {
            Some(_) if span.starts_with('-') => return Err(self.malformed()),
            Some((first, last)) => self.range(first, last, warnings)?,
            None if span == "*" => (self.kind.low, self.kind.last()),
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
                self.kind.name,
                Echo(self.text),
            ));
        }
        let step = usize::try_from(step.unwrap_or(1)).unwrap_or(usize::MAX);
        let bits = (first..=last).step_by(step).fold(0, |bits, value| bits | 1_u64 << value);
        if self.kind.is_day_of_week() {
            return Ok(bits & !(1 << SUNDAY_AGAIN) | bits >> SUNDAY_AGAIN);
        }
        Ok(bits)
    }

    fn range(
        self,
        first: &str,
        last: &str,
        warnings: &mut Warnings,
    ) -> Result<(u32, u32), ToolError> {
        if first.is_empty() || last.is_empty() {
            return Err(self.malformed());
        }
        let (from, to) = (self.value(first)?, self.value(last)?);
        if from <= to {
            return Ok((from, to));
        }
        if last.eq_ignore_ascii_case("SUN") {
            let warning = format!(
                "{} is taken for {from}-{SUNDAY_AGAIN}; some crons refuse it.",
                Echo(self.text)
            );
            warnings.add(WarningKind::Assumed, warning);
            return Ok((from, SUNDAY_AGAIN));
        }
        let wrapped = format!("write `{}`", rewrite::wrapped(self.kind, from, to));
        let problem = self.problem("it runs backwards", &wrapped);
        Err(problem.of(ErrorKind::Range))
    }

    fn value(self, text: &str) -> Result<u32, ToolError> {
        let Kind { low, high, .. } = *self.kind;
        if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) {
            let value = text.parse().ok().filter(|value| (low..=high).contains(value));
            return value.ok_or_else(|| {
                let problem = self.problem("it is out of range", self.kind.accepted);
                problem.of(ErrorKind::Range)
            });
        }
        let mut named = self.kind.names.iter().zip(low..);
        if let Some((_, value)) = named.find(|(name, _)| name.eq_ignore_ascii_case(text)) {
            return Ok(value);
        }
        if is_one_of(&MONTHS, text) {
            return Err(self.problem("it is the name of a month", self.kind.accepted));
        }
        if is_one_of(&WEEKDAYS, text) {
            return Err(self.problem("it is the name of a day of the week", self.kind.accepted));
        }
        Err(self.malformed())
    }

    fn step(self, text: &str) -> Result<u32, ToolError> {
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
    fn refuse_quartz(self) -> Result<(), ToolError> {
        let is_day =
            |text: &str| text.bytes().all(|b| b.is_ascii_digit()) || is_one_of(&WEEKDAYS, text);
        let day = |text: &str| text.split('-').all(is_day);
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
        let problem = self.problem(&reason, self.kind.accepted);
        Err(problem.of(ErrorKind::Unsupported))
    }

    fn step_on_value(self, value: u32) -> ToolError {
        let step = self.text.split_once('/').map_or("1", |(_, step)| step);
        let hint = format!("write `{}`", rewrite::from_value(self.kind, value, step));
        self.problem("it has a step on a single value", &hint)
    }

    fn malformed(self) -> ToolError {
        let accepted = self.kind.accepted;
        let hint = format!("{accepted}, `*`, ranges (1-5), steps (*/2) and lists (1,3) of them");
        self.problem("it is not understood", &hint)
    }

    fn problem(self, reason: &str, hint: &str) -> ToolError {
        let error = self.error(&Echo(self.text).to_string());
        let hint = self.instead().unwrap_or_else(|| hint.to_owned());
        error.with_hint(format!("{reason}: {hint}"))
    }

    /// The expression to write instead, if known.
    fn instead(self) -> Option<String> {
        let words = self.source.corrects.then_some(self.source.words)?;
        if words.windows(2).any(|pair| matches!(pair, [word, next] if rewrite::goes_on(word, next)))
        {
            // A field is missing once they are joined.
            return None;
        }
        let written = rewrite::corrected(words, false)?;
        Some(format!("write `{}`", rewrite::in_zone(self.source.zone, &written)))
    }

    fn error(self, what: &str) -> ToolError {
        let error = ToolError::new(format!("has {what} in its {} field", self.kind.name));
        match line::offset(self.source.expression, self.text) {
            Some(offset) => error.at(Position::offset(self.source.expression, offset)),
            None => error,
        }
    }
}
