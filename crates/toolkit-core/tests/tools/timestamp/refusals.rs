//! Invalid timestamps and the message with which `timestamp-converter` refuses each.

use serde_json::json;
use toolkit_core::Warnings;
use toolkit_core::timestamp::{parse_iso8601, parse_rfc2822};

use super::convert;
use crate::support::{about, call};

/// Invalid timestamps and the message that refuses each.
const REFUSED: &[(&str, &str)] = &[
    ("", "is empty. Write a number of seconds since 1970, a date of ISO 8601 as in "),
    (" \n", "is empty. "),
    ("NaN", "is `NaN`, neither a number nor a date. Write a number of seconds since 1970, "),
    ("Infinity", "is `Infinity`, neither"),
    ("-inf", "is `-inf`, neither"),
    ("true", "is `true`, neither"),
    ("s", "is `s`, neither"),
    ("@", "is `@`, neither"),
    ("@1700000000s", "is `@1700000000s`, neither"),
    ("1700000000 h", "is `1700000000 h`, neither"),
    ("@1700000000000", "is outside of the years 0001 to 9999."),
    ("1,700,000,000", "is `1,700,000,000`, a number with separators. Write `1700000000`."),
    ("1_700_000_000", "is `1_700_000_000`, a number with separators. Write `1700000000`."),
    ("1 700 000 000", "is `1 700 000 000`, a number with separators. Write `1700000000`."),
    ("1.700.000.000", "is `1.700.000.000`, a number with separators. Write `1700000000`."),
    ("1,700,00", "is `1,700,00`, neither"),
    ("1,700_000", "is `1,700_000`, neither"),
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
    ("+002024-01-15", "offset 0: `value` needs a year of four digits. ISO 8601 is written as in "),
    ("02024-01-15", "offset 0: `value` needs a year of four digits. ISO 8601 is written as in "),
    ("-002024-01-15", "is outside of the years 0001 to 9999."),
    ("+010000-01-01T00:00:00Z", "is outside of the years 0001 to 9999."),
    ("-0001-01-01T00:00:00Z", "is outside of the years 0001 to 9999."),
    ("300000-01-01", "is outside of the years 0001 to 9999."),
    ("1 Jan 10000 00:00:00 GMT", "is outside of the years 0001 to 9999."),
    ("1 Jan 0000 00:00:00 GMT", "is outside of the years 0001 to 9999."),
    // Days that do not exist on the calendar.
    ("2023-02-30", "offset 8: `value` has a day that does not exist. February 2023 has 28 days."),
    (
        "2024-02-30T00:00:00Z",
        "offset 8: `value` has a day that does not exist. February 2024 has 29 days.",
    ),
    ("2023-02-29T00:00:00Z", "offset 8: `value` has a day that does not exist"),
    ("1900-02-29T00:00:00Z", "offset 8: `value` has a day that does not exist"),
    ("  2023-04-31T00:00:00Z", "offset 10: `value` has a day that does not exist"),
    ("2023-11-00T00:00:00Z", "offset 8: `value` has a day that does not exist"),
    (
        "2023-00-01T00:00:00Z",
        "offset 5: `value` has a month that does not exist. Months are 01 to 12.",
    ),
    ("2023-13-01T00:00:00Z", "offset 5: `value` has a month that does not exist"),
    ("20231301T000000Z", "offset 4: `value` has a month that does not exist"),
    ("2023-366T00:00:00Z", "offset 5: `value` has a day that does not exist. 2023 has 365 days."),
    ("2023-000T00:00:00Z", "offset 5: `value` has a day that does not exist"),
    (
        "2023-W53-1T00:00:00Z",
        "offset 6: `value` has a week that does not exist. 2023 has 52 weeks.",
    ),
    ("2023-W00-1T00:00:00Z", "offset 6: `value` has a week that does not exist"),
    ("2023-W46-0T00:00:00Z", "offset 9: `value` has a day that does not exist"),
    ("2023-W46-8T00:00:00Z", "offset 9: `value` has a day that does not exist"),
    // Times that do not exist on the clock.
    (
        "2023-11-14T24:00:00Z",
        "offset 11: `value` has a time of day that does not exist. Hours are 00 to 23, and a day ends with 00:00:00 of the next one.",
    ),
    ("2023-11-14T25:00:00Z", "offset 11: `value` has a time of day that does not exist"),
    (
        "2023-11-14T22:60:00Z",
        "offset 14: `value` has a time of day that does not exist. Minutes are 00 to 59.",
    ),
    (
        "2023-11-14T22:13:61Z",
        "offset 17: `value` has a time of day that does not exist. Seconds are 00 to 59.",
    ),
    (
        "2023-11-14T22:13:60Z",
        "offset 17: `value` has a second that does not exist. A leap second is 23:59:60 in UTC at the end of June or December.",
    ),
    ("2016-11-21T23:59:60Z", "offset 17: `value` has a second that does not exist"),
    ("2016-12-31T23:58:60Z", "offset 17: `value` has a second that does not exist"),
    ("2016-12-31T23:59:60+01:00", "offset 17: `value` has a second that does not exist"),
    ("2016-12-30T23:59:60Z", "offset 17: `value` has a second that does not exist"),
    ("2016-03-31T23:59:60Z", "offset 17: `value` has a second that does not exist"),
    (
        "2023-11-14T22:13:20+24:00",
        "offset 19: `value` has an offset that does not exist. Offsets are -23:59 to +23:59.",
    ),
    ("2023-11-14T22:13:20+05:60", "offset 19: `value` has an offset that does not exist"),
    // ISO 8601 dates with a syntax error.
    (
        "2023-11",
        "offset 7: `value` needs `-` and a day. ISO 8601 is written as in `2023-11-14T22:13:20Z`.",
    ),
    ("2023-W46", "offset 8: `value` needs `-` and a day of the week"),
    (
        "2023-",
        "offset 5: `value` needs a month of two digits, `W` and a week, or a day of three digits",
    ),
    ("2023-1-5", "offset 5: `value` needs a month of two digits, "),
    ("2023-11-5", "offset 8: `value` needs a day of two digits"),
    ("2023/1/14", "offset 5: `value` needs a month of two digits"),
    ("2023/11-14", "offset 7: `value` needs `/` and a day"),
    ("2023.11-14", "offset 7: `value` needs `.` and a day"),
    ("2023-11-14T", "offset 11: `value` needs two digits for the hour"),
    ("2023-11-14T9:13", "offset 11: `value` needs two digits for the hour"),
    ("2023-11-14T22:", "offset 14: `value` needs two digits for the minute"),
    ("2023-11-14T22:1", "offset 14: `value` needs two digits for the minute"),
    ("2023-11-14T22:13:", "offset 17: `value` needs two digits for the second"),
    ("2023-11-14T22:13:20.", "offset 20: `value` needs a digit"),
    ("2023-11-14T22:13:20.Z", "offset 20: `value` needs a digit"),
    ("2023-11-14T22:13:20.5.5Z", "offset 21: `value` goes on after the date and time"),
    (
        "2023-11-14 22:13 IST",
        "offset 17: `value` has the name of a time zone. Write its offset from UTC, as in `+01:00`, or a zone as in `Europe/Berlin`.",
    ),
    (
        "2023-11-14 10:13 p.m. PST",
        "offset 22: `value` has the name of a time zone. Write the offset `-08:00`, or a zone as in `America/Los_Angeles`.",
    ),
    ("2023-11-14 22:13 Berlin", "offset 17: `value` has the name of a time zone"),
    ("2023-11-14T22:13:20ZZ", "offset 19: `value` goes on after the date and time"),
    ("2023-11-14T22:13:20Z.", "offset 20: `value` goes on after the date and time"),
    ("2023-11-14T22:13:20Z)", "offset 20: `value` goes on after the date and time"),
    ("2023-11-14T22h13", "offset 13: `value` needs `:` and a minute"),
    ("2023-11-14 10.30 p.m.", "offset 17: `value` goes on after the date and time"),
    (
        "2023-11-14T22:13:20[Europe/Berlim]",
        "offset 20: `value` has the unknown time zone `Europe/Berlim`. Zones are named as in `Europe/Berlin`; or write an offset as in `+01:00`.",
    ),
    (
        "2023-11-14 22:13 Europe/Berlim",
        "offset 17: `value` has the unknown time zone `Europe/Berlim`",
    ),
    ("now Europe/Berlim", "offset 4: `value` has the unknown time zone `Europe/Berlim`"),
    ("now Berlin", "offset 4: `value` has the unknown time zone `Berlin`. Write `Europe/Berlin`."),
    (
        "now in PST",
        "offset 7: `value` has the ambiguous time zone `PST`. Write the offset `-08:00`, or a zone as in `America/Los_Angeles`.",
    ),
    (
        "now EST",
        "offset 4: `value` has the ambiguous time zone `EST`. Write the offset `-05:00`, or a zone as in `America/New_York`.",
    ),
    (
        "now CET",
        "offset 4: `value` has the ambiguous time zone `CET`. Zones are named as in `Europe/Berlin`; or write an offset as in `+01:00`.",
    ),
    ("CET", "offset 0: `value` has the ambiguous time zone `CET`. Zones are named as in"),
    ("now GB", "offset 4: `value` has the unknown time zone `GB`. Zones are named as in"),
    ("10 GB", "is `10 GB`, neither"),
    ("1700000000 to Mars", "offset 14: `value` has the unknown time zone `Mars`"),
    ("Europe/Berlim", "offset 0: `value` has the unknown time zone `Europe/Berlim`"),
    ("1700000000 PST", "offset 11: `value` has the ambiguous time zone `PST`. Write the offset"),
    ("now in UTC in UTC", "is `now in UTC`, neither"),
    (
        "2024-01-15 22:30 PM",
        "offset 16: `value` has a time of day that does not exist. Hours before AM and PM",
    ),
    (
        "2023-11-14T22:13:20+02:00[Europe/Paris]",
        "has an offset that `Europe/Paris` does not have then. Leave one of them out; it is 2023-11-14T21:13:20+01:00 there.",
    ),
    (
        "2023-11-14T22:13:20Z[Europe/Paris][!u-ca=hebrew]",
        "offset 21: `value` has the suffix `!u-ca=hebrew`, which is not known. RFC 9557",
    ),
    ("2023-11-14T22:13:20[+25:00]", "offset 20: `value` has the unknown time zone `+25:00`"),
    // A time of day as in file names.
    (
        "2024-01-15-10:30",
        "offset 10: `value` has a time of day that ISO 8601 writes differently. Write `2024-01-15T10:30`; an offset needs a time before it, as in `2024-01-15T00:00-10:30`.",
    ),
    (
        "2024-01-15-10-30-00",
        "offset 10: `value` has a time of day that ISO 8601 writes differently. Write `2024-01-15T10:30:00`.",
    ),
    (
        "2024-01-15T10-30-00.5Z",
        "offset 10: `value` has a time of day that ISO 8601 writes differently. Write `2024-01-15T10:30:00.5Z`.",
    ),
    (
        "2024-01-15_10:30",
        "offset 10: `value` has a time of day that ISO 8601 writes differently. Write `2024-01-15T10:30`.",
    ),
    ("2024-01-15 10-30", "offset 10: `value` has a time of day that ISO 8601 writes differently"),
    ("2024-01-15T10-60-00", "offset 13: `value` has an offset that does not exist"),
    // An offset needs a time.
    (
        "2024-011-03",
        "offset 8: `value` has an offset from UTC without a time of day. Write the time before it, as in `2023-11-14T00:00:00-03:00`.",
    ),
    ("2024-01-15-03", "offset 10: `value` has an offset from UTC without a time of day"),
    ("2024-01-15 +01:00", "offset 10: `value` has an offset from UTC without a time of day"),
    ("2024-01-15+01:00", "offset 10: `value` has an offset from UTC without a time of day"),
    ("2023-11-14 22:13 PST", "offset 17: `value` has the name of a time zone"),
    ("2023-11-14 PST", "offset 11: `value` goes on after the date and time"),
    ("2023-11-14T22:13:20 CET", "offset 20: `value` has the name of a time zone"),
    ("2023-11-14T22:13:20+5", "offset 20: `value` needs two digits for the hours of the offset"),
    (
        "2023-11-14T22:13:20+05:3",
        "offset 23: `value` needs two digits for the minutes of the offset",
    ),
    ("2023-11-14T22:13:20+05:30:00", "offset 25: `value` goes on after the date and time"),
    ("2023-11-14  22:13:20Z", "offset 11: `value` goes on after the date and time"),
    ("2023-11-14é", "offset 10: `value` goes on after the date and time"),
    ("2023é", "offset 4: `value` needs `-` and a month"),
    // RFC 2822 dates.
    (
        "Mon, 14 Nov 2023 22:13:20 GMT",
        "offset 0: `value` has a weekday that does not match the date. The date is a `Tue`.",
    ),
    (
        "Tue 14 Nov 2023 22:13:20 GMT",
        "offset 4: `value` needs a comma after the weekday. RFC 2822 is written as in `Tue, ",
    ),
    (
        "30 Feb 2023 00:00:00 GMT",
        "offset 0: `value` has a day that does not exist. February 2023 has 28 days.",
    ),
    ("0 Feb 2023 00:00:00 GMT", "offset 0: `value` has a day that does not exist"),
    (
        "Tue, 14 Nvo 2023 22:13:20 GMT",
        "offset 8: `value` has a month that does not exist. Months are Jan, Feb,",
    ),
    ("14 Nov 3 22:13:20 GMT", "offset 7: `value` needs a year of four digits"),
    ("15 May1997", "offset 6: `value` needs a space and a year"),
    ("14 Nov 2023 x", "offset 12: `value` needs two digits for the hour"),
    (
        "14 Nov 2023 13:00 PM",
        "offset 17: `value` has a time of day that does not exist. Hours before AM and PM are 1 to 12.",
    ),
    ("Tue Nvo 14 22:13:20 2023", "offset 4: `value` has a month that does not exist"),
    ("Tue Nov 14 22:13:20", "offset 19: `value` needs a year of four digits"),
    (
        "Mon Nov 14 22:13:20 2023",
        "offset 0: `value` has a weekday that does not match the date. The date is a `Tue`.",
    ),
    ("Tue Nov 31 22:13:20 2023", "offset 8: `value` has a day that does not exist"),
    ("Tuesdays, 14 Nov 2023 22:13:20 GMT", "is `Tuesdays, 14 Nov 2023 22:13:20 GMT`, neither"),
    ("14 Nov 2023 22 GMT", "offset 14: `value` needs `:` and a minute"),
    ("14 Nov 2023 24:00:00 GMT", "offset 12: `value` has a time of day that does not exist"),
    (
        "14 Nov 2023 22:13:20.5 GMT",
        "offset 20: `value` goes on after the date and time. RFC 2822 is written as in",
    ),
    (
        "14 Nov 2023 22:13:20 CET",
        "offset 21: `value` has a time zone that RFC 2822 does not know. Write an offset as in `+0100`, `GMT`, or at the end a zone as in `Europe/Berlin`.",
    ),
    ("14 Nov 2023 22:13:20 A", "offset 21: `value` has a time zone that RFC 2822 does not know"),
    (
        "14 Nov 2023 22:13:20 +01:00",
        "offset 24: `value` needs two digits for the minutes of the offset",
    ),
    (
        "14 Nov 2023 22:13:20 +01",
        "offset 24: `value` needs two digits for the minutes of the offset",
    ),
    ("14 Nov 2023 22:13:20 GMT GMT", "offset 24: `value` goes on after the date and time"),
    (
        "14 Nov 2023 (é 22:13:20 GMT",
        "offset 12: `value` has a comment without an end. Close it with `)`.",
    ),
];

#[test]
fn invalid_timestamps_are_refused() {
    for (value, refusal) in REFUSED {
        let refused = convert(*value).expect_err(value);
        assert!(refused.starts_with(&about("value", refusal)), "{value}: {refused}");
    }
}

#[test]
fn a_reader_of_one_notation_refuses_the_others() {
    let mut warnings = Warnings::new();
    for (text, refusal) in [
        ("", "The input is empty. ISO 8601 is written as in "),
        ("1700000000", "offset 4: the input needs `-` and a month"),
        ("Tue, 14 Nov 2023", "offset 0: the input needs a year of four digits"),
    ] {
        let refused = parse_iso8601(text, &mut warnings).unwrap_err().to_string();
        assert!(refused.starts_with(refusal), "{text}: {refused}");
    }
    for (text, refusal) in [
        (" ", "The input is empty. RFC 2822 is written as in "),
        ("1700000000", "offset 2: the input has a month that does not exist"),
        ("2023-11-14", "offset 2: the input has a month that does not exist"),
        ("()", "The input is empty. "),
        ("Nov", "offset 3: the input needs a day"),
        ("Thx", "offset 0: the input has a weekday that does not exist"),
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
        (json!({"value": 1, "unit": "m"}), "`unit` is `m`. Use one of auto, s, ms, us, ns."),
        (json!({"value": 1, "unit": 1}), "`unit` is 1. Use one of auto, s, ms, us, ns."),
        (json!({"value": 1e300}), "`value` is outside of the years 0001 to 9999."),
    ] {
        assert_eq!(call("timestamp-converter", &input), Err(detail.to_owned()));
    }
}
