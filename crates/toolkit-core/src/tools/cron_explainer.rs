//! `cron-explainer`, `cron_explain`: a cron expression in plain English, and its next runs.
//!
//! Standard: crontab(5), in UTC; see [`crate::cron`].

use std::borrow::Cow;

use serde::Serialize;
use time::{PlainDateTime, UtcOffset};

use crate::context::Context;
use crate::cron::{self, Schedule};
use crate::error::ToolError;
use crate::input::{Int, Surface, input};
use crate::timestamp::{parse_iso8601, to_iso8601};
use crate::tool::{Answer, Example, Mcp, Spec, Tool};

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
    /// The five fields.
    pub fields: Fields,
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
    /// Its values, in increasing order; over MCP they are left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Vec<u8>", extend("x-rest-only" = true))]
    pub values: Option<Vec<u8>>,
}

impl Field {
    fn new(field: &cron::Field, surface: Surface) -> Self {
        let is_rest = matches!(surface, Surface::Rest);
        Self { raw: field.raw().to_owned(), values: is_rest.then(|| field.values().collect()) }
    }
}

impl Tool for CronExplainer {
    const SPEC: Spec = Spec {
        slug: Some("cron-explainer"),
        mcp: Some(Mcp {
            name: "cron_explain",
            title: "Explain a cron expression",
            description: "Explains a five-field cron expression in plain English and lists its next \
                three runs in UTC: use it to read a crontab line, or to check one before using it. \
                Lists, ranges, steps, month and weekday names and aliases such as @daily are \
                understood. Not for Quartz (seconds, years, L, W, #) nor for time zones; not for a \
                single date: that is for unix_timestamp. Example: \
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
        let schedule = Schedule::parse(&input.expression, &mut ctx.warnings)
            .map_err(|error| error.in_field("expression"))?;
        let from = match input.from {
            Some(from) => {
                parse_iso8601(&from, &mut ctx.warnings).map_err(|error| error.in_field("from"))?
            }
            None => ctx.now(),
        };
        let count = input.count.get() as usize;
        let from = from.to_offset(UtcOffset::UTC);
        let next_runs: Vec<String> = schedule
            .after(PlainDateTime::new(from.date(), from.time()))
            .take(count)
            .map(|run| to_iso8601(run.assume_utc()))
            .collect();
        if next_runs.is_empty() {
            ctx.warn("It never fires: no day is matched before the year 10000.");
        } else if next_runs.len() < count {
            ctx.warn("It does not fire more often before the year 10000.");
        }
        let field = |field| Field::new(field, ctx.surface);
        Ok(Answer::new(
            "cron",
            Output {
                expression: schedule.expression(),
                description: schedule.describe(),
                next_runs,
                fields: Fields {
                    minute: field(&schedule.minute),
                    hour: field(&schedule.hour),
                    day_of_month: field(&schedule.day_of_month),
                    month: field(&schedule.month),
                    day_of_week: field(&schedule.day_of_week),
                },
            },
        ))
    }
}

const EXAMPLES: &[Example] = &[
    Example {
        title: "At 09:30 on working days",
        input: r#"{"expression": "30 9  * * MON-FRI"}"#,
        answer: r#"{
            "result": {
                "expression": "30 9 * * MON-FRI",
                "description": "At 09:30, Monday through Friday.",
                "next_runs": ["2023-11-15T09:30:00Z", "2023-11-16T09:30:00Z", "2023-11-17T09:30:00Z"],
                "fields": {
                    "minute": {"raw": "30", "values": [30]},
                    "hour": {"raw": "9", "values": [9]},
                    "day_of_month": {"raw": "*", "values": [
                        1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22,
                        23, 24, 25, 26, 27, 28, 29, 30, 31
                    ]},
                    "month": {"raw": "*", "values": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]},
                    "day_of_week": {"raw": "MON-FRI", "values": [1, 2, 3, 4, 5]}
                }
            },
            "type": "cron"
        }"#,
    },
    Example {
        title: "The 13th or a Friday, after a given time",
        input: r#"{"expression": "0 0 13 */6 5", "from": "2024-01-05T00:00:00+01:00", "count": 4}"#,
        answer: r#"{
            "result": {
                "expression": "0 0 13 */6 5",
                "description": "At 00:00, on day 13 of the month or on Friday, in January and July.",
                "next_runs": [
                    "2024-01-05T00:00:00Z", "2024-01-12T00:00:00Z", "2024-01-13T00:00:00Z",
                    "2024-01-19T00:00:00Z"
                ],
                "fields": {
                    "minute": {"raw": "0", "values": [0]},
                    "hour": {"raw": "0", "values": [0]},
                    "day_of_month": {"raw": "13", "values": [13]},
                    "month": {"raw": "*/6", "values": [1, 7]},
                    "day_of_week": {"raw": "5", "values": [5]}
                }
            },
            "type": "cron"
        }"#,
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

    #[test]
    fn an_expression_that_never_fires_has_no_runs_and_a_warning() {
        let (result, warnings) = run(&json!({"expression": "0 0 30 2 *"})).unwrap();
        assert_eq!(result["next_runs"], json!([]));
        assert_eq!(warnings, ["It never fires: no day is matched before the year 10000."]);

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
            assert!(refused.ends_with("use a whole number from 1 to 50."), "{refused}");
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
                "`from` is empty; ISO 8601 is written as in ",
            ),
            (
                json!({"expression": "@daily", "from": "2023-02-30"}),
                "`from` has a day that does not exist at offset 8",
            ),
            (json!({"expression": "@daily", "from": 1_700_000_000}), "`from` must be a string"),
        ] {
            let refused = run(&input).unwrap_err();
            assert!(refused.starts_with(start), "{refused}");
        }
    }
}
