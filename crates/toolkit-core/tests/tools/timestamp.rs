//! Timestamps against POSIX, ISO 8601, RFC 3339 and RFC 2822, through `timestamp-converter`.

mod refusals;

use proptest::prelude::*;
use serde_json::{Value as Json, json};
use time::OffsetDateTime;
use toolkit_core::timestamp::{Notation, Unit, parse, relative, to_iso8601, to_rfc2822};
use toolkit_core::{Warnings, registry, schema};

use crate::support::call;

fn convert(value: impl Into<Json>) -> Result<Json, String> {
    call("timestamp-converter", &json!({"value": value.into()}))
}

#[test]
fn the_facts_of_a_moment_are_those_of_the_standards() {
    let vectors: Vec<Json> =
        serde_json::from_str(include_str!("../vectors/timestamp.json")).unwrap();
    for mut vector in vectors {
        let members = vector.as_object_mut().unwrap();
        let source = members.remove("source").unwrap();
        let given = members.remove("given").unwrap();
        let unit = members.remove("unit").unwrap_or(Json::Null);
        let warnings = members.remove("warnings").unwrap();
        let mut answer = call("unix_timestamp", &json!({"value": given, "unit": unit}))
            .unwrap_or_else(|refusal| panic!("{source}, {given}: {refusal}"));
        let result = answer["result"].as_object_mut().unwrap();
        assert!(result.remove("relative").is_some_and(|words| words.is_string()));
        assert_eq!(answer["result"], vector, "{source}, {given}");
        assert_eq!(answer["warnings"], warnings, "{source}, {given}");
        assert_eq!(answer["type"], "timestamp");
        assert_eq!(answer["count"], Json::Null);
    }
}

#[test]
fn a_json_number_means_what_its_digits_say() {
    for (value, iso, detected) in [
        (json!(1_700_000_000), "2023-11-14T22:13:20Z", "seconds"),
        (json!(-1), "1969-12-31T23:59:59Z", "seconds"),
        (json!(1_700_000_000.5), "2023-11-14T22:13:20.5Z", "seconds"),
        (json!(0.1), "1970-01-01T00:00:00.1Z", "seconds"),
        (json!(-0.0), "1970-01-01T00:00:00Z", "seconds"),
        (json!(1e9), "2001-09-09T01:46:40Z", "seconds"),
        (json!(1_700_000_000_123_i64), "2023-11-14T22:13:20.123Z", "milliseconds"),
        (json!(1_700_000_000_123.25), "2023-11-14T22:13:20.12325Z", "milliseconds"),
        (json!(1_700_000_000_123_456_789_i64), "2023-11-14T22:13:20.123456789Z", "nanoseconds"),
        (json!(u64::MAX), "2554-07-21T23:34:33.709551615Z", "nanoseconds"),
        (json!(i64::MIN), "1677-09-21T00:12:43.145224192Z", "nanoseconds"),
        (json!(1e20), "5138-11-16T09:46:40Z", "nanoseconds"),
    ] {
        let answer = convert(value.clone()).unwrap();
        assert_eq!(answer["result"]["iso"], iso, "{value}");
        assert_eq!(answer["result"]["detected"], detected, "{value}");
        assert_eq!(answer["warnings"], json!([]), "{value}");
        let number = value.as_f64().filter(|_| value.is_f64());
        let text = number.map_or_else(|| value.to_string(), |number| number.to_string());
        assert_eq!(convert(text), Ok(answer));
    }
}

#[test]
fn nothing_means_now() {
    for input in [json!({}), json!({"value": null}), json!({"unit": null}), json!({"unit": "auto"})]
    {
        let answer = call("unix_timestamp", &input).unwrap();
        assert_eq!(answer["result"]["detected"], "now");
        assert_eq!(answer["result"]["unix_seconds"], 1_700_000_000);
        assert_eq!(answer["result"]["relative"], "now");
        assert_eq!(answer["warnings"], json!([]));
    }
    let answer = call("timestamp-converter", &json!({"unit": "s"})).unwrap();
    let warning = "`unit` is for numbers; the current time has no use for it.";
    assert_eq!(answer["warnings"], json!([warning]));
}

#[test]
fn other_forms_are_taken_with_what_was_assumed() {
    const NO_OFFSET: &str = "No offset from UTC is given; UTC is assumed.";
    const YEAR: &str = "The year is not of four digits; it is taken as 2023 (RFC 2822 §4.3).";
    for (value, detected, warnings) in [
        ("@1700000000", "seconds", vec![]),
        ("1700000000s", "seconds", vec![]),
        ("1700000000000 ms", "milliseconds", vec![]),
        ("1.7e15us", "microseconds", vec![]),
        ("1700000000000000000ns", "nanoseconds", vec![]),
        ("Tue Nov 14 22:13:20 2023", "rfc2822", vec![NO_OFFSET]),
        ("tue nov 14 17:13:20 EST 2023", "rfc2822", vec![]),
        ("14/Nov/2023:23:13:20 +0100", "rfc2822", vec![]),
        ("Tuesday, 14-Nov-23 22:13:20 GMT", "rfc2822", vec![YEAR]),
        ("14-Nov-2023 22:13:20 +0000", "rfc2822", vec![]),
    ] {
        let answer = convert(value).unwrap();
        assert_eq!(answer["result"]["iso"], "2023-11-14T22:13:20Z", "{value}");
        assert_eq!(answer["result"]["detected"], detected, "{value}");
        assert_eq!(answer["warnings"], json!(warnings), "{value}");
    }
    for value in ["now", " NOW ", "now UTC"] {
        let answer = convert(value).unwrap();
        assert_eq!(answer["result"]["detected"], "now");
        assert_eq!(answer["result"]["unix_seconds"], 1_700_000_000);
    }
    let input = json!({"value": "1700000000s", "unit": "ms"});
    let answer = call("timestamp-converter", &input).unwrap();
    assert_eq!(answer["result"]["unix_seconds"], 1_700_000_000);
    let warning = "`unit` has no effect: the number is written with its unit.";
    assert_eq!(answer["warnings"], json!([warning]));
}

#[test]
fn dates_as_people_and_programs_write_them_are_taken() {
    const NO_OFFSET: &str = "No offset from UTC is given; UTC is assumed.";
    const NO_CLOCK: &str = "No time of day is given; 00:00:00 is assumed.";
    let left_out = |text| format!("What follows the offset was left out: `{text}`.");
    for (value, iso, warnings) in [
        ("15 Jan 2024", "2024-01-15T00:00:00Z", vec![NO_CLOCK, NO_OFFSET]),
        ("Mon, 15 Jan 2024", "2024-01-15T00:00:00Z", vec![NO_CLOCK, NO_OFFSET]),
        ("6 July 2024 12:00 GMT", "2024-07-06T12:00:00Z", vec![]),
        ("Monday, 25 Sept 2017 5:30:00 PDT", "2017-09-25T12:30:00Z", vec![]),
        ("25 September 2017 1:30 +0000", "2017-09-25T01:30:00Z", vec![]),
        ("July 6, 2024", "2024-07-06T00:00:00Z", vec![NO_CLOCK, NO_OFFSET]),
        ("Jan 2, 2006 3:04 PM", "2006-01-02T15:04:00Z", vec![NO_OFFSET]),
        ("Jan 2, 2006, 12:04:05 am UTC", "2006-01-02T00:04:05Z", vec![]),
        // Git, date(1) and JavaScript.
        ("Mon Jan 15 12:00:00 2024 +0100", "2024-01-15T11:00:00Z", vec![]),
        ("Mon Jan 15 12:00:00 AM UTC 2024", "2024-01-15T00:00:00Z", vec![]),
        (
            "Wed Jul 01 2026 12:00:00 GMT+0200 (Central European Summer Time)",
            "2026-07-01T10:00:00Z",
            vec![],
        ),
        ("2026-07-01 12:00:00 GMT+0200", "2026-07-01T10:00:00Z", vec![]),
        ("2026-07-01T12:00:00 UTC+02:00", "2026-07-01T10:00:00Z", vec![]),
        ("2024-01-15Z", "2024-01-15T00:00:00Z", vec![NO_CLOCK]),
    ] {
        let answer = convert(value).unwrap_or_else(|refusal| panic!("{value}: {refusal}"));
        assert_eq!(answer["result"]["iso"], iso, "{value}");
        assert_eq!(answer["warnings"], json!(warnings), "{value}");
    }
    // Go.
    for (value, iso, rest) in [
        (
            "2009-11-10 23:00:00 +0000 UTC m=+0.000000001",
            "2009-11-10T23:00:00Z",
            "UTC m=+0.000000001",
        ),
        ("2024-01-15 12:00:00.5 +0100 CET", "2024-01-15T11:00:00.5Z", "CET"),
        ("2024-01-15 12:00:00 -0300 -03", "2024-01-15T15:00:00Z", "-03"),
        ("Fri, 24 Jul 2020 19:28:51 +0000 UTC", "2020-07-24T19:28:51Z", "UTC"),
        ("24 Jul 2020 19:28 +0200 CEST", "2020-07-24T17:28:00Z", "CEST"),
    ] {
        let answer = convert(value).unwrap_or_else(|refusal| panic!("{value}: {refusal}"));
        assert_eq!(answer["result"]["iso"], iso, "{value}");
        assert_eq!(answer["warnings"], json!([left_out(rest)]), "{value}");
    }
}

#[test]
fn a_time_zone_gives_the_moment_and_the_local_time() {
    for (value, iso, zone, local) in [
        (
            "2026-07-01T12:00:00[Europe/Berlin]",
            "2026-07-01T10:00:00Z",
            "Europe/Berlin",
            "2026-07-01T12:00:00+02:00",
        ),
        (
            "2026-07-01T12:00+02:00[Europe/Berlin]",
            "2026-07-01T10:00:00Z",
            "Europe/Berlin",
            "2026-07-01T12:00:00+02:00",
        ),
        (
            "2026-07-01T12:00Z[Europe/Berlin]",
            "2026-07-01T12:00:00Z",
            "Europe/Berlin",
            "2026-07-01T14:00:00+02:00",
        ),
        (
            "2026-07-01T12:00:00.5-05:00[America/Bogota][u-ca=gregory]",
            "2026-07-01T17:00:00.5Z",
            "America/Bogota",
            "2026-07-01T12:00:00.5-05:00",
        ),
        (
            "2026-01-01 12:00 europe/berlin",
            "2026-01-01T11:00:00Z",
            "Europe/Berlin",
            "2026-01-01T12:00:00+01:00",
        ),
        ("2026-07-01T12:00Z[UTC]", "2026-07-01T12:00:00Z", "UTC", "2026-07-01T12:00:00+00:00"),
        ("2026-07-01T12:00[+05:30]", "2026-07-01T06:30:00Z", "+05:30", "2026-07-01T12:00:00+05:30"),
        (
            "1 July 2026 12:00 Asia/Kolkata",
            "2026-07-01T06:30:00Z",
            "Asia/Kolkata",
            "2026-07-01T12:00:00+05:30",
        ),
        (
            "1 Jul 2026 12:00:00 EDT America/New_York",
            "2026-07-01T16:00:00Z",
            "America/New_York",
            "2026-07-01T12:00:00-04:00",
        ),
        ("2026-07-01 12:00 Japan", "2026-07-01T03:00:00Z", "Japan", "2026-07-01T12:00:00+09:00"),
        (
            "1700000000 Asia/Tokyo",
            "2023-11-14T22:13:20Z",
            "Asia/Tokyo",
            "2023-11-15T07:13:20+09:00",
        ),
        (" now   Asia/Tokyo ", "2023-11-14T22:13:20Z", "Asia/Tokyo", "2023-11-15T07:13:20+09:00"),
        (
            "NOW[Europe/London]",
            "2023-11-14T22:13:20Z",
            "Europe/London",
            "2023-11-14T22:13:20+00:00",
        ),
        // Before 1893 Berlin had its mean local time.
        (
            "1890-01-01T00:00:00+00:53[Europe/Berlin]",
            "1889-12-31T23:07:00Z",
            "Europe/Berlin",
            "1890-01-01T00:00:28+00:53:28",
        ),
    ] {
        let answer = convert(value).unwrap_or_else(|refusal| panic!("{value}: {refusal}"));
        let result = &answer["result"];
        assert_eq!(result["iso"], iso, "{value}");
        assert_eq!((&result["zone"], &result["local"]), (&json!(zone), &json!(local)), "{value}");
        assert_eq!(answer["warnings"], json!([]), "{value}");
    }
    let result = &convert("2026-07-01T12:00:00+02:00").unwrap()["result"];
    assert_eq!((result.get("zone"), result.get("local")), (None, None));
}

#[test]
fn the_place_of_a_time_follows_it_in_any_form() {
    const NOW: &str = "2023-11-14T22:13:20Z";
    const NO_OFFSET: &str = "No offset from UTC is given; UTC is assumed.";
    for (value, iso, local, warnings) in [
        ("now GMT", NOW, None, vec![]),
        ("now Z", NOW, None, vec![]),
        ("now, UTC", NOW, None, vec![]),
        ("UTC", NOW, None, vec![]),
        ("now +02:00", NOW, Some("2023-11-15T00:13:20+02:00"), vec![]),
        ("now -0330", NOW, Some("2023-11-14T18:43:20-03:30"), vec![]),
        ("now UTC+2", NOW, Some("2023-11-15T00:13:20+02:00"), vec![]),
        ("now in Asia/Tokyo", NOW, Some("2023-11-15T07:13:20+09:00"), vec![]),
        ("now to Asia/Tokyo", NOW, Some("2023-11-15T07:13:20+09:00"), vec![]),
        ("now (Asia/Tokyo)", NOW, Some("2023-11-15T07:13:20+09:00"), vec![]),
        ("Asia/Tokyo", NOW, Some("2023-11-15T07:13:20+09:00"), vec![]),
        ("in asia/tokyo", NOW, Some("2023-11-15T07:13:20+09:00"), vec![]),
        ("+09:00", NOW, Some("2023-11-15T07:13:20+09:00"), vec![]),
        ("1700000000 UTC", NOW, None, vec![]),
        ("1700000000000 ms GMT", NOW, None, vec![]),
        ("1700000000 to Asia/Tokyo", NOW, Some("2023-11-15T07:13:20+09:00"), vec![]),
        ("1700000000, Asia/Tokyo", NOW, Some("2023-11-15T07:13:20+09:00"), vec![]),
        ("2023-11-14T22:13:20Z UTC", NOW, None, vec![]),
        ("2023-11-14T22:13:20Z to Asia/Tokyo", NOW, Some("2023-11-15T07:13:20+09:00"), vec![]),
        ("2023-11-14T22:13:20Z (Asia/Tokyo)", NOW, Some("2023-11-15T07:13:20+09:00"), vec![]),
        ("2023-11-14 22:13:20, UTC", NOW, None, vec![]),
        ("2023-11-14 22:13:20 (UTC)", NOW, None, vec![]),
        ("2023-11-14 10:13:20 PM", NOW, None, vec![NO_OFFSET]),
        ("2023-11-14 10:13:20PM UTC", NOW, None, vec![]),
        ("2023-11-14T10:13:20 pm +00:00", NOW, None, vec![]),
        ("2024-01-15 9:30 AM", "2024-01-15T09:30:00Z", None, vec![NO_OFFSET]),
        (
            "2024-01-15 10:30 PM America/New_York",
            "2024-01-16T03:30:00Z",
            Some("2024-01-15T22:30:00-05:00"),
            vec![],
        ),
        // `in` places a time without an offset; `to` and `in` show any other there.
        (
            "2024-01-15 10:30 in Asia/Tokyo",
            "2024-01-15T01:30:00Z",
            Some("2024-01-15T10:30:00+09:00"),
            vec![],
        ),
        (
            "2024-01-15 10:30 to Asia/Tokyo",
            "2024-01-15T10:30:00Z",
            Some("2024-01-15T19:30:00+09:00"),
            vec![NO_OFFSET],
        ),
        (
            "2024-01-15T10:30+02:00 to Asia/Tokyo",
            "2024-01-15T08:30:00Z",
            Some("2024-01-15T17:30:00+09:00"),
            vec![],
        ),
        (
            "2024-01-15 10:30 America/New_York to Asia/Tokyo",
            "2024-01-15T15:30:00Z",
            Some("2024-01-16T00:30:00+09:00"),
            vec![],
        ),
        (
            "2024-01-15 10:30 UTC in Asia/Tokyo",
            "2024-01-15T10:30:00Z",
            Some("2024-01-15T19:30:00+09:00"),
            vec![],
        ),
        (
            "Mon, 15 Jan 2024 10:30:00 +0000 (Asia/Tokyo)",
            "2024-01-15T10:30:00Z",
            Some("2024-01-15T19:30:00+09:00"),
            vec![],
        ),
        ("2024/12/25 10:00:00", "2024-12-25T10:00:00Z", None, vec![NO_OFFSET]),
        ("2024/12/25 10:00:00 UTC", "2024-12-25T10:00:00Z", None, vec![]),
        ("2024.12.25 10:00:00 +0100", "2024-12-25T09:00:00Z", None, vec![]),
        (
            "2024.12.25",
            "2024-12-25T00:00:00Z",
            None,
            vec!["No time of day is given; 00:00:00 is assumed.", NO_OFFSET],
        ),
    ] {
        let answer = convert(value).unwrap_or_else(|refusal| panic!("{value}: {refusal}"));
        let result = &answer["result"];
        assert_eq!(result["iso"], iso, "{value}");
        assert_eq!(result.get("local").and_then(Json::as_str), local, "{value}");
        assert_eq!(result.get("zone").is_some(), local.is_some(), "{value}");
        assert_eq!(answer["warnings"], json!(warnings), "{value}");
    }
    // Digits are what they were, whatever follows them.
    for (value, iso) in [
        ("20231114 UTC", "2023-11-14T00:00:00Z"),
        ("+0200", "1970-01-01T00:03:20Z"),
        ("-03", "1969-12-31T23:59:57Z"),
    ] {
        assert_eq!(convert(value).unwrap()["result"]["iso"], iso, "{value}");
    }
}

#[test]
fn halves_of_the_day_and_short_names_of_zones_are_read_as_people_write_them() {
    const NO_OFFSET: &str = "No offset from UTC is given; UTC is assumed.";
    const LEAP: &str =
        "Unix time has no leap seconds: the second 60 is counted as the one after it.";
    for (value, iso, local, warnings) in [
        ("2024-01-15 10:30 p.m.", "2024-01-15T22:30:00Z", None, vec![NO_OFFSET]),
        ("2024-01-15 12:30 a.m", "2024-01-15T00:30:00Z", None, vec![NO_OFFSET]),
        ("2024-01-15 10:30:00.5 PM", "2024-01-15T22:30:00.5Z", None, vec![NO_OFFSET]),
        ("2016-12-31 11:59:60 PM UTC", "2017-01-01T00:00:00Z", None, vec![LEAP]),
        ("15 Jan 2024 10:30 P.M. UTC", "2024-01-15T22:30:00Z", None, vec![]),
        ("now Cuba", "2023-11-14T22:13:20Z", Some("2023-11-14T17:13:20-05:00"), vec![]),
        (
            "2024-07-15 10:30 Eire",
            "2024-07-15T09:30:00Z",
            Some("2024-07-15T10:30:00+01:00"),
            vec![],
        ),
        (
            "Mon Jan 15 10:30:00 2024 Europe/Berlin",
            "2024-01-15T09:30:00Z",
            Some("2024-01-15T10:30:00+01:00"),
            vec![],
        ),
    ] {
        let answer = convert(value).unwrap_or_else(|refusal| panic!("{value}: {refusal}"));
        assert_eq!(answer["result"]["iso"], iso, "{value}");
        assert_eq!(answer["result"].get("local").and_then(Json::as_str), local, "{value}");
        assert_eq!(answer["warnings"], json!(warnings), "{value}");
    }
}

#[test]
fn the_place_of_a_time_is_taken_as_an_input_of_its_own() {
    for (name, value, iso, local) in [
        ("timezone", json!(null), "2023-11-14T22:13:20Z", "2023-11-15T07:13:20+09:00"),
        ("tz", json!("now"), "2023-11-14T22:13:20Z", "2023-11-15T07:13:20+09:00"),
        ("to", json!(1_700_000_000), "2023-11-14T22:13:20Z", "2023-11-15T07:13:20+09:00"),
        ("tz", json!("2024-01-15 10:30"), "2024-01-15T01:30:00Z", "2024-01-15T10:30:00+09:00"),
        ("to", json!("2024-01-15 10:30"), "2024-01-15T10:30:00Z", "2024-01-15T19:30:00+09:00"),
        (
            "to",
            json!("2024-01-15T10:30+02:00"),
            "2024-01-15T08:30:00Z",
            "2024-01-15T17:30:00+09:00",
        ),
        ("tz", json!("2024-01-15T10:30Z"), "2024-01-15T10:30:00Z", "2024-01-15T19:30:00+09:00"),
    ] {
        for tool in ["timestamp-converter", "unix_timestamp"] {
            let answer = call(tool, &json!({"value": value, name: "Asia/Tokyo"})).unwrap();
            assert_eq!(answer["result"]["iso"], iso, "{name}: {value}");
            assert_eq!(answer["result"]["local"], local, "{name}: {value}");
            assert_eq!(answer["result"]["zone"], "Asia/Tokyo");
        }
    }
    for timezone in ["timezone", "tz"] {
        let input =
            json!({"value": "2024-01-15 10:00", timezone: "Europe/Berlin", "to": "Asia/Tokyo"});
        let answer = call("unix_timestamp", &input).unwrap();
        assert_eq!(answer["result"]["iso"], "2024-01-15T09:00:00Z");
        assert_eq!(answer["result"]["local"], "2024-01-15T18:00:00+09:00");
        assert_eq!(answer["warnings"], json!([]));
    }
    let quoted = call("unix_timestamp", &json!({"timezone": "\"Europe/Berlin\""})).unwrap();
    assert_eq!(quoted["result"]["zone"], "Europe/Berlin");
    assert_eq!(quoted["warnings"], json!(["Left out around the time zone: quotes."]));
    let utc = call("unix_timestamp", &json!({"value": "now", "timezone": "UTC"})).unwrap();
    assert_eq!((utc["result"].get("zone"), &utc["warnings"]), (None, &json!([])));
    for (input, refusal) in [
        (
            json!({"value": "2024-01-15T10:30+02:00", "timezone": "Asia/Tokyo"}),
            "`value` has an offset that `Asia/Tokyo` does not have then. Leave one of them out; it is \
             2024-01-15T17:30:00+09:00 there.",
        ),
        (
            json!({"value": "now Europe/Paris", "tz": "Asia/Tokyo"}),
            "`value` has an offset that `Asia/Tokyo` does not have then. Leave one",
        ),
        (
            json!({"value": "2024-01-15T10:30+02:00", "tz": "UTC"}),
            "`value` has an offset that `UTC` does not have then. Leave one",
        ),
        (
            json!({"timezone": "Tokyo"}),
            "`timezone` has the unknown time zone `Tokyo`. Write `Asia/Tokyo`.",
        ),
        (
            json!({"to": "PST"}),
            "`to` has the ambiguous time zone `PST`. Write the offset `-08:00`, or a zone as in",
        ),
        (
            json!({"timezone": "EST"}),
            "`timezone` has the ambiguous time zone `EST`. Write the offset `-05:00`, or a zone as in",
        ),
        (
            json!({"tz": "Asia/Tokyo", "timezone": "Asia/Tokyo"}),
            "`tz` is given beside `timezone`. Leave one of them out.",
        ),
        (json!({"zone": "UTC"}), "Unknown input `zone`. This tool takes `value`"),
    ] {
        let refused = call("unix_timestamp", &input).expect_err(refusal);
        assert!(refused.starts_with(refusal), "{input}: {refused}");
    }
}

#[test]
fn a_number_of_another_system_carries_a_warning() {
    for (value, year, other) in [
        ("133444736000000000", "1974", "as a Windows FILETIME it would be 2023-11-14T22:13:20Z"),
        ("638356156000000000", "1990", "as .NET ticks it would be 2023-11-15T"),
        (
            "13344473600000000",
            "2392",
            "as microseconds since 1601 (WebKit) it would be 2023-11-14T",
        ),
    ] {
        let answer = convert(value).unwrap();
        let iso = answer["result"]["iso"].as_str().unwrap();
        assert!(iso.starts_with(year), "{iso}");
        let warning = answer["warnings"][0].as_str().unwrap();
        assert!(warning.contains(other), "{warning}");
    }
    for value in
        ["1700000000000000000", "1700000000000000", "133444736000000000ns", "13344473600000"]
    {
        assert_eq!(convert(value).unwrap()["warnings"], json!([]), "{value}");
    }
}

#[test]
fn a_time_that_the_clocks_skip_or_repeat_is_said() {
    for (value, iso, warning) in [
        (
            "2026-03-29T02:30[Europe/Berlin]",
            "2026-03-29T01:30:00Z",
            "The clocks of `Europe/Berlin` skip this time; it is taken as 2026-03-29T03:30:00+02:00.",
        ),
        (
            "2026-10-25 02:30 Europe/Berlin",
            "2026-10-25T00:30:00Z",
            "The clocks of `Europe/Berlin` show this time twice; the first is taken, 2026-10-25T02:30:00+02:00.",
        ),
        (
            "2026-07-01 Europe/Berlin",
            "2026-06-30T22:00:00Z",
            "No time of day is given; 00:00:00 is assumed.",
        ),
        (
            "2026-07-01T12:00Z[Europe/Berlin][_key=value]",
            "2026-07-01T12:00:00Z",
            "The suffix `[_key=value]` was left out.",
        ),
    ] {
        let answer = convert(value).unwrap_or_else(|refusal| panic!("{value}: {refusal}"));
        assert_eq!(answer["result"]["iso"], iso, "{value}");
        assert_eq!(answer["warnings"], json!([warning]), "{value}");
    }
    let second = convert("2026-10-25T02:30+01:00[Europe/Berlin]").unwrap();
    assert_eq!(second["result"]["iso"], "2026-10-25T01:30:00Z");
    assert_eq!(second["warnings"], json!([]));
}

#[test]
fn a_number_that_is_a_time_in_a_larger_unit_too_carries_a_warning() {
    for (value, iso, other) in [
        (
            "253402300799",
            "1978-01-11T21:31:40.799Z",
            "milliseconds; in the next larger unit it would be 9999-12-31T23:59:59Z",
        ),
        (
            "253402300799999",
            "1978-01-11T21:31:40.799999Z",
            "microseconds; in the next larger unit it would be 9999-12-31T23:59:59.999Z",
        ),
    ] {
        let answer = convert(value).unwrap();
        assert_eq!(answer["result"]["iso"], iso);
        let warning = format!("The number is taken as {other}.");
        assert_eq!(answer["warnings"], json!([warning]));
    }
    for value in ["99999999999", "253402300800", "1700000000000"] {
        assert_eq!(convert(value).unwrap()["warnings"], json!([]));
    }
    let input = json!({"value": "253402300799", "unit": "ms"});
    assert_eq!(call("timestamp-converter", &input).unwrap()["warnings"], json!([]));
}

#[test]
fn the_relative_time_uses_the_largest_whole_unit() {
    for (value, words) in [
        ("1700000000", "now"),
        ("1700000000.999999999", "now"),
        ("1699999999.000000001", "now"),
        ("1700000001", "in 1 second"),
        ("1699999999", "1 second ago"),
        ("1699999941", "59 seconds ago"),
        ("1699999940", "1 minute ago"),
        ("1700003599", "in 59 minutes"),
        ("1700003600", "in 1 hour"),
        ("1699913601", "23 hours ago"),
        ("1699913600", "1 day ago"),
        ("2023-12-13T22:13:20Z", "in 29 days"),
        ("2023-12-14T22:13:19Z", "in 29 days"),
        ("2023-12-14T22:13:20Z", "in 1 month"),
        ("2023-10-14T22:13:20.000000001Z", "30 days ago"),
        ("2023-10-14T22:13:20Z", "1 month ago"),
        ("2022-11-14T22:13:21Z", "11 months ago"),
        ("2022-11-14T22:13:20Z", "1 year ago"),
        ("2025-11-14T22:13:20Z", "in 2 years"),
        ("0001-01-01T00:00:00Z", "2022 years ago"),
        ("9999-12-31T23:59:59Z", "in 7976 years"),
    ] {
        assert_eq!(convert(value).unwrap()["result"]["relative"], words, "{value}");
    }
}

#[test]
fn mcp_accepts_a_string_and_rest_also_a_number() {
    let tool = registry::by_mcp_name("unix_timestamp").unwrap();
    let mut whole = schema::input(tool, toolkit_core::input::Surface::Rest);
    assert_eq!(whole["properties"]["value"]["type"], json!(["number", "string"]));
    assert_eq!(whole["properties"]["unit"]["default"], "auto");
    schema::portable_input(&mut whole);
    assert_eq!(whole["properties"]["value"]["type"], "string");
}

/// Any time in the supported years.
fn moments() -> impl Strategy<Value = OffsetDateTime> {
    const FIRST: i128 = -62_135_596_800_000_000_000;
    const LAST: i128 = 253_402_300_799_999_999_999;
    (FIRST..=LAST)
        .prop_map(|nanoseconds| OffsetDateTime::from_unix_timestamp_nanos(nanoseconds).unwrap())
}

fn read(text: &str, unit: Option<Unit>) -> (OffsetDateTime, Notation) {
    let parsed = parse(text, unit, &mut Warnings::new());
    let parsed = parsed.unwrap_or_else(|refusal| panic!("{text}: {refusal}"));
    (parsed.moment, parsed.notation)
}

proptest! {
    #[test]
    fn written_timestamps_parse_to_the_same_time(moment in moments()) {
        prop_assert_eq!(read(&to_iso8601(moment), None), (moment, Notation::Iso8601));
        let second = moment.replace_nanosecond(0).unwrap();
        prop_assert_eq!(read(&to_rfc2822(moment), None), (second, Notation::Rfc2822));
    }

    #[test]
    fn the_library_reads_what_is_written(moment in moments()) {
        use time::format_description::well_known::{Rfc2822, Rfc3339};
        prop_assert_eq!(OffsetDateTime::parse(&to_iso8601(moment), &Rfc3339), Ok(moment));
        if moment.year() >= 1900 {
            prop_assert_eq!(to_rfc2822(moment), moment.format(&Rfc2822).unwrap());
        }
    }

    #[test]
    fn every_number_of_nanoseconds_counts_in_every_unit(moment in moments()) {
        let nanoseconds = moment.unix_timestamp_nanos();
        for (unit, decimals) in [
            (Unit::Seconds, 9),
            (Unit::Milliseconds, 6),
            (Unit::Microseconds, 3),
            (Unit::Nanoseconds, 0),
        ] {
            let text = format!("{nanoseconds}e-{decimals}");
            prop_assert_eq!(read(&text, Some(unit)).0, moment);
        }
    }

    #[test]
    fn week_ordinal_and_basic_dates_read_as_the_same_day(moment in moments()) {
        let day = moment.replace_time(time::Time::MIDNIGHT);
        let (year, week, weekday) = day.to_iso_week_date();
        let weekday = weekday.number_from_monday();
        let (year_of_day, ordinal) = (day.year(), day.ordinal());
        let (month, number) = (u8::from(day.month()), day.day());
        for text in [
            format!("{year:04}-W{week:02}-{weekday}T00:00Z"),
            format!("{year:04}W{week:02}{weekday}T0000Z"),
            format!("{year_of_day:04}-{ordinal:03}T00Z"),
            format!("{year_of_day:04}{ordinal:03}T00Z"),
            format!("{year_of_day:04}{month:02}{number:02}T000000Z"),
            format!("{year_of_day:04}-{month:02}-{number:02}"),
        ] {
            prop_assert_eq!(read(&text, None).0, day, "{}", text);
        }
    }

    #[test]
    fn an_offset_is_subtracted(
        moment in moments(),
        hours in -23..=23_i8,
        minutes in 0..60_i8,
    ) {
        let minutes = if hours < 0 { -minutes } else { minutes };
        let offset = time::UtcOffset::from_hms(hours, minutes, 0).unwrap();
        let Some(local) = moment.checked_to_offset(offset) else { return Ok(()) };
        prop_assume!((1..=9999).contains(&local.year()));
        let text = to_iso8601(local.replace_offset(time::UtcOffset::UTC));
        let (sign, hours, minutes) = (if hours < 0 || minutes < 0 { '-' } else { '+' }, hours.abs(), minutes.abs());
        for written in [format!("{sign}{hours:02}:{minutes:02}"), format!(" {sign}{hours:02}{minutes:02}")] {
            prop_assert_eq!(read(&text.replace('Z', &written), None).0, moment);
        }
    }

    #[test]
    fn any_number_is_a_time_or_refused(number: f64) {
        let _ = convert(number);
        let text = format!("{number:e}");
        prop_assert_eq!(convert(text).is_ok(), convert(number.to_string()).is_ok());
    }

    #[test]
    fn any_text_is_a_time_or_refused(
        text in "\\PC*|[0-9TZWe+:., -]{0,30}|(Tue, )?[0-9]{1,2} Nov [0-9:A-Z+() -]{0,30}",
    ) {
        if let Ok(parsed) = parse(&text, None, &mut Warnings::new()) {
            let moment = parsed.moment;
            prop_assert!((1..=9999).contains(&moment.year()));
            prop_assert!(convert(text).is_ok());
        }
    }

    #[test]
    fn any_two_times_have_a_relative_description(moment in moments(), now in moments()) {
        let (there, back) = (relative(moment, now), relative(now, moment));
        prop_assert!(there == "now" || there.ends_with(" ago") != back.ends_with(" ago"));
    }
}
