//! Rows of the table.
#![expect(
    clippy::cast_precision_loss,
    reason = "counts and microseconds of a run are far below 2^52"
)]

mod cost;
mod ends;
mod many;

use std::time::Duration;

use toolkit_measure::Result;

/// A row: measurement, goal and result.
pub(crate) struct Row {
    pub(crate) what: &'static str,
    pub(crate) goal: &'static str,
    pub(crate) measured: String,
}

impl Row {
    fn new(what: &'static str, goal: &'static str, measured: String) -> Self {
        Self { what, goal, measured }
    }
}

/// Measures the groups of rows whose names contain this part, and passes on each row.
pub(crate) async fn all(only: Option<&str>, report: &mut impl FnMut(&Row)) -> Result<()> {
    let wanted = |name: &str| only.is_none_or(|only| name.contains(only));
    if wanted("cost") {
        cost::rows().await?.iter().for_each(&mut *report);
    }
    if wanted("many") {
        many::rows().await?.iter().for_each(&mut *report);
    }
    if wanted("idle readers") {
        many::readers_that_do_not_read().await?.iter().for_each(&mut *report);
    }
    if wanted("slow reader") {
        many::slow_reader().await?.iter().for_each(&mut *report);
    }
    if wanted("client killed") {
        ends::client_killed().await?.iter().for_each(&mut *report);
    }
    if wanted("stop") {
        ends::stop().await?.iter().for_each(&mut *report);
    }
    Ok(())
}

/// Converts a short duration to microseconds.
fn micros(time: Duration) -> f64 {
    time.as_secs_f64() * 1e6
}

fn median(values: &mut [f64]) -> f64 {
    percentile(values, 0.5)
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a share of a few thousand values"
)]
fn percentile(values: &mut [f64], share: f64) -> f64 {
    values.sort_by(f64::total_cmp);
    let place = (values.len().saturating_sub(1) as f64 * share).round() as usize;
    values.get(place).copied().unwrap_or(f64::NAN)
}
