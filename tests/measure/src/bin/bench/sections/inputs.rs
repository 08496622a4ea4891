//! Realistic inputs over HTTP, compared with fastify doing the same work and with the bare handler.

use serde_json::Value as Json;
use toolkit_measure::Result;
use toolkit_measure::cases::inputs;
use toolkit_measure::table::{figure, float, size, times};

use super::peers::{Language, start};
use super::{Bench, LARGE_BODIES, Section, ours};
use crate::measure::{Costs, Plan, Subject, alternate};

/// Number of clients: fewer than elsewhere, since each receives answers of a megabyte.
const CONNECTIONS: usize = 8;

const HEADS: &str = "Work | Input | ours per CPU second, of fastify's | CPU of the bare handler's \
                     | CPU, us | bare, us | fastify, us | MB/s of one core | p99, us | bare p99, us \
                     | fastify's p99, us";

pub(super) fn measure(bench: &Bench, section: &mut Section) -> Result<()> {
    if !inputs().iter().any(|input| bench.wants(&input.name)) {
        return Ok(());
    }
    let ours = ours("api-server", &[LARGE_BODIES])?;
    let fastify = start(Language::JavaScript, "fastify.mjs")?;
    let plan = Plan {
        // The peer is compiled just in time, so it needs a warm-up.
        warm_up: bench.plan.warm_up * 5,
        connections: CONNECTIONS,
        ..bench.plan
    };
    for input in inputs().iter().filter(|input| bench.wants(&input.name)) {
        for bytes in input.sizes {
            let (case, text) = input.run(bytes);
            let their_case = case.at(&input.path);
            let (ours, theirs) = (Subject(&ours, &case), Subject(&fastify, &their_case));
            // Their spelling of numbers and empty values may differ.
            let (length, their_length) = (result_length(ours)?, result_length(theirs)?);
            if length.abs_diff(their_length) > length / 10 {
                let name = &case.name;
                return Err(format!("{name}: {length} bytes, the peer's {their_length}").into());
            }
            let bare = ours.bare()?;
            let costs = alternate([ours, Subject(&bare, &case), theirs], plan)?;
            let ratio = costs[2].cpu_over(&costs[0]);
            let of_bare = costs[0].cpu_over(&costs[1]);
            let medians = costs.map(|costs: Costs| costs.median());
            let micros = medians.map(|cost| cost.cpu_micros);
            let (length, cpu) = (float(text.len()), micros[0]);
            section.row([
                input.name.clone(),
                size(text.len()),
                times(ratio),
                times(of_bare),
                micros.map(figure).join(" | "),
                // One byte per microsecond is one megabyte per second.
                figure(length / cpu),
                medians.map(|cost| figure(cost.p99_micros)).join(" | "),
            ]);
        }
    }
    section.table(HEADS);
    Ok(())
}

/// Returns the length of the result in a server's answer.
fn result_length(subject: Subject<'_>) -> Result<usize> {
    let (_, answer) = subject.ask()?;
    let answer: Json = serde_json::from_slice(&answer)?;
    let result = answer.get("result").and_then(Json::as_str);
    Ok(result.unwrap_or_default().len())
}
