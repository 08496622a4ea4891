//! Cron expressions: vectors of crontab(5), refusals, another implementation, and the public
//! suites.

#![expect(
    clippy::panic,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "clippy.toml allows them in tests, but not in their helpers"
)]

mod oracle;
mod suites;

use std::time::Duration;

use cpu_time::ThreadTime;
use serde::Deserialize;
use time::OffsetDateTime;
use time::macros::datetime;
use toolkit_core::Warnings;
use toolkit_core::cron::Schedule;
use toolkit_core::timestamp::{parse_iso8601, to_iso8601};

#[derive(Deserialize)]
struct Vectors {
    cases: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    expression: String,
    from: String,
    next: Vec<String>,
    description: String,
}

fn moment(text: &str) -> OffsetDateTime {
    parse_iso8601(text, &mut Warnings::new()).unwrap()
}

fn schedule(expression: &str) -> Schedule {
    let schedule = Schedule::parse(expression, &mut Warnings::new());
    schedule.unwrap_or_else(|error| panic!("{expression}: {error}"))
}

fn refusal(expression: &str) -> String {
    let refused = Schedule::parse(expression, &mut Warnings::new()).unwrap_err();
    refused.field("expression").to_string()
}

fn runs(schedule: &Schedule, from: OffsetDateTime, count: usize) -> Vec<String> {
    schedule
        .runs_after(from)
        .take(count)
        .map(to_iso8601)
        .collect()
}

#[test]
fn runs_and_descriptions_are_those_of_the_vectors() {
    let vectors: Vectors = serde_json::from_str(include_str!("../vectors/cron.json")).unwrap();
    for case in vectors.cases {
        let schedule = schedule(&case.expression);
        let runs = runs(&schedule, moment(&case.from), case.next.len());
        assert_eq!(runs, case.next, "{}", case.expression);
        assert_eq!(schedule.describe(), case.description, "{}", case.expression);
    }
}

#[test]
fn an_expression_is_shown_with_single_spaces_and_its_alias_expanded() {
    for (expression, shown) in [
        ("  0\t9  * *   mon-FRI \n", "0 9 * * mon-FRI"),
        ("@hourly", "0 * * * *"),
        ("@daily", "0 0 * * *"),
        ("@midnight", "0 0 * * *"),
        (" @Weekly ", "0 0 * * 0"),
        ("@monthly", "0 0 1 * *"),
        ("@yearly", "0 0 1 1 *"),
        ("@annually", "0 0 1 1 *"),
        ("0 0 ? * 1", "0 0 * * 1"),
    ] {
        assert_eq!(schedule(expression).expression(), shown);
    }
}

#[test]
fn fields_give_their_values_once_and_in_order() {
    let schedule = schedule("05,1-3/2,59 23-23 1-31/10 dec,1 7,0,SUN-1,5-7");
    let values = |field: &toolkit_core::cron::Field| field.values().collect::<Vec<_>>();
    assert_eq!(values(&schedule.minute), [1, 3, 5, 59]);
    assert_eq!(values(&schedule.hour), [23]);
    assert_eq!(values(&schedule.day_of_month), [1, 11, 21, 31]);
    assert_eq!(values(&schedule.month), [1, 12]);
    assert_eq!(values(&schedule.day_of_week), [0, 1, 5, 6]);
    assert_eq!(schedule.month.raw(), "dec,1");
}

#[test]
fn tolerated_input_is_warned_about() {
    for (expression, sentence) in [
        ("0 0 ? * 1", "`?` as day of month is taken for `*`."),
        ("0 0 * * ?", "`?` as day of week is taken for `*`."),
        (
            "*/90 * * * *",
            "The step leads beyond the minute field: only 0 is left of `*/90`.",
        ),
        (
            "0 9-17/99999999999 * * *",
            "The step leads beyond the hour field: only 9 is left of `9-17/99999999999`.",
        ),
    ] {
        let mut warnings = Warnings::new();
        Schedule::parse(expression, &mut warnings).unwrap();
        assert_eq!(warnings.sentences(), [sentence]);
    }
}

#[test]
fn the_number_of_fields_must_be_five() {
    const FIELDS: &str = "write five: minute, hour, day of month, month, day of week";
    for (expression, detail) in [
        ("", format!("is empty; {FIELDS}.")),
        (" \n", format!("is empty; {FIELDS}.")),
        ("*", format!("has 1 field; {FIELDS}.")),
        ("* * * *", format!("has 4 fields; {FIELDS}.")),
        (
            "0 * * * * *",
            format!(
                "has 6 fields; {FIELDS}; leave out the seconds in front, or the year at the end."
            ),
        ),
        (
            "0 * * * * * 2023",
            format!(
                "has 7 fields; {FIELDS}; leave out the seconds in front and the year at the end."
            ),
        ),
        (
            "* * * * * tar -c /",
            format!("has 8 fields; {FIELDS}; leave out the command after them."),
        ),
    ] {
        assert_eq!(refusal(expression), format!("`expression` {detail}"));
    }
}

#[test]
fn aliases_without_a_time_are_refused() {
    assert_eq!(
        refusal("@reboot"),
        "`expression` is `@reboot`, which names no time: it fires when the machine starts."
    );
    assert_eq!(
        refusal("@never"),
        "`expression` has no alias `@never`; use one of @hourly, @daily, @midnight, @weekly, \
         @monthly, @yearly, @annually."
    );
}

#[test]
fn a_refusal_names_field_item_place_and_what_is_accepted() {
    const DAYS: &str = "days of the week are 0-7 or SUN-SAT; 0 and 7 are Sunday";
    for (expression, detail) in [
        ("60 * * * *", "`60` in its minute field at offset 0; it is out of range: minutes are 0-59.".to_owned()),
        ("* 24 * * *", "`24` in its hour field at offset 2; it is out of range: hours are 0-23.".to_owned()),
        ("* * 0 * *", "`0` in its day of month field at offset 4; it is out of range: days of the month are 1-31.".to_owned()),
        ("* * 1,32 * *", "`32` in its day of month field at offset 6; it is out of range: days of the month are 1-31.".to_owned()),
        ("* * * 13 *", "`13` in its month field at offset 6; it is out of range: months are 1-12 or JAN-DEC.".to_owned()),
        ("* * * 0 *", "`0` in its month field at offset 6; it is out of range: months are 1-12 or JAN-DEC.".to_owned()),
        ("* * * * 8", format!("`8` in its day of week field at offset 8; it is out of range: {DAYS}.")),
        ("5/10 * * * *", "`5/10` in its minute field at offset 0; it has a step on a single value: write `5-59/10`.".to_owned()),
        ("* * * * FRI-MON", "`FRI-MON` in its day of week field at offset 8; it runs backwards: write `5-6,0-1`.".to_owned()),
        ("* * * * FRI-SUN", "`FRI-SUN` in its day of week field at offset 8; it runs backwards: write `5-7`.".to_owned()),
        ("0 22-4 * * *", "`22-4` in its hour field at offset 2; it runs backwards: write `22-23,0-4`.".to_owned()),
        ("1,,2 * * * *", "an empty item in its minute field at offset 2; remove the extra comma.".to_owned()),
        (",1 * * * *", "an empty item in its minute field at offset 0; remove the extra comma.".to_owned()),
        ("1, * * * *", "an empty item in its minute field at offset 2; remove the extra comma.".to_owned()),
        ("*/0 * * * *", "`*/0` in its minute field at offset 0; it has a step of 0: a step is at least 1.".to_owned()),
        ("*/x * * * *", "`*/x` in its minute field at offset 0; it has no number as its step: write it like `*/5`.".to_owned()),
        ("* * * MON *", "`MON` in its month field at offset 6; it is the name of a day of the week: months are 1-12 or JAN-DEC.".to_owned()),
        ("* * * * JAN", format!("`JAN` in its day of week field at offset 8; it is the name of a month: {DAYS}.")),
        ("* * L * *", "`L` in its day of month field at offset 4; it has `L` (the last day), which is not in crontab(5): days of the month are 1-31.".to_owned()),
        ("* * 15W * *", "`15W` in its day of month field at offset 4; it has `W` (the nearest weekday), which is not in crontab(5): days of the month are 1-31.".to_owned()),
        ("* * * * FRI#2", format!("`FRI#2` in its day of week field at offset 8; it has `#` (the nth weekday of a month), which is not in crontab(5): {DAYS}.")),
        ("é * * * *", "`é` in its minute field at offset 0; it is not understood: minutes are 0-59, `*`, ranges (1-5), steps (*/2) and lists (1,3) of them.".to_owned()),
    ] {
        assert_eq!(refusal(expression), format!("`expression` has {detail}"));
    }
    for malformed in [
        "-5",
        "5-",
        "1-2-3",
        "1/2/3",
        "*/",
        "/5",
        "*-5",
        "*5",
        "+5",
        "1.5",
        "0x5",
        "a",
        "MON",
        "H",
        "~",
        "?/5",
        "1,?",
        "*/-1",
        "٣",
        "1-*",
        "--",
        "-",
        "*/1/1",
        "99999999999999999999",
        "1 - 5",
    ] {
        refusal(&format!("{malformed} * * * *"));
    }
    for malformed in [
        "MO",
        "MONDAY",
        "LW",
        "6L",
        "MON-FRIL",
        "1#",
        "#1",
        "W",
        "MON-",
        "SUN-SUNDAY",
    ] {
        refusal(&format!("* * * * {malformed}"));
    }
}

#[test]
fn an_expression_has_at_most_a_thousand_bytes() {
    let minutes = |count: usize| format!("{} * * * *", vec!["1"; count].join(","));
    assert_eq!(minutes(496).len(), 999);
    schedule(&minutes(496));
    schedule(&(minutes(496) + " "));
    assert_eq!(
        refusal(&minutes(497)),
        "`expression` has 1001 bytes; at most 1000 are accepted."
    );
}

#[test]
fn an_expression_that_never_fires_is_detected_at_once() {
    let started = ThreadTime::now();
    for expression in [
        "0 0 30 2 *",
        "0 0 31 2 *",
        "* * 31 4,6,9,11 *",
        "0 0 30-31 FEB *",
    ] {
        let schedule = schedule(expression);
        assert_eq!(
            schedule.next_after(datetime!(2023-11-14 22:13:20 UTC)),
            None
        );
        assert_eq!(schedule.next_after(datetime!(0001-01-01 00:00 UTC)), None);
    }
    assert!(
        started.elapsed() < Duration::from_secs(1),
        "{:?}",
        started.elapsed()
    );
}

#[test]
fn the_rarest_days_are_found() {
    // A 29 February on a Sunday: every 28 years, except for 40 around 2100, which is not a leap
    // year.
    assert_eq!(
        runs(
            &schedule("0 0 29 2 */7"),
            datetime!(2023-11-14 00:00 UTC),
            4
        ),
        [
            "2032-02-29T00:00:00Z",
            "2060-02-29T00:00:00Z",
            "2088-02-29T00:00:00Z",
            "2128-02-29T00:00:00Z"
        ]
    );
    let started = ThreadTime::now();
    let all = schedule("0 0 29 2 *")
        .runs_after(datetime!(2023-11-14 00:00 UTC))
        .count();
    // Every fourth year from 2024 on, except the centuries that 400 does not divide.
    assert_eq!(all, (9996 - 2024) / 4 + 1 - 60);
    assert!(started.elapsed().as_secs() < 2);
}

#[test]
fn the_search_ends_with_the_year_9999() {
    let last = datetime!(9999-12-31 23:58 UTC);
    assert_eq!(
        runs(&schedule("* * * * *"), last, 5),
        ["9999-12-31T23:59:00Z"]
    );
    assert_eq!(runs(&schedule("0 0 1 1 *"), last, 5), [""; 0]);
    let first = datetime!(0001-01-01 00:00 UTC);
    assert_eq!(
        runs(&schedule("0 0 * * *"), first, 1),
        ["0001-01-02T00:00:00Z"]
    );
}

proptest::proptest! {
    #[test]
    fn going_backwards_finds_the_same_times(
        minute in "[0-9]|\\*/1[0-9]|5-40",
        hour in "[0-9]|\\*/[5-9]|3,17",
        day in "[1-9]|1[0-9]|\\*|31",
        month in "[1-9]|\\*|2|\\*/5",
        weekday in "[0-6]|\\*|1-5",
        seconds in 0..4_000_000_000_i64,
        hours in -12..=14_i8,
    ) {
        let expression = format!("{minute} {hour} {day} {month} {weekday}");
        let schedule = Schedule::parse(&expression, &mut Warnings::new()).unwrap();
        let offset = time::UtcOffset::from_hms(hours, 0, 0).unwrap();
        let moment = time::OffsetDateTime::from_unix_timestamp(seconds).unwrap().to_offset(offset);
        let ahead: Vec<_> = schedule.after(moment).take(5).collect();
        if let Some(last) = ahead.last() {
            let back: Vec<_> = schedule.before(*last).take(ahead.len() - 1).collect();
            let expected: Vec<_> = ahead.iter().rev().skip(1).copied().collect();
            proptest::prop_assert_eq!(back, expected);
            proptest::prop_assert!(ahead.iter().all(|run| run.offset() == offset && *run > moment));
        }
        let before = schedule.before(moment).next();
        proptest::prop_assert!(before.is_none_or(|run| run < moment));
        if let Some(before) = before {
            let next = schedule.after(before).next();
            proptest::prop_assert!(next.is_none_or(|run| run >= moment));
        }
    }
}
