//! `cron-explainer`, `cron_explain`: a cron expression in plain English, and its next runs.
//!
//! Standard: crontab(5), in UTC or in the time zone of the line; see [`crate::cron`].

use std::borrow::Cow;

use serde::Serialize;
use time::{OffsetDateTime, PlainDateTime};

use crate::context::Context;
use crate::cron::{self, Schedule};
use crate::error::ToolError;
use crate::input::{Int, Surface, input};
use crate::timestamp::{parse_iso8601, to_iso8601, to_iso8601_with_offset};
use crate::tool::{Answer, Example, Mcp, Spec, Tool};
use crate::warnings::WarningKind;

/// Explains a cron expression.
#[derive(Debug)]
pub struct CronExplainer;

input! {
    /// Inputs of `cron-explainer`.
    pub struct Input<'a> {
        /// Five fields as in crontab(5): minute, hour, day of month, month, day of week; or one of
        /// @hourly, @daily, @midnight, @weekly, @monthly, @yearly and @annually.
        expression: Cow<'a, str>,
        /// The time after which runs are listed, as ISO 8601; UTC without an offset. Default: now.
        from: Option<Cow<'a, str>>,
        /// How many runs to list, from 1 to 50.
        count: Int<1, 50> = Int::nearest(3),
        /// The time zone of the schedule, as `CRON_TZ=` in front of it.
        timezone: Option<Cow<'a, str>> as unlisted,
        /// Another name of `timezone`.
        tz: Option<Cow<'a, str>> as unlisted,
    }
}

/// The meaning of an expression.
#[derive(Debug, Serialize, schemars::JsonSchema)]
#[non_exhaustive]
pub struct Output {
    /// The expression with single spaces, an alias expanded.
    pub expression: String,
    /// The meaning in English.
    pub description: String,
    /// The next run times, in UTC; empty if there are none.
    pub next_runs: Vec<String>,
    /// The five fields; over MCP they are left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Fields", extend("x-rest-only" = true))]
    pub fields: Option<Fields>,
    /// The time zone, if the expression names one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub zone: Option<String>,
    /// The next run times with the offset of that time zone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Vec<String>")]
    pub next_runs_local: Option<Vec<String>>,
}

/// The fields of an expression.
#[derive(Debug, Serialize, schemars::JsonSchema)]
#[non_exhaustive]
pub struct Fields {
    /// Minute of the hour, 0 to 59.
    pub minute: Field,
    /// Hour of the day, 0 to 23.
    pub hour: Field,
    /// Day of the month, 1 to 31.
    pub day_of_month: Field,
    /// Month, 1 to 12.
    pub month: Field,
    /// Day of the week, 0 (Sunday) to 6.
    pub day_of_week: Field,
}

/// A field.
#[derive(Debug, Serialize, schemars::JsonSchema)]
#[non_exhaustive]
pub struct Field {
    /// The field as written.
    pub raw: String,
    /// Its values, in increasing order.
    pub values: Vec<u8>,
}

impl Field {
    fn new(field: &cron::Field) -> Self {
        Self { raw: field.raw().to_owned(), values: field.values().collect() }
    }
}

impl Tool for CronExplainer {
    const SPEC: Spec = Spec {
        slug: Some("cron-explainer"),
        mcp: Some(Mcp {
            name: "cron_explain",
            title: "Explain a cron expression",
            description: "Explains a five-field cron expression in plain English and lists its next \
                three runs in UTC, or in a time zone: `CRON_TZ=Europe/Paris 0 9 * * 1`. Use it to \
                read or check a crontab line. Lists, ranges, steps, names and aliases such as @daily \
                are understood. Not for Quartz (seconds, years, L, W, #); not for a single date: that is for unix_timestamp. Example: \
                {\"expression\": \"30 9 * * MON-FRI\"}.",
            inputs: &["expression"],
            idempotent: true,
        }),
        summary: "Explains a cron expression in plain English and lists its next runs.",
        kinds: &["cron"],
        quick_bytes_max: usize::MAX,
        examples: EXAMPLES,
    };
    type Input<'a> = Input<'a>;
    type Output = Output;

    fn run(input: Input<'_>, ctx: &mut Context) -> Result<Answer<Output>, ToolError> {
        let schedule = read(&input, ctx)?;
        let from = match input.from {
            Some(from) => {
                parse_iso8601(&from, &mut ctx.warnings).map_err(|error| error.in_field("from"))?
            }
            None => ctx.now(),
        };
        let count = input.count.get() as usize;
        let runs = runs(&schedule, from, count);
        if runs.is_empty() {
            ctx.warn("It never fires: no time matches before the year 10000.");
        } else if runs.len() < count {
            ctx.warn("It does not fire more often before the year 10000.");
        }
        let zone = schedule.zone().map(str::to_owned);
        let local: Vec<_> = runs.iter().map(|run| to_iso8601_with_offset(*run)).collect();
        if let Some(zone) = &zone {
            let mut runs = runs.iter().zip(&local);
            let is_late = |run: &OffsetDateTime| {
                !schedule.matches(PlainDateTime::new(run.date(), run.time()))
            };
            if let Some((_, run)) = runs.find(|(run, _)| is_late(run)) {
                ctx.warnings.add(
                    WarningKind::Changed,
                    format!(
                        "The clocks of `{zone}` skip a time of it: it runs right after, at {run} (cron(8))."
                    ),
                );
            }
        }
        let fields = matches!(ctx.surface, Surface::Rest).then(|| Fields {
            minute: Field::new(&schedule.minute),
            hour: Field::new(&schedule.hour),
            day_of_month: Field::new(&schedule.day_of_month),
            month: Field::new(&schedule.month),
            day_of_week: Field::new(&schedule.day_of_week),
        });
        Ok(Answer::new(
            "cron",
            Output {
                expression: schedule.expression(),
                description: schedule.describe(),
                next_runs: runs.iter().map(|run| to_iso8601(*run)).collect(),
                fields,
                next_runs_local: zone.is_some().then_some(local),
                zone,
            },
        ))
    }
}

/// The schedule, in the zone of the separate input.
fn read(input: &Input<'_>, ctx: &mut Context) -> Result<Schedule, ToolError> {
    let schedule = Schedule::parse(&input.expression, &mut ctx.warnings)
        .map_err(|error| error.in_field("expression"))?;
    let (field, name) = match (&input.timezone, &input.tz) {
        (Some(_), Some(_)) => {
            let refusal = ToolError::new("is given beside `timezone`").in_field("tz");
            return Err(refusal.with_hint("leave one of them out"));
        }
        (Some(name), None) => ("timezone", name),
        (None, Some(name)) => ("tz", name),
        (None, None) => return Ok(schedule),
    };
    schedule.in_zone(name).map_err(|refusal| refusal.in_field(field))
}

#[cfg(feature = "timezones")]
fn runs(schedule: &Schedule, from: OffsetDateTime, count: usize) -> Vec<OffsetDateTime> {
    schedule.moments_after(from).take(count).collect()
}

#[cfg(not(feature = "timezones"))]
fn runs(schedule: &Schedule, from: OffsetDateTime, count: usize) -> Vec<OffsetDateTime> {
    let from = from.to_offset(time::UtcOffset::UTC);
    let from = PlainDateTime::new(from.date(), from.time());
    schedule.after(from).take(count).map(PlainDateTime::assume_utc).collect()
}

const EXAMPLES: &[Example] = &[
    Example { title: "At 09:30 on working days", input: r#"{"expression": "30 9  * * MON-FRI"}"# },
    Example {
        title: "The 13th or a Friday, after a given time",
        input: r#"{"expression": "0 0 13 */6 5", "from": "2024-01-05T00:00:00+01:00", "count": 4}"#,
    },
    #[cfg(feature = "timezones")]
    Example {
        title: "Fridays at noon in Paris, where clocks change",
        input: r#"{"expression": "CRON_TZ=Europe/Paris 0 12 * * 5", "from": "2024-03-20T00:00:00Z"}"#,
    },
];

#[cfg(test)]
mod tests {
    use serde_json::{Value as Json, json};

    use super::*;
    use crate::tool;

    fn run(input: &Json) -> Result<(Json, Vec<String>), String> {
        let (mut answer, ctx) = tool::run(&CronExplainer, &input.to_string())?;
        let warnings = ctx.warnings.sentences().iter().map(ToString::to_string).collect();
        Ok((answer["result"].take(), warnings))
    }

    #[test]
    fn runs_are_strictly_after_the_given_time() {
        for (from, first) in [
            ("2023-11-14T22:13:59Z", "2023-11-14T22:14:00Z"),
            ("2023-11-14T22:14:00Z", "2023-11-14T22:15:00Z"),
            ("2023-11-14T23:14:00+01:00", "2023-11-14T22:15:00Z"),
        ] {
            let (result, warnings) = run(&json!({"input": "* * * * *", "from": from})).unwrap();
            assert_eq!(result["next_runs"][0], first);
            assert_eq!(warnings, [""; 0]);
        }
    }

    #[test]
    fn a_time_without_an_offset_is_read_as_utc_with_a_warning() {
        let (result, warnings) =
            run(&json!({"expression": "@daily", "from": "2024-02-28"})).unwrap();
        assert_eq!(result["next_runs"][0], "2024-02-29T00:00:00Z");
        assert_eq!(
            warnings,
            [
                "No time of day is given; 00:00:00 is assumed.",
                "No offset from UTC is given; UTC is assumed.",
            ]
        );
    }

    #[cfg(feature = "timezones")]
    #[test]
    fn the_zone_is_taken_as_an_input_of_its_own() {
        let (meant, _) = run(&json!({"expression": "CRON_TZ=Asia/Tokyo 0 9 * * *"})).unwrap();
        for (name, zone, expression) in [
            ("timezone", "Asia/Tokyo", "0 9 * * *"),
            ("tz", "asia/tokyo", "0 9 * * *"),
            ("tz", "Asia/Tokyo", "0 9 * * * Asia/Tokyo"),
        ] {
            let (found, warnings) = run(&json!({"expression": expression, name: zone})).unwrap();
            assert_eq!((found, warnings.len()), (meant.clone(), 0), "{name}");
        }
        for (input, refusal) in [
            (
                json!({"expression": "0 0 9 * * *", "timezone": "UTC"}),
                "`expression` has 6 fields. Write five, without the seconds in front: `0 9 * * *`.",
            ),
            (
                json!({"expression": "@daily", "tz": "Tokyo"}),
                "`tz` has the unknown time zone `Tokyo`. Write `Asia/Tokyo`.",
            ),
            (
                json!({"expression": "@daily UTC", "timezone": "Asia/Tokyo"}),
                "`timezone` is `Asia/Tokyo`, but the expression names `UTC`. Leave one of them out.",
            ),
            (
                json!({"expression": "@daily", "tz": "UTC", "timezone": "UTC"}),
                "`tz` is given beside `timezone`. Leave one of them out.",
            ),
        ] {
            assert_eq!(run(&input).unwrap_err(), refusal);
        }
    }

    #[test]
    fn an_expression_that_never_fires_has_no_runs_and_a_warning() {
        let (result, warnings) = run(&json!({"expression": "0 0 30 2 *"})).unwrap();
        assert_eq!(result["next_runs"], json!([]));
        assert_eq!(warnings, ["It never fires: no time matches before the year 10000."]);

        let input = json!({"expression": "@yearly", "from": "9997-06-01T00:00:00Z"});
        let (result, warnings) = run(&input).unwrap();
        assert_eq!(result["next_runs"].as_array().map(Vec::len), Some(2));
        assert_eq!(warnings, ["It does not fire more often before the year 10000."]);
    }

    #[test]
    fn runs_are_counted_from_1_to_50() {
        for (count, runs) in [(json!(null), 3), (json!(1), 1), (json!("50"), 50)] {
            let (result, _) = run(&json!({"expression": "* * * * *", "count": count})).unwrap();
            assert_eq!(result["next_runs"].as_array().map(Vec::len), Some(runs));
        }
        for count in [json!(0), json!(51), json!(1.5), json!("x")] {
            let refused = run(&json!({"expression": "* * * * *", "count": count})).unwrap_err();
            assert!(refused.ends_with("Use a whole number from 1 to 50."), "{refused}");
        }
    }

    #[test]
    fn a_refusal_names_its_input() {
        for (input, start) in [
            (json!({"expression": "* * * *"}), "`expression` has 4 fields"),
            (json!({"expression": 5}), "`expression` must be a string"),
            (json!({}), "`expression` is required."),
            (
                json!({"expression": "@daily", "from": ""}),
                "`from` is empty. ISO 8601 is written as in ",
            ),
            (
                json!({"expression": "@daily", "from": "2023-02-30"}),
                "offset 8: `from` has a day that does not exist",
            ),
            (json!({"expression": "@daily", "from": 1_700_000_000}), "`from` must be a string"),
        ] {
            let refused = run(&input).unwrap_err();
            assert!(refused.starts_with(start), "{refused}");
        }
    }
}
