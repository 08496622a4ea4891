//! Kinds of fields: their names, numbers and what they accept.

pub(super) const MONTHS: [&str; 12] =
    ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"];
pub(super) const WEEKDAYS: [&str; 7] = ["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"];
/// The other number of Sunday, which is 0.
pub(super) const SUNDAY_AGAIN: u32 = 7;

/// Kind of field.
#[derive(Debug)]
pub(super) struct Kind {
    pub(super) name: &'static str,
    pub(super) low: u32,
    /// For weekdays it is Sunday again.
    pub(super) high: u32,
    /// The names, the first of which is the lowest number.
    pub(super) names: &'static [&'static str],
    pub(super) accepted: &'static str,
}

impl Kind {
    pub(super) const MINUTE: &Self = &Self::new("minute", 0, 59, &[], "minutes are 0-59");
    pub(super) const HOUR: &Self = &Self::new("hour", 0, 23, &[], "hours are 0-23");
    pub(super) const DAY_OF_MONTH: &Self =
        &Self::new("day of month", 1, 31, &[], "days of the month are 1-31");
    pub(super) const MONTH: &Self =
        &Self::new("month", 1, 12, &MONTHS, "months are 1-12 or JAN-DEC");
    pub(super) const DAY_OF_WEEK: &Self = &Self::new(
        "day of week",
        0,
        SUNDAY_AGAIN,
        &WEEKDAYS,
        "days of the week are 0-7 (0 and 7 are Sunday) or SUN-SAT",
    );

    const fn new(
        name: &'static str,
        low: u32,
        high: u32,
        names: &'static [&'static str],
        accepted: &'static str,
    ) -> Self {
        Self { name, low, high, names, accepted }
    }

    pub(super) fn is_day_of_week(&self) -> bool {
        self.high == SUNDAY_AGAIN
    }

    /// The highest number of `*`.
    pub(super) fn last(&self) -> u32 {
        self.high - u32::from(self.is_day_of_week())
    }
}

pub(super) fn is_one_of(names: &[&str], text: &str) -> bool {
    names.iter().any(|name| name.eq_ignore_ascii_case(text))
}
