//! Footprint: start-up time, memory and size of the programs.

use std::fs;
use std::thread;
use std::time::Duration;

use serde_json::json;
use toolkit_measure::Result;
use toolkit_measure::cases::{self, Case};
use toolkit_measure::load::Load;
use toolkit_measure::process::{Server, sibling};
use toolkit_measure::table::{figure, float};

use super::{Bench, Section, ours};
use crate::measure::{Plan, Subject, median};

/// Number of starts, of which the median counts.
const STARTS: usize = 9;

/// Bytes of a large input: close to the default limit of a body.
const LARGE_BYTES: usize = 1_000_000;

/// Time for the allocator to return memory.
const REST: Duration = Duration::from_mins(1);

/// Measurements of each server, in this order.
const LINES: [&str; 9] = [
    "from the start until a connection is taken, ms",
    "the slowest of nine starts, ms",
    "the program, MiB",
    "resident after the first request, MiB",
    "of that, not backed by the program's file, MiB",
    "at most under small requests on 32 connections, MiB",
    "after them, MiB",
    "at most under runs of 1 MB on 32 connections, MiB",
    "a minute after them, MiB",
];

pub(super) fn measure(bench: &Bench, section: &mut Section) -> Result<()> {
    if !bench.wants("api-server") && !bench.wants("mcp-server") {
        return Ok(());
    }
    let text = "a".repeat(LARGE_BYTES);
    let run = cases::run("1 MB", "base64-encoder", &json!({ "text": text }));
    let input = json!({"text": text, "mode": "encode"});
    let call = cases::call("base64_transform", &input, false);
    let runs = [cases::runs(), cases::reads()].concat();
    let calls = [cases::calls(false), cases::calls(true)].concat();
    let (api, mut of_api) = under_small("api-server", &runs, bench.plan)?;
    let (mcp, mut of_mcp) = under_small("mcp-server", &calls, bench.plan)?;
    for (server, case, figures) in [(&api, run, &mut of_api), (&mcp, call, &mut of_mcp)] {
        // A server may refuse some of these requests: the memory for the others counts.
        Load::of(&case, server.address, bench.plan.connections).run(bench.plan.duration)?;
        figures.push(server.memory("VmHWM")?);
    }
    println!("one minute idle");
    thread::sleep(REST);
    of_api.push(api.memory("VmRSS")?);
    of_mcp.push(mcp.memory("VmRSS")?);
    for (what, (of_api, of_mcp)) in LINES.into_iter().zip(of_api.into_iter().zip(of_mcp)) {
        section.row([what.to_owned(), figure(of_api), figure(of_mcp)]);
    }
    section.table(" | api-server | mcp-server");
    Ok(())
}

/// Starts a server with one worker per core, as with default settings; returns it with all figures
/// that precede those of large requests.
fn under_small(name: &str, cases: &[Case], plan: Plan) -> Result<(Server, Vec<f64>)> {
    let starts = (0..STARTS).map(|_| Ok(ours(name, &[])?.start_up.as_secs_f64() * 1e3));
    let starts = starts.collect::<Result<Vec<f64>>>()?;
    let slowest = starts.iter().copied().fold(0.0, f64::max);
    let program = usize::try_from(fs::metadata(sibling(name)?)?.len()).unwrap_or(0);
    let mut figures = vec![median(starts), slowest, float(program) / 1_048_576.0];
    let server = Server::ours(name, &[])?;
    // One request, which initializes whatever the first request initializes.
    if let [first, ..] = cases {
        Subject(&server, first).ask()?;
    }
    figures.extend([server.memory("VmRSS")?, server.memory("RssAnon")?]);
    for case in cases {
        Subject(&server, case).round(plan)?;
    }
    figures.extend([server.memory("VmHWM")?, server.memory("VmRSS")?]);
    Ok((server, figures))
}
