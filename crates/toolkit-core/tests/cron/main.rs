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
mod zones;

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
    const FIELDS: &str = "Write five: minute, hour, day of month, month, day of week";
    for (expression, detail) in [
        ("", format!("is empty. {FIELDS}.")),
        (" \n", format!("is empty. {FIELDS}.")),
        ("*", format!("has 1 field. {FIELDS}.")),
        ("* * * *", format!("has 4 fields. {FIELDS}.")),
        (
            "@daily 5",
            "has fields after its alias. Write the alias or five fields, not both.".to_owned(),
        ),
        ("0 5 * * * w", format!("has 6 fields. {FIELDS}.")),
        ("0 0 13 ? * MON12345", format!("has 6 fields, as in Quartz or EventBridge. {FIELDS}.")),
        (
            "0 15 10 ? * 6L",
            format!(
                "has 6 fields, as in Quartz or EventBridge. {FIELDS}; `6L` is not in crontab(5)."
            ),
        ),
        (
            "0 0 12 ? * MON-FRI#2 2023-2030",
            format!(
                "has 7 fields, as in Quartz or EventBridge. {FIELDS}; `MON-FRI#2` is not in crontab(5)."
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
    const ONCE: &str =
        " Crontab has no seconds: this runs once, at the start of each matching minute.";
    const EVERY_YEAR: &str = " Crontab has no years: this runs in every year.";
    for (expression, places, written) in [
        ("0 0 18 * * MON-FRI", SECONDS, "0 18 * * MON-FRI"),
        ("00 0 18 * * 1", SECONDS, "0 18 * * 1"),
        ("0 8 1 * ? *", YEAR, "0 8 1 * *"),
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
        ("0 0 12 ? * Monday *", BOTH, "0 12 * * MON"),
    ] {
        let refused = refusal(expression);
        assert!(
            refused.ends_with(&format!(". Write five, {places}: `{written}`.")),
            "{expression}: {refused}"
        );
        let is_named = refused.contains("fields, as in Quartz or EventBridge.");
        assert_eq!(is_named, expression.contains('?'), "{refused}");
    }
    for (expression, written, lost) in [
        ("*/10 5 * * * *", "5 * * * *", ONCE.to_owned()),
        ("* * * * * *", "* * * * *", ONCE.to_owned()),
        ("30 0 9 * * *", "0 9 * * *", ONCE.to_owned()),
        ("*/5 0 12 ? * 2 2025", "0 12 * * MON", format!("{ONCE}{EVERY_YEAR}")),
        ("0 0 12 ? * Monday 2025", "0 12 * * MON", EVERY_YEAR.to_owned()),
        ("15 10 * * MON 2025-2027", "15 10 * * MON", EVERY_YEAR.to_owned()),
        ("cron(0 12 1 1 ? 2030)", "0 12 1 1 *", EVERY_YEAR.to_owned()),
    ] {
        let refused = refusal(expression);
        assert!(refused.ends_with(&format!("`{written}`.{lost}")), "{expression}: {refused}");
    }
}

#[test]
fn a_name_is_advised_only_if_it_is_the_only_one_near_and_begins_alike() {
    for (slip, name) in [("FRE", "FRI"), ("TUES", "TUE"), ("Wednsday", "WED"), ("th", "THU")] {
        let refused = refusal(&format!("0 9 * * {slip}"));
        assert!(refused.ends_with(&format!(": write `0 9 * * {name}`.")), "{slip}: {refused}");
    }
    for (slip, name) in [("sept", "SEP"), ("OKT", "OCT"), ("JUNI", "JUN"), ("Juli", "JUL")] {
        let refused = refusal(&format!("0 9 1 {slip} *"));
        assert!(refused.ends_with(&format!(": write `0 9 1 {name} *`.")), "{slip}: {refused}");
    }
    // Italian, Spanish, Dutch, German, French; and beginnings of two names.
    for slip in ["LUN", "DON", "ZON", "T", "S"] {
        let refused = refusal(&format!("0 9 * * {slip}"));
        assert!(refused.contains("It is not understood: days of"), "{slip}: {refused}");
    }
    // Still no command.
    for slip in ["LUN", "DON", "ZON"] {
        let refused = refusal(&format!("0 0 9 * * {slip}"));
        assert!(refused.contains("has 6 fields. Write five: minute"), "{slip}: {refused}");
    }
    for slip in ["MAI", "MAG", "MAJ", "LUG", "JU", "MA", "J"] {
        let refused = refusal(&format!("0 9 1 {slip} *"));
        assert!(refused.contains("It is not understood: months are"), "{slip}: {refused}");
    }
}

#[test]
fn a_letter_behind_a_number_is_left_out_unless_it_may_mean_something() {
    for (slip, written) in [
        ("0 9p * * *", "0 21 * * *"),
        ("0 9a-5PM * * *", "0 9-17 * * *"),
        ("0 12a,12pm * * *", "0 0,12 * * *"),
        ("0 9h * * *", "0 9 * * *"),
        ("0 9x 2d * *", "0 9 2 * *"),
        ("5m * * * *", "5 * * * *"),
    ] {
        let refused = refusal(slip);
        assert!(refused.ends_with(&format!(": write `{written}`.")), "{slip}: {refused}");
    }
    for slip in ["0 13p * * *", "0 0a * * *", "30s * * * *", "5h * * * *", "0 9 3a * *"] {
        let refused = refusal(slip);
        assert!(!refused.contains("write `"), "{slip}: {refused}");
    }
}

#[test]
fn a_space_inside_a_field_is_named_with_the_expression_without_it() {
    for (expression, what, written) in [
        ("0 8, 20 * * *", "list", "0 8,20 * * *"),
        ("0 8 ,20 * * *", "list", "0 8,20 * * *"),
        ("0 8 , 12 , 20 * * *", "list", "0 8,12,20 * * *"),
        ("*/ 5 * * * *", "step", "*/5 * * * *"),
        ("* /5 * * * *", "step", "*/5 * * * *"),
        ("0 9 - 17 * * 1-5", "range", "0 9-17 * * 1-5"),
        ("0 9 * * MON- FRI", "range", "0 9 * * MON-FRI"),
        ("0 9 * * 1, 3", "list", "0 9 * * 1,3"),
        ("0 8, 20 * * * /usr/bin/backup -v", "list", "0 8,20 * * *"),
        ("30 9 * * MON, WED # twice", "list", "30 9 * * MON,WED"),
    ] {
        let advice = format!("has a space inside a {what}. Write `{written}`.");
        assert_eq!(refusal(expression), format!("`expression` {advice}"), "{expression}");
    }
    // With the space left out, these have four fields or six.
    for expression in ["0 8, 20 * *", "0 0 8, 20 * * *", "0 8 - 17 * *"] {
        let refused = refusal(expression);
        assert!(!refused.contains("write `"), "{expression}: {refused}");
    }
}

#[test]
fn values_that_jenkins_would_choose_are_refused_with_the_expression_to_write() {
    for (expression, written) in [
        ("H/15 * * * *", "*/15 * * * *"),
        ("H H * * *", "0 0 * * *"),
        ("H 4 H * 1-5", "0 4 1 * 1-5"),
    ] {
        let refused = refusal(expression);
        assert!(refused.contains(&format!("write `{written}`")), "{refused}");
    }
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
    let around = |what| format!("Left out around the schedule: {what}.");
    let quotes = || around("quotes");
    for (line, warnings) in [
        ("0 6 * * 1   # Mondays 06:00 UTC", vec![follows("# Mondays 06:00 UTC")]),
        ("0 6 * * 1 // Mondays", vec![follows("// Mondays")]),
        ("'0 6 * * 1'", vec![quotes()]),
        ("\"0 6 * * 1\"", vec![quotes()]),
        ("`0 6 * * 1`", vec![quotes()]),
        ("“0 6 * * 1”", vec![quotes()]),
        ("'0 6 * * 1", vec![quotes()]),
        ("«0 6 * * 1»", vec![quotes()]),
        ("‚0 6 * * 1‘", vec![quotes()]),
        ("<0 6 * * 1>", vec![around("brackets")]),
        ("[0 6 * * 1]", vec![around("brackets")]),
        ("(\"0 6 * * 1\")", vec![around("brackets, quotes")]),
        ("\u{FEFF}0 6 * * 1", vec![around("a byte order mark")]),
        ("0 6 * * 1\u{200B}", vec![around("a zero-width space")]),
        ("0 6 * * 1,", vec![around("a comma or semicolon")]),
        ("'0 6 * * 1';", vec![around("a comma or semicolon, quotes")]),
        ("'0 6 * * 1' # Mondays", vec![quotes(), follows("# Mondays")]),
        ("\u{FEFF}0 6 * * 1 echo \"hi\"", vec![follows("echo \\\"hi\\\"")]),
        ("cron: «0 6 * * 1»", vec![precedes("cron: «")]),
        ("SCHEDULE='0 6 * * 1'", vec![precedes("SCHEDULE='")]),
        (
            "SHELL=/bin/sh\nMAILTO = ''\n0 6 * * 1",
            vec!["Settings of the commands were left out: `SHELL=/bin/sh MAILTO = ''`.".to_owned()],
        ),
        ("{\n  \"schedule\": \"0 6 * * 1\",\n}", vec![precedes("\\\"schedule\\\": \\\"")]),
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
    const FIELDS: &str = "Write five: minute, hour, day of month, month, day of week";
    const AMAZON: &str = "of Amazon EventBridge";
    for (line, detail) in [
        (
            "cron(0 18 ? * 2-6 *)",
            format!("is in the notation `cron(…)` {AMAZON}. Write `0 18 * * MON-FRI`."),
        ),
        ("cron(0 10 L * ? *)", format!("is in the notation `cron(…)` {AMAZON}. {FIELDS}.")),
        ("rate(5 minutes)", format!("is in the notation `rate(…)` {AMAZON}. Write `*/5 * * * *`.")),
        ("rate(1 day)", format!("is in the notation `rate(…)` {AMAZON}. Write `0 0 * * *`.")),
        ("rate(45 minutes)", format!("is in the notation `rate(…)` {AMAZON}. {FIELDS}.")),
        ("@every 1h", "is `@every 1h`, an interval. Write `0 * * * *`.".to_owned()),
        ("@every_minute", "is `@every_minute`, an interval. Write `* * * * *`.".to_owned()),
        ("every 6 hours", "is `every 6 hours`, an interval. Write `0 */6 * * *`.".to_owned()),
        ("# nightly", format!("is a comment alone. {FIELDS}.")),
        ("0 5 * * *\n0 6 * * *", "has 2 lines. Write one schedule per call.".to_owned()),
        ("@daily\n@hourly", "has 2 lines. Write one schedule per call.".to_owned()),
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
        "`expression` has no alias `@never`. Use one of @hourly, @daily, @midnight, @weekly, @monthly, @yearly, @annually."
    );
}

#[test]
fn a_refusal_names_field_item_place_and_what_is_accepted() {
    const DAYS: &str = "days of the week are 0-7 (0 and 7 are Sunday) or SUN-SAT";
    for (expression, detail) in [
        ("60 * * * *", "offset 0: `expression` has `60` in its minute field. It is out of range: minutes are 0-59.".to_owned()),
        ("* 24 * * *", "offset 2: `expression` has `24` in its hour field. It is out of range: hours are 0-23.".to_owned()),
        ("* * 0 * *", "offset 4: `expression` has `0` in its day of month field. It is out of range: days of the month are 1-31.".to_owned()),
        ("* * 1,32 * *", "offset 6: `expression` has `32` in its day of month field. It is out of range: days of the month are 1-31.".to_owned()),
        ("* * * 13 *", "offset 6: `expression` has `13` in its month field. It is out of range: months are 1-12 or JAN-DEC.".to_owned()),
        ("* * * 0 *", "offset 6: `expression` has `0` in its month field. It is out of range: months are 1-12 or JAN-DEC.".to_owned()),
        ("* * * * 8", format!("offset 8: `expression` has `8` in its day of week field. It is out of range: {DAYS}.")),
        ("5/10 * * * *", "offset 0: `expression` has `5/10` in its minute field. It has a step on a single value: write `5-59/10 * * * *`.".to_owned()),
        ("* * * * FRI-MON", "offset 8: `expression` has `FRI-MON` in its day of week field. It runs backwards: write `* * * * 5-6,0-1`.".to_owned()),
        ("* * * * 5-0", "offset 8: `expression` has `5-0` in its day of week field. It runs backwards: write `* * * * 5-7`.".to_owned()),
        ("0 22-4 * * *", "offset 2: `expression` has `22-4` in its hour field. It runs backwards: write `0 22-23,0-4 * * *`.".to_owned()),
        ("1,,2 * * * *", "offset 2: `expression` has an empty item in its minute field. Write `1,2 * * * *`.".to_owned()),
        (",1 * * * *", "offset 0: `expression` has an empty item in its minute field. Write `1 * * * *`.".to_owned()),
        ("1, * * * *", "offset 2: `expression` has an empty item in its minute field. Write `1 * * * *`.".to_owned()),
        ("*/0 * * * *", "offset 0: `expression` has `*/0` in its minute field. It has a step of 0: a step is at least 1.".to_owned()),
        ("*/x * * * *", "offset 0: `expression` has `*/x` in its minute field. It has no number as its step: write it like `*/5`.".to_owned()),
        ("* * * MON *", "offset 6: `expression` has `MON` in its month field. It is the name of a day of the week: months are 1-12 or JAN-DEC.".to_owned()),
        ("* * * * JAN", format!("offset 8: `expression` has `JAN` in its day of week field. It is the name of a month: {DAYS}.")),
        ("* * L * *", "offset 4: `expression` has `L` in its day of month field. It has `L` (the last day), which is not in crontab(5): days of the month are 1-31.".to_owned()),
        ("* * 15W * *", "offset 4: `expression` has `15W` in its day of month field. It has `W` (the nearest weekday), which is not in crontab(5): days of the month are 1-31.".to_owned()),
        ("* * * * FRI#2", format!("offset 8: `expression` has `FRI#2` in its day of week field. It has `#` (the nth weekday of a month), which is not in crontab(5): {DAYS}.")),
        ("* * * * é", format!("offset 8: `expression` has `é` in its day of week field. It is not understood: {DAYS}, `*`, ranges (1-5), steps (*/2) and lists (1,3) of them.")),
        ("é * * * *", "offset 0: `expression` has `é` in its minute field. It is not understood: minutes are 0-59, `*`, ranges (1-5), steps (*/2) and lists (1,3) of them.".to_owned()),
    ] {
        assert_eq!(refusal(expression), detail);
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
    assert_eq!(refusal(&minutes(497)), "`expression` has 1001 bytes. At most 1000 are accepted.");
}

#[test]
fn an_expression_that_never_fires_is_detected_at_once() {
    let started = ThreadTime::now();
    for expression in ["0 0 30 2 *", "0 0 31 2 *", "* * 31 4,6,9,11 *", "0 0 30-31 FEB *"] {
        let schedule = schedule(expression);
        for from in [datetime!(2023-11-14 22:13:20), datetime!(0001-01-01 00:00)] {
            assert_eq!(schedule.after(from).next(), None);
            assert!(!schedule.matches(from));
        }
    }
    assert!(started.elapsed() < Duration::from_secs(5), "{:?}", started.elapsed());
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
    assert!(started.elapsed().as_secs() < 20);
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
    fn runs_follow_each_other_and_none_is_between_them(
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
        let mut last = time;
        for run in schedule.after(time).take(5) {
            proptest::prop_assert!(run > last && schedule.matches(run));
            let earlier = run - Duration::from_secs(60);
            proptest::prop_assert!(earlier <= last || !schedule.matches(earlier));
            last = run;
        }
    }
}
