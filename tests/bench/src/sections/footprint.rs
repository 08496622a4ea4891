//! Start-up time, memory and the size of the programs.

use std::fs;
use std::io;

use serde_json::json;
use toolkit_bench::cases::{self, Case};
use toolkit_bench::process::{Server, sibling};

use super::{Bench, Section, ours};
use crate::goals::{Finding, Goal};
use crate::measure::{Plan, Subject, median};
use crate::report::say;
use crate::table::{Table, figure};

/// Starts whose median counts.
const STARTS: usize = 9;

/// Bytes of a large input: near what a body may be by default.
const LARGE_BYTES: usize = 1_000_000;

/// What a server takes, in milliseconds and MiB.
struct Footprint {
    name: &'static str,
    start_ms: f64,
    slowest_start_ms: f64,
    idle: f64,
    idle_private: f64,
    under_load: f64,
    after_load: f64,
    under_large: f64,
    binary: f64,
}

/// A line of the table: what is in it, and where that comes from.
type Line = (&'static str, fn(&Footprint) -> f64);

pub(super) fn measure(bench: &Bench) -> io::Result<Section> {
    let small = [
        ("api-server", [cases::runs(), cases::reads()].concat()),
        (
            "mcp-server",
            [cases::calls(false), cases::calls(true)].concat(),
        ),
    ];
    let text = "a".repeat(LARGE_BYTES);
    let large = [
        cases::run(
            "base64-encoder".to_owned(),
            "base64-encoder",
            &json!({ "text": text }),
        ),
        cases::call(
            "base64_transform",
            &json!({"text": text, "mode": "encode"}),
            false,
        ),
    ];
    let mut all = Vec::new();
    for ((name, small), large) in small.into_iter().zip(large) {
        if bench.wants(name) {
            all.push(footprint(name, &small, &large, bench.plan)?);
        }
    }
    if all.is_empty() {
        return Ok(Section::default());
    }
    Ok(Section {
        text: table(&all).to_string(),
        findings: vec![
            finding(Goal::StartUp, &all, |server| server.start_ms),
            finding(Goal::IdleMemory, &all, |server| server.idle),
            finding(Goal::MemoryUnderLoad, &all, |server| server.under_load),
        ],
        plots: Vec::new(),
    })
}

fn footprint(
    name: &'static str,
    small: &[Case],
    large: &Case,
    plan: Plan,
) -> io::Result<Footprint> {
    let starts = (0..STARTS).map(|_| Ok(ours(name, &[])?.start_up.as_secs_f64() * 1e3));
    let starts: Vec<f64> = starts.collect::<io::Result<_>>()?;
    let slowest_start_ms = starts.iter().copied().fold(0.0, f64::max);
    // With a worker for each core, as a server is without settings.
    let server = Server::ours(name, &[])?;
    ask_once(&server, small)?;
    let idle = server.memory()?;
    load(&server, small, plan)?;
    let loaded = server.memory()?;
    load(&server, std::slice::from_ref(large), plan)?;
    let most = server.memory()?;
    say(&format!(
        "{name}: {:.1} MiB idle, {:.1} under load",
        idle.resident, loaded.highest
    ));
    Ok(Footprint {
        name,
        start_ms: median(starts),
        slowest_start_ms,
        idle: idle.resident,
        idle_private: idle.private,
        under_load: loaded.highest,
        after_load: loaded.resident,
        under_large: most.highest,
        binary: mib(fs::metadata(sibling(name)?)?.len()),
    })
}

/// One request, so that all has begun that begins with the first.
fn ask_once(server: &Server, cases: &[Case]) -> io::Result<()> {
    if let Some(case) = cases.first() {
        Subject { server, case }.ask()?;
    }
    Ok(())
}

fn load(server: &Server, cases: &[Case], plan: Plan) -> io::Result<()> {
    for case in cases {
        Subject { server, case }.round(plan)?;
    }
    Ok(())
}

#[expect(clippy::cast_precision_loss, reason = "far less than 2^52 bytes")]
fn mib(bytes: u64) -> f64 {
    bytes as f64 / f64::from(1 << 20)
}

fn finding(goal: Goal, all: &[Footprint], value: fn(&Footprint) -> f64) -> Finding {
    let figures = all
        .iter()
        .map(|server| (server.name.to_owned(), value(server)));
    Finding {
        goal,
        figures: figures.collect(),
    }
}

fn table(all: &[Footprint]) -> Table {
    let names = all.iter().map(|server| server.name);
    let mut table = Table::of_figures(&[""].into_iter().chain(names).collect::<Vec<_>>());
    let lines: [Line; 8] = [
        ("from the start until a connection is taken, ms", |server| {
            server.start_ms
        }),
        ("the slowest of nine starts, ms", |server| {
            server.slowest_start_ms
        }),
        ("resident after the first request, MiB", |server| {
            server.idle
        }),
        ("of that, not backed by the program's file, MiB", |server| {
            server.idle_private
        }),
        (
            "at most under small requests on 32 connections, MiB",
            |server| server.under_load,
        ),
        ("after them, MiB", |server| server.after_load),
        (
            "at most under requests of 1 MB on 32 connections, MiB",
            |server| server.under_large,
        ),
        ("the program, MiB", |server| server.binary),
    ];
    for (name, value) in lines {
        let figures = all.iter().map(|server| figure(value(server)));
        table.row(
            &[name.to_owned()]
                .into_iter()
                .chain(figures)
                .collect::<Vec<_>>(),
        );
    }
    table
}
