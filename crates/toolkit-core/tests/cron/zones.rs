//! Schedules of time zones against cron(8): questions answered by a minute-by-minute model of the loop of
//! Debian's cron with the zones of Python, and changes of clocks by hand.

use std::time::Duration;

use cpu_time::ThreadTime;
use time::UtcOffset;
use time::macros::datetime;
use toolkit_core::Warnings;
use toolkit_core::cron::Schedule;
use toolkit_core::timestamp::{to_iso8601, to_iso8601_with_offset};

use super::{moment, refusal, schedule};

/// The first runs after a time, with the offset of the zone.
fn local(line: &str, from: &str, count: usize) -> Vec<String> {
    let schedule = schedule(line);
    schedule.moments_after(moment(from)).take(count).map(to_iso8601_with_offset).collect()
}

#[test]
fn the_runs_are_those_of_cron() {
    let questions: Vec<[String; 3]> =
        serde_json::from_str(include_str!("../vectors/cron_zones.json")).unwrap();
    assert_eq!(questions.len(), 800);
    for [line, from, runs] in questions {
        let runs: Vec<_> = runs.split(' ').map(|run| run.replace('Z', ":00Z")).collect();
        let schedule = schedule(&line);
        let found = schedule.moments_after(moment(&from)).take(runs.len()).map(to_iso8601);
        assert_eq!(found.collect::<Vec<_>>(), runs, "{line} after {from}");
    }
}

#[test]
fn a_schedule_follows_the_clocks_of_its_zone() {
    for (line, from, runs) in [
        // Set forward from 02:00 to 03:00: right after the change, once.
        (
            "CRON_TZ=Europe/Berlin 30 2 * * *",
            "2024-03-30T12:00Z",
            ["2024-03-31T03:00:00+02:00", "2024-04-01T02:30:00+02:00"],
        ),
        (
            "CRON_TZ=Europe/Berlin 0,30 2,3 * * *",
            "2024-03-30T12:00Z",
            ["2024-03-31T03:00:00+02:00", "2024-03-31T03:30:00+02:00"],
        ),
        // Set back from 03:00 to 02:00: once, in the first of the two hours.
        (
            "CRON_TZ=Europe/Berlin 30 2 * * *",
            "2024-10-26T12:00Z",
            ["2024-10-27T02:30:00+02:00", "2024-10-28T02:30:00+01:00"],
        ),
        (
            "CRON_TZ=Europe/Berlin 30 2 * * *",
            "2024-10-27T01:00Z",
            ["2024-10-28T02:30:00+01:00", "2024-10-29T02:30:00+01:00"],
        ),
        // With `*` as minute or hour it follows the clock.
        (
            "CRON_TZ=Europe/Berlin 30 * * * *",
            "2024-10-27T00:00Z",
            ["2024-10-27T02:30:00+02:00", "2024-10-27T02:30:00+01:00"],
        ),
        (
            "CRON_TZ=Europe/Berlin */30 2 * * *",
            "2024-03-30T12:00Z",
            ["2024-04-01T02:00:00+02:00", "2024-04-01T02:30:00+02:00"],
        ),
        (
            "CRON_TZ=Asia/Beirut 30 * 26 10 *",
            "2024-10-26T20:00Z",
            ["2024-10-26T23:30:00+03:00", "2024-10-26T23:30:00+02:00"],
        ),
        // Half an hour, and a midnight that does not exist.
        (
            "CRON_TZ=Australia/Lord_Howe 15 2 * * *",
            "2024-10-05T00:00Z",
            ["2024-10-06T02:30:00+11:00", "2024-10-07T02:15:00+11:00"],
        ),
        (
            "CRON_TZ=America/Havana @daily",
            "2024-03-09T12:00Z",
            ["2024-03-10T01:00:00-04:00", "2024-03-11T00:00:00-04:00"],
        ),
        // A whole day is a correction: no run is made up for, or left out.
        (
            "CRON_TZ=Pacific/Apia 0 12 * * *",
            "2011-12-29T00:00Z",
            ["2011-12-29T12:00:00-10:00", "2011-12-31T12:00:00+14:00"],
        ),
        (
            "CRON_TZ=Pacific/Kwajalein 0 12 30 9 *",
            "1969-09-29T00:00Z",
            ["1969-09-30T12:00:00+11:00", "1969-09-30T12:00:00-12:00"],
        ),
    ] {
        assert_eq!(local(line, from, 2), runs, "{line} after {from}");
    }
    // A local mean time, with seconds.
    let schedule = schedule("CRON_TZ=Europe/Berlin 0 12 * * *");
    let runs = schedule.moments_after(moment("1890-01-01T00:00Z")).take(2).map(to_iso8601);
    let runs: Vec<_> = runs.collect();
    assert_eq!(runs, ["1890-01-01T11:06:32Z", "1890-01-02T11:06:32Z"]);
}

#[test]
fn a_zone_is_taken_before_and_after_the_fields() {
    for (line, zone, warnings) in [
        ("CRON_TZ=Europe/Paris 0 12 * * 5", "Europe/Paris", 0),
        ("TZ=europe/paris 0 12 * * 5", "Europe/Paris", 0),
        ("CRON_TZ=\"Europe/Paris\" 0 12 * * 5", "Europe/Paris", 0),
        ("CRON_TZ=Europe/Paris\n0 12 * * 5", "Europe/Paris", 0),
        ("0 12 * * 5 Europe/Paris", "Europe/Paris", 0),
        ("0 12 * * 5 [Europe/Paris]", "Europe/Paris", 0),
        ("0 12 * * 5 (Europe/Paris)", "Europe/Paris", 0),
        ("0 12 * * 5 US/Eastern", "US/Eastern", 0),
        ("0 12 * * 5 UTC", "UTC", 0),
        ("0 12 * * 5 [Japan]", "Japan", 0),
        ("@daily Asia/Tokyo", "Asia/Tokyo", 0),
        ("CRON_TZ=Asia/Tokyo @daily", "Asia/Tokyo", 0),
        ("CRON_TZ=Asia/Tokyo @daily [asia/tokyo]", "Asia/Tokyo", 0),
        ("CRON_TZ=+02:00 @daily", "+02:00", 0),
        ("0 12 * * 5 +02:00", "+02:00", 0),
        ("0 12 * * 5 -0330 # Newfoundland", "-03:30", 1),
        ("0 12 * * 5 utc", "UTC", 0),
        ("0 12 * * 5 Z", "UTC", 0),
        ("0 12 * * 5 (UTC+2)", "+02:00", 0),
        ("0 12 * * 5 gmt-5", "-05:00", 0),
        ("0 12 * * 5 in Europe/Paris", "Europe/Paris", 0),
        ("0 12 * * 5 CET", "CET", 0),
        ("\"TZ=Asia/Tokyo 0 5 * * *\"", "Asia/Tokyo", 1),
        ("- cron: 'CRON_TZ=Asia/Tokyo 0 5 * * *'", "Asia/Tokyo", 1),
        ("cron: '0 5 * * *', timezone: 'Asia/Tokyo'", "Asia/Tokyo", 2),
        ("0 5 * * * Asia/Tokyo /usr/bin/backup", "Asia/Tokyo", 1),
        ("{'tz': 'Asia/Tokyo', 'cron': '0 5 * * *'}", "Asia/Tokyo", 1),
        ("cron('0 5 * * *', tz='Etc/GMT-5')", "Etc/GMT-5", 2),
        ("cron('0 5 * * *', tz='America/Port-au-Prince')", "America/Port-au-Prince", 2),
        ("TZ=UTC\n0 12 * * 5", "UTC", 1),
        ("CRON_TZ=Asia/Tokyo\nMAILTO=root\n0 9 * * *", "Asia/Tokyo", 1),
        ("MAILTO=root\nCRON_TZ=Asia/Tokyo # all\n\n# m h\n0 9 * * * x", "Asia/Tokyo", 2),
        ("schedule: '0 9 * * *'\ntimeZone: \"Asia/Tokyo\"", "Asia/Tokyo", 1),
        ("- cron: '0 9 * * *'\n  timezone: 'Asia/Tokyo'", "Asia/Tokyo", 1),
        ("- timezone: Asia/Tokyo\n  cron: '0 9 * * *'", "Asia/Tokyo", 1),
        ("on:\n  schedule:\n  - cron: 0 9 * * *\n    timezone: Asia/Tokyo", "Asia/Tokyo", 1),
        ("{\n \"cron\": \"0 9 * * *\",\n \"timeZone\": \"Asia/Tokyo\"\n}", "Asia/Tokyo", 1),
        ("schedule = \"0 9 * * *\"\ntime_zone = \"Asia/Tokyo\"", "Asia/Tokyo", 1),
        ("```\ncron: 0 9 * * *\ntz: Asia/Tokyo\n```", "Asia/Tokyo", 2),
        ("0 9 * * *\nScheduleExpressionTimezone: Asia/Tokyo", "Asia/Tokyo", 0),
        ("\u{FEFF}CRON_TZ=Asia/Tokyo\n0 9 * * * echo 'x'", "Asia/Tokyo", 1),
        ("CRON_TZ=Asia/Tokyo\n0\n9\n*\n*\n*", "Asia/Tokyo", 0),
        ("(CRON_TZ=Asia/Tokyo 0 9 * * *)", "Asia/Tokyo", 1),
    ] {
        let mut found = Warnings::new();
        let schedule = Schedule::parse(line, &mut found).unwrap_or_else(|e| panic!("{line}: {e}"));
        assert_eq!(schedule.zone(), Some(zone), "{line}");
        assert_eq!(found.sentences().len(), warnings, "{line}: {:?}", found.sentences());
        assert!(!schedule.expression().contains(zone));
        assert_eq!(schedule.to_string().parse(), Ok(schedule));
    }
    for line in ["0 12 * * 5", "0 12 * * 5 TEST", "0 12 * * 5 /bin/x +0200"] {
        let found = Schedule::parse(line, &mut Warnings::new());
        assert_eq!(found.map(|schedule| schedule.zone().is_some()), Ok(false), "{line}");
    }
}

#[test]
fn a_zone_that_is_unknown_or_not_the_only_one_is_refused() {
    for (line, detail) in [
        (
            "CRON_TZ=Europe/Pariss 0 12 * * 5",
            "offset 8: `expression` has the unknown time zone `Europe/Pariss`. Zones are named as in",
        ),
        (
            "0 12 * * 5 Europe/Pariss",
            "offset 11: `expression` has the unknown time zone `Europe/Pariss`",
        ),
        (
            "CRON_TZ=Paris 0 12 * * 5",
            "offset 8: `expression` has the unknown time zone `Paris`. Write `Europe/Paris`.",
        ),
        (
            "0 12 * * 5 in Paris",
            "offset 14: `expression` has the unknown time zone `Paris`. Write `Europe/Paris`.",
        ),
        (
            "0 12 * * 5 PST",
            "offset 11: `expression` has the ambiguous time zone `PST`. Write the offset `-08:00`, or",
        ),
        ("CRON_TZ= 0 12 * * 5", "offset 8: `expression` has the unknown time zone ``"),
        (
            "CRON_TZ=UTC 0 12 * * 5 Europe/Paris",
            "`expression` names two time zones, `UTC` and `Europe/Paris`. Leave one of them out.",
        ),
        ("CRON_TZ=UTC", "`expression` is empty. Write five"),
        ("CRON_TZ=UTC 0 12 * *", "`expression` has 4 fields. Write five"),
        (
            "CRON_TZ=UTC\ntimezone: Asia/Tokyo\n@daily",
            "`expression` names two time zones, `UTC` and `Asia/Tokyo`. Leave one",
        ),
        (
            "{'tz': 'Asia/Tokyo', 'cron': '@daily', 'to': 'Europe/Paris'}",
            "`expression` names two time zones, `Asia/Tokyo` and `Europe/Paris`. Leave one",
        ),
        ("timezone: Asia/Tokio\n@daily", "offset 10: `expression` has the unknown time zone"),
        (
            "timezone: {{ zone }}\n0 9 * * *",
            "`expression` has 2 lines. Write one schedule per call.",
        ),
        (
            "@daily\n@hourly\ntz: UTC",
            "`expression` has 2 lines. Write one schedule per call, with `CRON_TZ=UTC` in front.",
        ),
        (
            "a: '0 9 * * *'\ntz: UTC\nb: '0 9 * * *'\ntz: Z",
            "`expression` has 2 lines. Write one schedule per call.",
        ),
    ] {
        let refused = refusal(line);
        assert!(refused.starts_with(detail), "{line}: {refused}");
    }
}

#[test]
fn an_advice_keeps_the_zone_of_the_line() {
    for (line, advice) in [
        ("0 9 * * FRI-MON Europe/Berlin", ": write `CRON_TZ=Europe/Berlin 0 9 * * 5-6,0-1`."),
        ("CRON_TZ=europe/paris 0 8, 20 * * *", ". Write `CRON_TZ=Europe/Paris 0 8,20 * * *`."),
        ("0 8, 20 * * * Europe/Paris", ". Write `CRON_TZ=Europe/Paris 0 8,20 * * *`."),
        ("0 9 * * *, Europe/Berlin", ". Write `CRON_TZ=Europe/Berlin 0 9 * * *`."),
        ("0 0 12 * * ? in Europe/Berlin", " in front: `CRON_TZ=Europe/Berlin 0 12 * * *`."),
        ("0 0 12 * * Monday in UTC", " in front: `CRON_TZ=UTC 0 12 * * MON`."),
        ("0 0 12 * * Monday +02:00", " in front: `CRON_TZ=+02:00 0 12 * * MON`."),
        ("0 0 12 * * 1-5 WET", " in front: `CRON_TZ=WET 0 12 * * 1-5`."),
        ("\"cron(0 12 * * ? *)\", Asia/Tokyo", ". Write `CRON_TZ=Asia/Tokyo 0 12 * * *`."),
        ("TZ=Asia/Tokyo @every 2h", ". Write `CRON_TZ=Asia/Tokyo 0 */2 * * *`."),
        ("TZ=Asia/Tokyo\nH 8 * * *", ": write `CRON_TZ=Asia/Tokyo 0 8 * * *`."),
        ("TZ=Asia/Tokyo @nightly", ", @annually, after `CRON_TZ=Asia/Tokyo`."),
    ] {
        let refused = refusal(line);
        assert!(refused.ends_with(advice), "{line}: {refused}");
    }
}

#[test]
fn without_a_zone_the_moments_are_the_times_in_utc() {
    let schedule = schedule("*/7 2 * * *");
    let from = datetime!(2024-03-30 23:00 -5);
    let runs: Vec<_> = schedule.moments_after(from).take(20).collect();
    let utc = from.to_offset(UtcOffset::UTC);
    let times = schedule.after(super::wall(utc)).take(20);
    assert_eq!(runs, times.map(time::PlainDateTime::assume_utc).collect::<Vec<_>>());
}

#[test]
fn a_search_over_centuries_with_a_zone_is_short() {
    let started = ThreadTime::now();
    for fields in ["0 0 30 2 *", "* * 31 4,6,9,11 *"] {
        let schedule = schedule(&format!("CRON_TZ=Europe/Paris {fields}"));
        assert_eq!(schedule.moments_after(datetime!(2023-11-14 22:13:20 UTC)).next(), None);
    }
    for fields in ["0 12 29 2 */7", "*/30 12 29 2 */7"] {
        let runs = local(&format!("CRON_TZ=Europe/Paris {fields}"), "2023-11-14T00:00Z", 50);
        assert_eq!(runs.len(), 50, "{fields}");
    }
    // The hour that the clocks skip, each year: it is looked for in 400 of them.
    for from in [datetime!(1996-01-01 0:00 UTC); 10] {
        let schedule = schedule("CRON_TZ=Europe/Berlin */10 2 25-31 3 */7");
        assert_eq!(schedule.moments_after(from).next(), None);
    }
    assert!(started.elapsed() < Duration::from_secs(5), "{:?}", started.elapsed());
    let last = datetime!(9999-12-30 12:00 UTC);
    assert!(schedule("CRON_TZ=Asia/Tokyo 0 * * * *").moments_after(last).count() < 40);
}
