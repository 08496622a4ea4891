//! The parts of the report, one file each.

mod build;
mod calls;
mod footprint;
mod functions;
mod growth;
mod peers;
mod reads;
mod runs;
mod shared;

use std::io;

use toolkit_bench::cases::Case;
use toolkit_bench::process::Server;

use crate::goals::{Finding, Goal};
use crate::measure::{Plan, Row, against_bare};
use crate::plot::Plot;
use crate::report::say;
use crate::table::{Table, figure};

/// A part of the report: its name, which is also that of its markers, and how it is measured.
pub(crate) struct Entry {
    pub(crate) name: &'static str,
    pub(crate) measure: fn(&Bench) -> io::Result<Section>,
    /// Too long for every day.
    pub(crate) only_when_named: bool,
}

/// Every part, in the order in which they are measured.
pub(crate) const SECTIONS: [Entry; 9] = [
    entry("footprint", footprint::measure),
    entry("runs", runs::measure),
    entry("reads", reads::measure),
    entry("calls", calls::measure),
    entry("growth", growth::measure),
    entry("peers", peers::measure),
    entry("shared", shared::measure),
    entry("functions", functions::measure),
    Entry {
        name: "build",
        measure: build::measure,
        only_when_named: true,
    },
];

const fn entry(name: &'static str, measure: fn(&Bench) -> io::Result<Section>) -> Entry {
    Entry {
        name,
        measure,
        only_when_named: false,
    }
}

/// What every part is given.
pub(crate) struct Bench {
    pub(crate) plan: Plan,
    /// Only what has this in its name.
    pub(crate) filter: Option<String>,
}

/// What a part brings to the report.
#[derive(Default)]
pub(crate) struct Section {
    /// Markdown: what comes between its markers.
    pub(crate) text: String,
    pub(crate) findings: Vec<Finding>,
    pub(crate) plots: Vec<Plot>,
}

impl Bench {
    /// Whether something of this name is to be measured.
    fn wants(&self, name: &str) -> bool {
        let filter = self.filter.as_deref();
        filter.is_none_or(|filter| name.contains(filter))
    }

    /// Measures the cases that are wanted on a server of one worker, each against a bare handler.
    fn against_bare(&self, server: &Server, cases: &[Case]) -> io::Result<Vec<Row>> {
        let wanted = cases.iter().filter(|case| self.wants(&case.name));
        let rows = wanted.map(|case| {
            let row = against_bare(case, server, 1, self.plan)?;
            say(&format!(
                "{}: {:.2} x",
                row.name,
                row.ours.cpu_over(&row.bare)
            ));
            Ok(row)
        });
        rows.collect()
    }
}

/// A server of ours with one worker and these settings beyond.
fn ours(name: &str, settings: &[(&str, &str)]) -> io::Result<Server> {
    ours_with_workers(name, 1, settings)
}

fn ours_with_workers(name: &str, workers: usize, settings: &[(&str, &str)]) -> io::Result<Server> {
    let workers = ("HTTP__WORKERS".to_owned(), workers.to_string());
    let settings = settings
        .iter()
        .map(|&(key, value)| (key.to_owned(), value.to_owned()));
    let settings: Vec<_> = settings.chain([workers]).collect();
    Server::ours(name, &settings)
}

/// The usual table: what a request costs, and how much that is of the bare handler's.
fn costs_table(what: &str, rows: &[Row]) -> Table {
    let mut table = Table::of_figures(&[
        what,
        "CPU of the bare handler's",
        "CPU, us",
        "bare, us",
        "requests/s",
        "p50, us",
        "p99, us",
        "bare p99, us",
    ]);
    for row in rows {
        let (ours, bare) = (row.ours.median(), row.bare.median());
        table.row(&[
            row.name.clone(),
            format!("{:.2} x", row.ours.cpu_over(&row.bare)),
            figure(ours.cpu_micros),
            figure(bare.cpu_micros),
            figure(ours.per_second),
            figure(ours.p50_micros),
            figure(ours.p99_micros),
            figure(bare.p99_micros),
        ]);
    }
    table
}

/// How much CPU time the rows took of the bare handler's, as what was found for a goal.
fn ratios<'a>(goal: Goal, rows: impl IntoIterator<Item = &'a Row>) -> Finding {
    let rows = rows.into_iter();
    let figures = rows.map(|row| (row.name.clone(), row.ours.cpu_over(&row.bare)));
    Finding {
        goal,
        figures: figures.collect(),
    }
}
