//! Cron expressions against another implementation.

use std::cmp::Ordering;

use croner::errors::CronError;
use croner::parser::{CronParser, Seconds, Year};
use croner::{CivilDateTime, CronDateTime, Resolution, Weekday};
use proptest::prelude::*;
use time::OffsetDateTime;
use toolkit_core::Warnings;
use toolkit_core::cron::Schedule;
use toolkit_core::timestamp::parse_iso8601;

use super::{schedule, wall};

/// Time type of the other implementation.
#[derive(Debug, Clone, Copy)]
struct Utc(OffsetDateTime);

impl CronDateTime for Utc {
    fn to_civil(&self) -> CivilDateTime {
        let (date, (hour, minute, second)) = (self.0.date(), self.0.to_hms());
        CivilDateTime::from_ymd_hms_opt(
            date.year(),
            u8::from(date.month()).into(),
            date.day().into(),
            hour.into(),
            minute.into(),
            second.into(),
        )
        .unwrap()
    }

    fn civil_weekday(&self) -> Weekday {
        let sunday = Weekday::Sunday;
        sunday.shift(self.0.weekday().number_days_from_sunday().into())
    }

    fn resolve_civil(&self, civil: CivilDateTime) -> Result<Resolution<Self>, CronError> {
        let (date, time) = (civil.date(), civil.time());
        let text = format!(
            "{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z",
            date.year(),
            date.month(),
            date.day(),
            time.hour(),
            time.minute(),
            time.second()
        );
        let moment = parse_iso8601(&text, &mut Warnings::new());
        moment.map(|moment| Resolution::Single(Self(moment))).map_err(|_| CronError::InvalidDate)
    }

    fn checked_add_seconds(&self, seconds: i64) -> Option<Self> {
        self.0.checked_add(time::Duration::seconds(seconds)).map(Self)
    }

    fn cmp_instant(&self, other: &Self) -> Ordering {
        self.0.cmp(&other.0)
    }
}

/// A field that both implementations read alike.
fn field(low: u32, high: u32) -> impl Strategy<Value = String> {
    let range = (low..=high, low..=high).prop_map(|(one, other)| (one.min(other), one.max(other)));
    let item = prop_oneof![
        (low..=high).prop_map(|value| value.to_string()),
        range.clone().prop_map(|(first, last)| format!("{first}-{last}")),
        (range, 1..=6_u32).prop_filter_map("a step beyond the range", |((first, last), step)| {
            (step <= last - first).then(|| format!("{first}-{last}/{step}"))
        }),
    ];
    let lists = prop::collection::vec(item, 1..4).prop_map(|items| items.join(","));
    prop_oneof![
        2 => Just("*".to_owned()),
        1 => (1..=high / 2).prop_map(|step| format!("*/{step}")),
        4 => lists,
    ]
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 3000,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn another_implementation_finds_the_same_runs(
        minute in field(0, 59),
        hour in field(0, 23),
        day_of_month in field(1, 31),
        month in field(1, 12),
        day_of_week in field(0, 6),
        seconds in 0..3_000_000_000_i64,
    ) {
        let expression = format!("{minute} {hour} {day_of_month} {month} {day_of_week}");
        let needs_both = day_of_month.starts_with('*') || day_of_week.starts_with('*');
        let theirs = CronParser::builder()
            .seconds(Seconds::Disallowed)
            .year(Year::Disallowed)
            .dom_and_dow(needs_both)
            .build()
            .parse(&expression)
            .unwrap();
        let from = OffsetDateTime::from_unix_timestamp(seconds).unwrap();
        let mut at = Utc(from);
        for run in schedule(&expression).after(wall(from)).take(4) {
            at = theirs.find_next_occurrence(&at, false).unwrap();
            prop_assert_eq!(run.assume_utc(), at.0, "{}", expression);
        }
    }

    #[test]
    fn any_text_is_read_or_refused(expression in r"([0-9*/,@?#LWA-Z é-]{0,12} ?){0,6}") {
        if let Ok(schedule) = Schedule::parse(&expression, &mut Warnings::new()) {
            prop_assert!(schedule.describe().ends_with('.'));
            let again = super::schedule(&schedule.expression());
            prop_assert_eq!(again, schedule);
        }
    }
}
