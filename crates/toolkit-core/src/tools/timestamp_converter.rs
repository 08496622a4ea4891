//! `timestamp-converter`, `unix_timestamp`: converts between Unix time and dates.
//!
//! Standards: POSIX, ISO 8601 and RFC 2822; see [`crate::timestamp`].

use std::borrow::Cow;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value as Json};
use time::OffsetDateTime;

use crate::around;
use crate::choice::choice;
use crate::context::Context;
use crate::error::ToolError;
use crate::input::{Scalar, Value, input, schema};
use crate::timestamp::{self, Notation, Parsed};
use crate::tool::{Answer, Example, Mcp, Spec, Tool};

/// Converts between Unix time and dates.
#[derive(Debug)]
pub struct TimestampConverter;

input! {
    /// Inputs of `timestamp-converter`.
    pub struct Input<'a> {
        /// A number since 1970 (seconds below 10^11, milliseconds below 10^14, microseconds below
        /// 10^17, else nanoseconds), also as a string, which keeps every digit; or a date of ISO 8601
        /// (`2023-11-14T22:13:20Z`; UTC without an offset) or RFC 2822 (`Tue, 14 Nov 2023 22:13:20
        /// +0000`). Digits alone are a number. Default, and `now`: the current time. A time zone may
        /// follow any of them, as in `now Asia/Tokyo` and `2023-11-14T22:13[Europe/Berlin]`.
        value: Option<Moment<'a>>,
        /// Unit of a number: seconds, milliseconds, microseconds or nanoseconds; `auto` decides by
        /// its size. For a date it has no effect, and there is a warning.
        unit: Unit = Unit::Auto,
        /// A time zone or an offset, as it may follow the value.
        timezone: Option<Cow<'a, str>> as unlisted,
        /// Another name of `timezone`.
        tz: Option<Cow<'a, str>> as unlisted,
        /// The time zone in which the time is shown.
        to: Option<Cow<'a, str>> as unlisted,
    }
}

choice! {
    /// Unit of a number, counted from 1970.
    pub enum Unit {
        /// Detected from the number's size.
        Auto = "auto",
        /// Seconds.
        Seconds = "s" | "second" | "seconds",
        /// Milliseconds.
        Milliseconds = "ms" | "millisecond" | "milliseconds",
        /// Microseconds.
        Microseconds = "us" | "microsecond" | "microseconds",
        /// Nanoseconds.
        Nanoseconds = "ns" | "nanosecond" | "nanoseconds",
    }
}

impl Unit {
    const fn known(self) -> Option<timestamp::Unit> {
        match self {
            Self::Auto => None,
            Self::Seconds => Some(timestamp::Unit::Seconds),
            Self::Milliseconds => Some(timestamp::Unit::Milliseconds),
            Self::Microseconds => Some(timestamp::Unit::Microseconds),
            Self::Nanoseconds => Some(timestamp::Unit::Nanoseconds),
        }
    }
}

/// A point in time as given: the digits of a number, or a date.
#[derive(Debug, Clone)]
pub struct Moment<'a>(Cow<'a, str>);

impl<'a> Moment<'a> {
    /// Creates it from the digits of a number, or from a date.
    pub fn new(text: impl Into<Cow<'a, str>>) -> Self {
        Self(text.into())
    }
}

impl<'de> Value<'de> for Moment<'de> {
    fn schema() -> Map<String, Json> {
        schema([("type", vec!["number", "string"].into())])
    }

    fn from_scalar(scalar: Scalar<'de>) -> Result<Self, ToolError> {
        match scalar {
            Scalar::Text(text) => Ok(Self(text)),
            Scalar::Number(digits) => Ok(Self(digits.into())),
            other => Err(other.not("a number or a string")),
        }
    }

    fn to_json(&self) -> Json {
        self.0.as_ref().into()
    }
}

/// A point in time in every notation.
#[derive(Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct Output {
    /// ISO 8601 in UTC, with a fraction only if there is one.
    pub iso: String,
    /// Whole seconds since 1970, rounded down.
    pub unix_seconds: i64,
    /// Whole milliseconds since 1970, rounded down.
    pub unix_milliseconds: i64,
    /// Detected notation of the value; `now` without one.
    pub detected: Notation,
    /// RFC 2822 in UTC.
    pub rfc2822: String,
    /// The day of the week in English.
    pub weekday: String,
    /// The day of the year, from 1.
    #[schemars(range(min = 1, max = 366))]
    pub day_of_year: u16,
    /// The week of ISO 8601 with its year, as in `2023-W46`.
    pub iso_week: String,
    /// Time relative to now, in the largest whole unit: `3 days ago`, `in 2 hours`, or `now`.
    pub relative: String,
    /// The time zone, if one was given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub zone: Option<String>,
    /// ISO 8601 with the offset of that time zone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub local: Option<String>,
}

impl Tool for TimestampConverter {
    const SPEC: Spec = Spec {
        slug: Some("timestamp-converter"),
        mcp: Some(Mcp {
            name: "unix_timestamp",
            title: "Convert a timestamp",
            description: "Convert between Unix time and dates, or get the current time by leaving \
                `value` out. Use it instead of doing calendar arithmetic yourself. Years are 0001 \
                to 9999, answers in UTC, and in a time zone if one follows the value, as in \
                `now Asia/Tokyo`. Not for schedules: that is for cron_explain. Example: {\"value\": \"1700000000\"} gives \
                2023-11-14T22:13:20Z, a Tuesday.",
            inputs: &["value?"],
            idempotent: false,
        }),
        summary: "Converts Unix timestamps to ISO 8601 dates and back.",
        kinds: &["timestamp"],
        quick_bytes_max: usize::MAX,
        examples: EXAMPLES,
    };
    type Input<'a> = Input<'a>;
    type Output = Output;

    fn run(input: Input<'_>, ctx: &mut Context) -> Result<Answer<Output>, ToolError> {
        let now = ctx.now();
        let parsed = read(&input, ctx).map_err(|refusal| refusal.in_field("value"))?;
        Ok(Answer::new("timestamp", output(parsed, now)))
    }
}

fn read<'a>(input: &'a Input<'_>, ctx: &mut Context) -> Result<Parsed, ToolError> {
    let mut place = |field, name: &'a Option<Cow<'_, str>>| {
        let name = around::bare(name.as_ref()?, "the time zone", &mut ctx.warnings);
        Some(timestamp::Place { field, name })
    };
    let [timezone, tz] = [place("timezone", &input.timezone), place("tz", &input.tz)];
    let to = place("to", &input.to);
    if timezone.is_some() && tz.is_some() {
        let refusal = ToolError::new("is given beside `timezone`");
        return Err(refusal.with_hint("leave one of them out").in_field("tz"));
    }
    let text = input.value.as_ref().map_or("now", |value| &value.0);
    let value = timestamp::Value {
        text: around::bare(text, "the value", &mut ctx.warnings),
        unit: input.unit.known(),
        now: Some(ctx.now()),
        places: [timezone.or(tz), to],
    };
    value.read(&mut ctx.warnings)
}

fn output(parsed: Parsed, now: OffsetDateTime) -> Output {
    let moment = parsed.moment.to_offset(time::UtcOffset::UTC);
    let (year, week, weekday) = moment.to_iso_week_date();
    Output {
        iso: timestamp::to_iso8601(moment),
        unix_seconds: moment.unix_timestamp(),
        unix_milliseconds: moment.unix_timestamp() * 1000 + i64::from(moment.millisecond()),
        detected: parsed.notation,
        rfc2822: timestamp::to_rfc2822(moment),
        weekday: weekday.to_string(),
        day_of_year: moment.ordinal(),
        iso_week: format!("{year:04}-W{week:02}"),
        relative: timestamp::relative(moment, now),
        local: parsed.zone.as_ref().map(|_| timestamp::to_iso8601_with_offset(parsed.moment)),
        zone: parsed.zone,
    }
}

const EXAMPLES: &[Example] = &[
    Example { title: "Seconds since 1970", input: r#"{"value": 1700000000}"# },
    Example {
        title: "Milliseconds before 1970, as a string",
        input: r#"{"value": "-1.5", "unit": "ms"}"#,
    },
    Example {
        title: "A date of ISO 8601 without an offset",
        input: r#"{"value": "2023-11-17 22:13:20,25"}"#,
    },
    Example { title: "A date of RFC 2822", input: r#"{"value": "Tue, 14 Nov 2023 15:13:20 EST"}"# },
    #[cfg(feature = "timezones")]
    Example { title: "The current time in a time zone", input: r#"{"value": "now Asia/Tokyo"}"# },
];
