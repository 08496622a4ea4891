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
use time::macros::datetime;
use time::{OffsetDateTime, PlainDateTime};
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
    refused.in_field("expression").to_string()
}

/// Time of a wall clock in UTC.
fn wall(moment: OffsetDateTime) -> PlainDateTime {
    PlainDateTime::new(moment.date(), moment.time())
}

fn runs(schedule: &Schedule, from: OffsetDateTime, count: usize) -> Vec<String> {
    schedule.after(wall(from)).take(count).map(|run| to_iso8601(run.assume_utc())).collect()
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
    const BOTH_DAYS: &str = "Both day fields must match, as one of them starts with `*` \
        (crontab(5)); other schedulers run when either does.";
    for (expression, sentence) in [
        ("0 0 ? * 1", "`?` as day of month is taken for `*`."),
        ("0 0 * * ?", "`?` as day of week is taken for `*`."),
        ("*/90 * * * *", "The step leads beyond the minute field: only 0 is left of `*/90`."),
        (
            "0 9-17/99999999999 * * *",
            "The step leads beyond the hour field: only 9 is left of `9-17/99999999999`.",
        ),
        ("0 0 * * WED-SUN", "`WED-SUN` is taken for 3-7; some crons refuse it."),
        ("0 0 */2 * MON", BOTH_DAYS),
        ("0 0 1-15 * */2", BOTH_DAYS),
    ] {
        let mut warnings = Warnings::new();
        Schedule::parse(expression, &mut warnings).unwrap();
        assert_eq!(warnings.sentences(), [sentence]);
    }
}

#[test]
fn the_number_of_fields_must_be_five() {
    const FIELDS: &str = "write five: minute, hour, day of month, month, day of week";
    const PLACES: &str = "leave out the seconds in front, or the year at the end";
    for (expression, detail) in [
        ("", format!("is empty; {FIELDS}.")),
        (" \n", format!("is empty; {FIELDS}.")),
        ("*", format!("has 1 field; {FIELDS}.")),
        ("* * * *", format!("has 4 fields; {FIELDS}.")),
        (
            "@daily 5",
            "has fields after its alias; write the alias alone, or five fields.".to_owned(),
        ),
        ("0 5 * * * w", format!("has 6 fields; {FIELDS}; {PLACES}.")),
        (
            "0 0 13 ? * MON12345",
            format!("has 6 fields, as in Quartz or EventBridge; {FIELDS}; {PLACES}."),
        ),
        (
            "0 15 10 ? * 6L",
            format!(
                "has 6 fields, as in Quartz or EventBridge; {FIELDS}; {PLACES}; `6L` is not in crontab(5)."
            ),
        ),
        (
            "0 0 12 ? * MON-FRI#2 2023-2030",
            format!(
                "has 7 fields, as in Quartz or EventBridge; {FIELDS}; leave out the seconds in front and the year at the end; `MON-FRI#2` is not in crontab(5)."
            ),
        ),
    ] {
        assert_eq!(refusal(expression), format!("`expression` {detail}"));
    }
}

#[test]
fn six_and_seven_fields_are_refused_with_the_five_to_write() {
    const SECONDS: &str = "without the seconds in front";
    const YEAR: &str = "without the year at the end";
    const BOTH: &str = "without the seconds in front and the year at the end";
    for (expression, places, written) in [
        ("0 0 18 * * MON-FRI", SECONDS, "0 18 * * MON-FRI"),
        ("* * * * * *", SECONDS, "* * * * *"),
        ("0 8 1 * ? *", YEAR, "0 8 1 * *"),
        ("15 10 * * MON 2025-2027", YEAR, "15 10 * * MON"),
        ("0/5 8-17 ? * MON-FRI *", YEAR, "*/5 8-17 * * MON-FRI"),
        ("0 0 12 ? * 2-6", SECONDS, "0 12 * * MON-FRI"),
        ("0 */30 10-19 ? * MON,FRI *", BOTH, "*/30 10-19 * * MON,FRI"),
        ("0 0 12 1/1 * ? *", BOTH, "0 12 */1 * *"),
        ("0 0 12 * * ? * tar", BOTH, "0 12 * * *"),
        ("0 30 5 * * 1-5 /usr/bin/backup", SECONDS, "30 5 * * 1-5"),
        ("0 0 12 * * MON # noon", SECONDS, "0 12 * * MON"),
        // The last field has a slip.
        ("0 0 12 * * Monday", SECONDS, "0 12 * * MON"),
        ("0 0 12 * * MON,TUES", SECONDS, "0 12 * * MON,TUE"),
        ("0 0 12 * * MON-FRII", SECONDS, "0 12 * * MON-FRI"),
        ("0 0 12 * * thurs", SECONDS, "0 12 * * THU"),
        ("0 0 12 * * Wednsday", SECONDS, "0 12 * * WED"),
        ("0 0 12 * * 1-5x", SECONDS, "0 12 * * 1-5"),
        ("0 0 12 * * **", SECONDS, "0 12 * * *"),
        ("0 0 12 ? * Monday 2025", BOTH, "0 12 * * MON"),
    ] {
        let refused = refusal(expression);
        assert!(
            refused.ends_with(&format!("; write five, {places}: `{written}`.")),
            "{expression}: {refused}"
        );
        let is_named = refused.contains("fields, as in Quartz or EventBridge;");
        assert_eq!(is_named, expression.contains('?'), "{refused}");
    }
    assert_eq!(
        refusal("*/10 5 * * * *"),
        "`expression` has 6 fields; write five: `5 * * * *` without the seconds in front, \
         or `*/10 5 * * *` without the year at the end."
    );
}

#[test]
fn a_command_that_begins_like_a_name_stays_a_command() {
    for line in [
        "monit",
        "sunset",
        "mongodump --gzip",
        "apt update",
        "weekly.sh",
        "7z a x.7z y",
        "may-be",
        "decrypt",
    ] {
        assert_eq!(schedule(&format!("0 5 * * * {line}")).expression(), "0 5 * * *");
    }
}

#[test]
fn what_is_around_a_schedule_is_left_out_with_a_warning() {
    let precedes = |text| format!("What precedes the schedule was left out: `{text}`.");
    let follows = |text| format!("What follows the schedule was left out: `{text}`.");
    let quotes = || "The quotes around the schedule were left out.".to_owned();
    for (line, warnings) in [
        ("0 6 * * 1   # Mondays 06:00 UTC", vec![follows("# Mondays 06:00 UTC")]),
        ("0 6 * * 1 // Mondays", vec![follows("// Mondays")]),
        ("'0 6 * * 1'", vec![quotes()]),
        ("\"0 6 * * 1\"", vec![quotes()]),
        ("`0 6 * * 1`", vec![quotes()]),
        ("“0 6 * * 1”", vec![quotes()]),
        ("'0 6 * * 1", vec![quotes()]),
        ("- cron: '0 6 * * 1'", vec![precedes("- cron: '")]),
        ("- 0 6 * * 1", vec![precedes("-")]),
        ("schedule: 0 6 * * 1", vec![precedes("schedule:")]),
        ("- cron: \"0 6 * * 1\" # don't", vec![precedes("- cron: \\\""), follows("# don't")]),
        ("\"schedule\": \"0 6 * * 1\",", vec![precedes("\\\"schedule\\\": \\\"")]),
        ("crons = ['0 6 * * 1']", vec![precedes("crons = ['")]),
        ("cron.schedule('0 6 * * 1', run)", vec![precedes("cron.schedule('"), follows(", run)")]),
        ("# m h\n\n0 6 * * 1\n", vec![]),
        ("on:\n  schedule:\n    - cron: '0 6 * * 1'\n", vec![precedes("- cron: '")]),
        ("0\n6\n*\n*\n1", vec![]),
    ] {
        let mut said = Warnings::new();
        let schedule = Schedule::parse(line, &mut said);
        let schedule = schedule.unwrap_or_else(|error| panic!("{line}: {error}"));
        assert_eq!(schedule.expression(), "0 6 * * 1", "{line}");
        let warnings: Vec<_> = warnings.iter().map(|text| text.replace("\\\"", "\"")).collect();
        assert_eq!(said.sentences(), warnings, "{line}");
    }
}

#[test]
fn other_notations_are_refused_by_name() {
    const FIELDS: &str = "write five: minute, hour, day of month, month, day of week";
    const AMAZON: &str = "of Amazon EventBridge";
    for (line, detail) in [
        (
            "cron(0 18 ? * 2-6 *)",
            format!("is in the notation `cron(…)` {AMAZON}; write `0 18 * * MON-FRI`."),
        ),
        ("cron(0 10 L * ? *)", format!("is in the notation `cron(…)` {AMAZON}; {FIELDS}.")),
        ("rate(5 minutes)", format!("is in the notation `rate(…)` {AMAZON}; write `*/5 * * * *`.")),
        ("rate(1 day)", format!("is in the notation `rate(…)` {AMAZON}; write `0 0 * * *`.")),
        ("rate(45 minutes)", format!("is in the notation `rate(…)` {AMAZON}; {FIELDS}.")),
        ("@every 1h", "is `@every 1h`, an interval; write `0 * * * *`.".to_owned()),
        ("@every_minute", "is `@every_minute`, an interval; write `* * * * *`.".to_owned()),
        ("every 6 hours", "is `every 6 hours`, an interval; write `0 */6 * * *`.".to_owned()),
        ("# nightly", format!("is a comment alone; {FIELDS}.")),
        ("0 5 * * *\n0 6 * * *", "has 2 lines; write one schedule a call.".to_owned()),
        ("@daily\n@hourly", "has 2 lines; write one schedule a call.".to_owned()),
    ] {
        assert_eq!(refusal(line), format!("`expression` {detail}"));
    }
}

#[test]
fn a_command_after_the_fields_is_left_out_with_a_warning() {
    for (line, shown, left_out) in [
        ("0 5 * * * /usr/bin/backup --all", "0 5 * * *", "`/usr/bin/backup --all`"),
        ("17 * * * * root cd / && run-parts", "17 * * * *", "`root cd / && run-parts`"),
        ("* * * * * tar -c /", "* * * * *", "`tar -c /`"),
        ("0 5 * * MON -q", "0 5 * * MON", "`-q`"),
        (" @daily  backup ", "0 0 * * *", "`backup`"),
    ] {
        let mut warnings = Warnings::new();
        let schedule = Schedule::parse(line, &mut warnings).unwrap();
        assert_eq!(schedule.expression(), shown);
        let sentence = format!("What follows the schedule was left out: {left_out}.");
        assert_eq!(warnings.sentences(), [sentence]);
    }
}

#[test]
fn a_time_zone_is_refused_by_name() {
    for (line, zone) in [
        ("CRON_TZ=Europe/Berlin 0 5 * * *", "CRON_TZ=Europe/Berlin"),
        ("TZ=UTC @daily", "TZ=UTC"),
        ("0 5 * * * UTC", "UTC"),
        ("0 5 * * * America/New_York", "America/New_York"),
        ("@daily Asia/Tokyo", "Asia/Tokyo"),
        ("cron: '0 5 * * *', timezone: 'Asia/Tokyo'", "Asia/Tokyo"),
    ] {
        let refused = Schedule::parse(line, &mut Warnings::new()).unwrap_err();
        assert_eq!(refused.kind(), toolkit_core::ErrorKind::Unsupported);
        let sentence = refused.in_field("expression").to_string();
        assert_eq!(
            sentence,
            format!(
                "`expression` names the time zone `{zone}`; leave it out and write the hours in \
                 UTC."
            )
        );
    }
}

#[test]
fn a_range_of_weekdays_may_end_on_sunday() {
    for (range, days) in [
        ("WED-SUN", vec![0, 3, 4, 5, 6]),
        ("sat-sun", vec![0, 6]),
        ("SUN-SUN", vec![0]),
        ("SUN-WED", vec![0, 1, 2, 3]),
        ("MON-SUN", vec![0, 1, 2, 3, 4, 5, 6]),
    ] {
        let schedule = schedule(&format!("0 0 * * {range}"));
        let values: Vec<u8> = schedule.day_of_week.values().collect();
        assert_eq!(values, days, "{range}");
    }
}

#[test]
fn a_schedule_is_text_to_serde() {
    let schedule: Schedule = serde_json::from_str("\"@daily\"").unwrap();
    assert_eq!(serde_json::to_string(&schedule).unwrap(), "\"0 0 * * *\"");
    assert!(serde_json::from_str::<Schedule>("\"60 * * * *\"").is_err());
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
        ("5/10 * * * *", "`5/10` in its minute field at offset 0; it has a step on a single value: write `5-59/10 * * * *`.".to_owned()),
        ("* * * * FRI-MON", "`FRI-MON` in its day of week field at offset 8; it runs backwards: write `* * * * 5-6,0-1`.".to_owned()),
        ("* * * * 5-0", "`5-0` in its day of week field at offset 8; it runs backwards: write `* * * * 5-7`.".to_owned()),
        ("0 22-4 * * *", "`22-4` in its hour field at offset 2; it runs backwards: write `0 22-23,0-4 * * *`.".to_owned()),
        ("1,,2 * * * *", "an empty item in its minute field at offset 2; write `1,2 * * * *`.".to_owned()),
        (",1 * * * *", "an empty item in its minute field at offset 0; write `1 * * * *`.".to_owned()),
        ("1, * * * *", "an empty item in its minute field at offset 2; write `1 * * * *`.".to_owned()),
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
    for malformed in ["MO", "MONDAY", "LW", "6L", "MON-FRIL", "1#", "#1", "W", "MON-", "SUN-SUNDAY"]
    {
        refusal(&format!("* * * * {malformed}"));
    }
}

#[test]
fn an_expression_has_at_most_a_thousand_bytes() {
    let minutes = |count: usize| format!("{} * * * *", vec!["1"; count].join(","));
    assert_eq!(minutes(496).len(), 999);
    schedule(&minutes(496));
    schedule(&(minutes(496) + " "));
    assert_eq!(refusal(&minutes(497)), "`expression` has 1001 bytes; at most 1000 are accepted.");
}

#[test]
fn an_expression_that_never_fires_is_detected_at_once() {
    let started = ThreadTime::now();
    for expression in ["0 0 30 2 *", "0 0 31 2 *", "* * 31 4,6,9,11 *", "0 0 30-31 FEB *"] {
        let schedule = schedule(expression);
        for from in [datetime!(2023-11-14 22:13:20), datetime!(0001-01-01 00:00)] {
            assert_eq!(schedule.after(from).next(), None);
            assert_eq!(schedule.before(from).next(), None);
            assert!(!schedule.matches(from));
        }
    }
    assert!(started.elapsed() < Duration::from_secs(1), "{:?}", started.elapsed());
}

#[test]
fn the_rarest_days_are_found() {
    // A 29 February on a Sunday: every 28 years, except for 40 around 2100, which is not a leap
    // year.
    assert_eq!(
        runs(&schedule("0 0 29 2 */7"), datetime!(2023-11-14 00:00 UTC), 4),
        [
            "2032-02-29T00:00:00Z",
            "2060-02-29T00:00:00Z",
            "2088-02-29T00:00:00Z",
            "2128-02-29T00:00:00Z"
        ]
    );
    let started = ThreadTime::now();
    let all = schedule("0 0 29 2 *").after(datetime!(2023-11-14 00:00)).count();
    // Every fourth year from 2024 on, except the centuries that 400 does not divide.
    assert_eq!(all, (9996 - 2024) / 4 + 1 - 60);
    assert!(started.elapsed().as_secs() < 2);
}

#[test]
fn the_search_ends_with_the_year_9999() {
    let last = datetime!(9999-12-31 23:58 UTC);
    assert_eq!(runs(&schedule("* * * * *"), last, 5), ["9999-12-31T23:59:00Z"]);
    assert_eq!(runs(&schedule("0 0 1 1 *"), last, 5), [""; 0]);
    let first = datetime!(0001-01-01 00:00 UTC);
    assert_eq!(runs(&schedule("0 0 * * *"), first, 1), ["0001-01-02T00:00:00Z"]);
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
    ) {
        let expression = format!("{minute} {hour} {day} {month} {weekday}");
        let schedule = Schedule::parse(&expression, &mut Warnings::new()).unwrap();
        let time = wall(OffsetDateTime::from_unix_timestamp(seconds).unwrap());
        let ahead: Vec<_> = schedule.after(time).take(5).collect();
        if let Some(last) = ahead.last() {
            let back: Vec<_> = schedule.before(*last).take(ahead.len() - 1).collect();
            let expected: Vec<_> = ahead.iter().rev().skip(1).copied().collect();
            proptest::prop_assert_eq!(back, expected);
            proptest::prop_assert!(ahead.iter().all(|run| *run > time && schedule.matches(*run)));
        }
        let before = schedule.before(time).next();
        proptest::prop_assert!(before.is_none_or(|run| run < time));
        if let Some(before) = before {
            let next = schedule.after(before).next();
            proptest::prop_assert!(next.is_none_or(|run| run >= time));
            proptest::prop_assert_eq!(schedule.matches(time), next == Some(time.truncate_to_minute()) || before == time.truncate_to_minute());
        }
    }
}
