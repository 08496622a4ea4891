//! A small run of each tool over REST, and two of them without the access log.

use std::io;

use toolkit_bench::cases::{self, Case};

use super::{Bench, Section, costs_table, ours, ratios};
use crate::goals::{Finding, Goal};
use crate::measure::{Bare, Row, Subject, alternate};
use crate::report::say;
use crate::table::{Table, figure};

/// The runs whose own work is next to nothing, so that what is around it shows.
const SMALL: [&str; 2] = ["base64-encoder", "uuid-generator"];

/// A run with the access log, without it, and on the bare handler.
struct Logged {
    with_log: Row,
    without_log: Row,
}

pub(super) fn measure(bench: &Bench) -> io::Result<Section> {
    let server = ours("api-server", &[])?;
    let cases = cases::runs();
    let rows = bench.against_bare(&server, &cases)?;
    drop(server);
    let small = cases.iter().filter(|case| SMALL.contains(&&*case.name));
    let small = small.filter(|case| bench.wants(&case.name));
    let logged = small
        .map(|case| with_and_without_log(bench, case))
        .collect::<io::Result<Vec<_>>>()?;
    let p99 = rows
        .iter()
        .map(|row| (row.name.clone(), row.ours.p99_over(&row.bare)));
    Ok(Section {
        text: format!("{}\n{}", costs_table("Run", &rows), logged_table(&logged)),
        findings: vec![
            ratios(Goal::SmallRun, logged.iter().map(|run| &run.with_log)),
            ratios(
                Goal::SmallRunWithoutLog,
                logged.iter().map(|run| &run.without_log),
            ),
            Finding {
                goal: Goal::P99,
                figures: p99.collect(),
            },
        ],
        plots: Vec::new(),
    })
}

/// All three in the same rounds, so that the difference is that of the log alone.
fn with_and_without_log(bench: &Bench, case: &Case) -> io::Result<Logged> {
    let with = ours("api-server", &[])?;
    let without = ours("api-server", &[("LOG__LEVEL", "warn")])?;
    let of = |server| Subject { server, case };
    let bare = Bare::of(of(&with), 1)?;
    let subjects = [of(&with), of(&without), of(&bare.server)];
    let [with, without, bare] = alternate(subjects, bench.plan)?;
    let row = |ours| Row {
        name: case.name.clone(),
        ours,
        bare: bare.clone(),
    };
    let [with_log, without_log] = [with, without].map(row);
    let ratio = without_log.ours.cpu_over(&bare);
    say(&format!("{}, access log off: {ratio:.2} x", case.name));
    Ok(Logged {
        with_log,
        without_log,
    })
}

fn logged_table(runs: &[Logged]) -> Table {
    let mut table = Table::of_figures(&[
        "Access log",
        "on, CPU of the bare handler's",
        "off, CPU of the bare handler's",
        "on, us",
        "off, us",
        "bare, us",
    ]);
    for Logged {
        with_log,
        without_log,
    } in runs
    {
        table.row(&[
            with_log.name.clone(),
            format!("{:.2} x", with_log.ours.cpu_over(&with_log.bare)),
            format!("{:.2} x", without_log.ours.cpu_over(&without_log.bare)),
            figure(with_log.ours.median().cpu_micros),
            figure(without_log.ours.median().cpu_micros),
            figure(with_log.bare.median().cpu_micros),
        ]);
    }
    table
}
