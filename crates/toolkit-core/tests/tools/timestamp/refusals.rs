//! Invalid timestamps and the message with which `timestamp-converter` refuses each.

use serde_json::json;
use toolkit_core::Warnings;
use toolkit_core::timestamp::{parse_iso8601, parse_rfc2822};

use super::convert;
use crate::support::call;

/// Invalid timestamps and the message that refuses each.
const REFUSED: &[(&str, &str)] = &[
    ("", "is empty; write a number of seconds since 1970, a date of ISO 8601 as in "),
    (" \n", "is empty; "),
    ("NaN", "is `NaN`, neither a number nor a date; write a number of seconds since 1970, "),
    ("Infinity", "is `Infinity`, neither"),
    ("-inf", "is `-inf`, neither"),
    ("true", "is `true`, neither"),
    ("s", "is `s`, neither"),
    ("@", "is `@`, neither"),
    ("@1700000000s", "is `@1700000000s`, neither"),
    ("1700000000 h", "is `1700000000 h`, neither"),
    ("@1700000000000", "is outside of the years 0001 to 9999."),
    ("1,700,000,000", "is `1,700,000,000`, neither"),
    ("1_700_000_000", "is `1_700_000_000`, neither"),
    ("0x6553f100", "is `0x6553f100`, neither"),
    ("1700000000,5", "is `1700000000,5`, neither"),
    ("1.2.3", "is `1.2.3`, neither"),
    ("+", "is `+`, neither"),
    (".", "is `.`, neither"),
    ("-", "is `-`, neither"),
    ("--1", "is `--1`, neither"),
    ("1e", "is `1e`, neither"),
    ("e5", "is `e5`, neither"),
    ("1e1.5", "is `1e1.5`, neither"),
    ("١٧", "is `١٧`, neither"),
    ("14/11/2023", "is `14/11/2023`, neither"),
    ("T22:13:20Z", "is `T22:13:20Z`, neither"),
    // Numbers outside the supported years.
    ("-62135596801", "is outside of the years 0001 to 9999."),
    ("253402300800000000000", "is outside of the years 0001 to 9999."),
    ("1e400", "is outside of the years 0001 to 9999."),
    ("-1e99999999999999999999", "is outside of the years 0001 to 9999."),
    ("999999999999999999999999999999999999999999", "is outside of the years 0001 to 9999."),
    // Dates outside the supported years.
    ("0000-01-01T00:00:00Z", "is outside of the years 0001 to 9999."),
    ("0001-01-01T00:00:00+00:01", "is outside of the years 0001 to 9999."),
    ("9999-12-31T23:59:59-00:01", "is outside of the years 0001 to 9999."),
    ("9999-12-31T23:59:60Z", "is outside of the years 0001 to 9999."),
    ("9999-W52-6T00:00:00Z", "is outside of the years 0001 to 9999."),
    ("10000-01-01T00:00:00Z", "is outside of the years 0001 to 9999."),
    ("+010000-01-01T00:00:00Z", "is outside of the years 0001 to 9999."),
    ("-0001-01-01T00:00:00Z", "is outside of the years 0001 to 9999."),
    ("300000-01-01", "is outside of the years 0001 to 9999."),
    ("1 Jan 10000 00:00:00 GMT", "is outside of the years 0001 to 9999."),
    ("1 Jan 0000 00:00:00 GMT", "is outside of the years 0001 to 9999."),
    // Days that do not exist on the calendar.
    ("2023-02-30", "has a day that does not exist at offset 8; February 2023 has 28 days."),
    (
        "2024-02-30T00:00:00Z",
        "has a day that does not exist at offset 8; February 2024 has 29 days.",
    ),
    ("2023-02-29T00:00:00Z", "has a day that does not exist at offset 8"),
    ("1900-02-29T00:00:00Z", "has a day that does not exist at offset 8"),
    ("  2023-04-31T00:00:00Z", "has a day that does not exist at offset 10"),
    ("2023-11-00T00:00:00Z", "has a day that does not exist at offset 8"),
    ("2023-00-01T00:00:00Z", "has a month that does not exist at offset 5; months are 01 to 12."),
    ("2023-13-01T00:00:00Z", "has a month that does not exist at offset 5"),
    ("20231301T000000Z", "has a month that does not exist at offset 4"),
    ("2023-366T00:00:00Z", "has a day that does not exist at offset 5; 2023 has 365 days."),
    ("2023-000T00:00:00Z", "has a day that does not exist at offset 5"),
    ("2023-W53-1T00:00:00Z", "has a week that does not exist at offset 6; 2023 has 52 weeks."),
    ("2023-W00-1T00:00:00Z", "has a week that does not exist at offset 6"),
    ("2023-W46-0T00:00:00Z", "has a day that does not exist at offset 9"),
    ("2023-W46-8T00:00:00Z", "has a day that does not exist at offset 9"),
    // Times that do not exist on the clock.
    (
        "2023-11-14T24:00:00Z",
        "has a time of day that does not exist at offset 11; hours are 00 to 23, and a day ends with 00:00:00 of the next one.",
    ),
    ("2023-11-14T25:00:00Z", "has a time of day that does not exist at offset 11"),
    (
        "2023-11-14T22:60:00Z",
        "has a time of day that does not exist at offset 14; minutes are 00 to 59.",
    ),
    (
        "2023-11-14T22:13:61Z",
        "has a time of day that does not exist at offset 17; seconds are 00 to 59.",
    ),
    (
        "2023-11-14T22:13:60Z",
        "has a second that does not exist at offset 17; a leap second is 23:59:60 in UTC at the end of June or December.",
    ),
    ("2016-11-21T23:59:60Z", "has a second that does not exist at offset 17"),
    ("2016-12-31T23:58:60Z", "has a second that does not exist at offset 17"),
    ("2016-12-31T23:59:60+01:00", "has a second that does not exist at offset 17"),
    ("2016-12-30T23:59:60Z", "has a second that does not exist at offset 17"),
    ("2016-03-31T23:59:60Z", "has a second that does not exist at offset 17"),
    (
        "2023-11-14T22:13:20+24:00",
        "has an offset that does not exist at offset 19; offsets are -23:59 to +23:59.",
    ),
    ("2023-11-14T22:13:20+05:60", "has an offset that does not exist at offset 19"),
    // ISO 8601 dates with a syntax error.
    (
        "2023-11",
        "needs `-` and a day at offset 7; ISO 8601 is written as in `2023-11-14T22:13:20Z`.",
    ),
    ("2023-W46", "needs `-` and a day of the week at offset 8"),
    ("2023-", "needs a month of two digits, `W` and a week, or a day of three digits at offset 5"),
    ("2023-1-5", "needs a month of two digits, "),
    ("2023-11-5", "needs a day of two digits at offset 8"),
    ("2023/11/14", "needs `-` and a month at offset 4"),
    ("2023-11-14T", "needs two digits for the hour at offset 11"),
    ("2023-11-14T9:13", "needs two digits for the hour at offset 11"),
    ("2023-11-14T22:", "needs two digits for the minute at offset 14"),
    ("2023-11-14T22:1", "needs two digits for the minute at offset 14"),
    ("2023-11-14T22:13:", "needs two digits for the second at offset 17"),
    ("2023-11-14T22:13:20.", "needs a digit at offset 20"),
    ("2023-11-14T22:13:20.Z", "needs a digit at offset 20"),
    ("2023-11-14T22:13:20.5.5Z", "goes on after the date and time at offset 21"),
    (
        "2023-11-14T22:13:20ZZ",
        "has the name of a time zone at offset 19; write the offset from UTC in its place, as in `-08:00`, or a zone as in `Europe/Berlin`.",
    ),
    (
        "2023-11-14T22:13:20[Europe/Berlim]",
        "has the time zone `Europe/Berlim`, which is not known, at offset 20; zones are named as in `Europe/Berlin`; or write an offset as in `+01:00`.",
    ),
    (
        "2023-11-14 22:13 Europe/Berlim",
        "has the time zone `Europe/Berlim`, which is not known, at offset 17",
    ),
    ("now Europe/Berlim", "has the time zone `Europe/Berlim`, which is not known, at offset 4"),
    ("now Berlin", "is `now Berlin`, neither"),
    (
        "2023-11-14T22:13:20+02:00[Europe/Paris]",
        "has an offset that `Europe/Paris` does not have then; leave one of them out; it is 2023-11-14T21:13:20+01:00 there.",
    ),
    (
        "2023-11-14T22:13:20Z[Europe/Paris][!u-ca=hebrew]",
        "has the suffix `!u-ca=hebrew`, which is not known, at offset 21; RFC 9557",
    ),
    ("2023-11-14T22:13:20[+25:00]", "has the time zone `+25:00`, which is not known, at offset 20"),
    // An offset needs a time.
    (
        "2024-011-03",
        "has an offset from UTC without a time of day at offset 8; write the time before it, as in `2023-11-14T00:00:00-03:00`.",
    ),
    ("2024-01-15-03", "has an offset from UTC without a time of day at offset 10"),
    ("2024-01-15+01:00", "has an offset from UTC without a time of day at offset 10"),
    ("2023-11-14 22:13 PST", "has the name of a time zone at offset 17"),
    ("2023-11-14 PST", "goes on after the date and time at offset 11"),
    ("2023-11-14T22:13:20 CET", "has the name of a time zone at offset 20"),
    ("2023-11-14T22:13:20+5", "needs two digits for the hours of the offset at offset 20"),
    ("2023-11-14T22:13:20+05:3", "needs two digits for the minutes of the offset at offset 23"),
    ("2023-11-14T22:13:20+05:30:00", "goes on after the date and time at offset 25"),
    ("2023-11-14  22:13:20Z", "goes on after the date and time at offset 11"),
    ("2023-11-14é", "goes on after the date and time at offset 10"),
    ("2023é", "needs `-` and a month at offset 4"),
    // RFC 2822 dates.
    (
        "Mon, 14 Nov 2023 22:13:20 GMT",
        "has another weekday than its date at offset 0; the date is a `Tue`.",
    ),
    (
        "Tue 14 Nov 2023 22:13:20 GMT",
        "needs a comma after the weekday at offset 4; RFC 2822 is written as in `Tue, ",
    ),
    (
        "30 Feb 2023 00:00:00 GMT",
        "has a day that does not exist at offset 0; February 2023 has 28 days.",
    ),
    ("0 Feb 2023 00:00:00 GMT", "has a day that does not exist at offset 0"),
    (
        "Tue, 14 Nvo 2023 22:13:20 GMT",
        "has a month that does not exist at offset 8; months are Jan, Feb,",
    ),
    ("14 Nov 3 22:13:20 GMT", "needs a year of four digits at offset 7"),
    ("15 May1997", "needs a space and a year at offset 6"),
    ("14 Nov 2023 x", "needs two digits for the hour at offset 12"),
    (
        "14 Nov 2023 13:00 PM",
        "has a time of day that does not exist at offset 17; hours before AM and PM are 1 to 12.",
    ),
    ("Tue Nvo 14 22:13:20 2023", "has a month that does not exist at offset 4"),
    ("Tue Nov 14 22:13:20", "needs a year of four digits at offset 19"),
    (
        "Mon Nov 14 22:13:20 2023",
        "has another weekday than its date at offset 0; the date is a `Tue`.",
    ),
    ("Tue Nov 31 22:13:20 2023", "has a day that does not exist at offset 8"),
    ("Tuesdays, 14 Nov 2023 22:13:20 GMT", "is `Tuesdays, 14 Nov 2023 22:13:20 GMT`, neither"),
    ("14 Nov 2023 22 GMT", "needs `:` and a minute at offset 14"),
    ("14 Nov 2023 24:00:00 GMT", "has a time of day that does not exist at offset 12"),
    ("14 Nov 2023 22:13:20.5 GMT", "has a time zone that RFC 2822 does not know at offset 20"),
    (
        "14 Nov 2023 22:13:20 CET",
        "has a time zone that RFC 2822 does not know at offset 21; write an offset as in `+0100`, `GMT`, or a zone as in `Europe/Berlin`.",
    ),
    ("14 Nov 2023 22:13:20 A", "has a time zone that RFC 2822 does not know at offset 21"),
    ("14 Nov 2023 22:13:20 +01:00", "needs two digits for the minutes of the offset at offset 24"),
    ("14 Nov 2023 22:13:20 +01", "needs two digits for the minutes of the offset at offset 24"),
    ("14 Nov 2023 22:13:20 GMT GMT", "goes on after the date and time at offset 24"),
    (
        "14 Nov 2023 (é 22:13:20 GMT",
        "has a comment without an end at offset 12; close it with `)`.",
    ),
];

#[test]
fn invalid_timestamps_are_refused() {
    for (value, refusal) in REFUSED {
        let refused = convert(*value).expect_err(value);
        assert!(refused.starts_with(&format!("`value` {refusal}")), "{value}: {refused}");
    }
}

#[test]
fn a_reader_of_one_notation_refuses_the_others() {
    let mut warnings = Warnings::new();
    for (text, refusal) in [
        ("", "The input is empty; ISO 8601 is written as in "),
        ("1700000000", "The input needs `-` and a month at offset 4"),
        ("Tue, 14 Nov 2023", "The input needs a year of four digits"),
    ] {
        let refused = parse_iso8601(text, &mut warnings).unwrap_err().to_string();
        assert!(refused.starts_with(refusal), "{text}: {refused}");
    }
    for (text, refusal) in [
        (" ", "The input is empty; RFC 2822 is written as in "),
        ("1700000000", "The input has a month that does not exist"),
        ("2023-11-14", "The input has a month that does not exist"),
        ("()", "The input is empty; "),
        ("Nov", "The input needs a day at offset 3"),
        ("Thx", "The input has a weekday that does not exist"),
    ] {
        let refused = parse_rfc2822(text, &mut warnings).unwrap_err().to_string();
        assert!(refused.starts_with(refusal), "{text}: {refused}");
    }
}

#[test]
fn a_number_outside_of_the_years_in_its_unit_is_refused() {
    for (value, unit) in [
        ("253402300800", "s"),
        ("-62135596801", "s"),
        ("253402300800000", "ms"),
        ("-62135596800000.000001", "ms"),
        ("253402300800000000", "us"),
    ] {
        let refused = call("timestamp-converter", &json!({"value": value, "unit": unit}));
        let detail = "`value` is outside of the years 0001 to 9999.";
        assert_eq!(refused, Err(detail.to_owned()), "{value} {unit}");
    }
}

#[test]
fn another_type_or_unit_is_refused_with_what_is_accepted() {
    for (input, detail) in [
        (json!({"value": true}), "`value` must be a number or a string, not a boolean."),
        (json!({"value": []}), "`value` must be a number or a string, not an array."),
        (json!({"value": 1, "unit": "m"}), "`unit` is `m`; use one of auto, s, ms, us, ns."),
        (json!({"value": 1, "unit": 1}), "`unit` is 1; use one of auto, s, ms, us, ns."),
        (json!({"value": 1e300}), "`value` is outside of the years 0001 to 9999."),
    ] {
        assert_eq!(call("timestamp-converter", &input), Err(detail.to_owned()));
    }
}
