//! Fairness: the latency of small runs while large ones keep the server busy.

use std::thread;
use std::time::Duration;

use toolkit_bench::Result;
use toolkit_bench::cases::{inputs, runs};
use toolkit_bench::load::Load;
use toolkit_bench::process::Server;
use toolkit_bench::table::{figure, float, times};

use super::{Bench, LARGE_BODIES, Section};
use crate::measure::{Costs, Subject, median};

/// Clients that send large runs without a pause.
const LARGE_CLIENTS: usize = 4;

/// Warm-up of the large runs.
const BUILD_UP: Duration = Duration::from_millis(200);

const HEADS: &str = "Large runs | p99 of small runs, of its quiet value | p99, us | quiet, us \
                     | p50, us | quiet, us | large runs/s";

pub(super) fn measure(bench: &Bench, section: &mut Section) -> Result<()> {
    let (plan, small) = (bench.plan, runs().swap_remove(0));
    for input in inputs().iter().filter(|input| bench.wants(&input.name)) {
        let (case, _) = input.run(input.sizes[2]);
        // With one worker per core, as in a server with default settings.
        let server = Server::ours("api-server", &[LARGE_BODIES])?;
        let small = Subject(&server, &small);
        let large = Load::of(&case, server.address, LARGE_CLIENTS);
        let during = BUILD_UP + plan.duration;
        small.load(plan).run_well(plan.warm_up)?;
        let (mut quiet, mut busy, mut rates) = (Costs::default(), Costs::default(), Vec::new());
        for _ in 0..plan.rounds {
            quiet.0.push(small.round(plan)?);
            let (cost, seen) = thread::scope(|scope| {
                // A server may refuse large runs, but never small ones.
                let large = scope.spawn(|| large.run(during));
                thread::sleep(BUILD_UP);
                (small.round(plan), large.join())
            });
            busy.0.push(cost?);
            let seen = seen.map_err(|_| "the large clients panicked")??;
            rates.push(float(seen.latencies.len()) / during.as_secs_f64());
        }
        let ratio = busy.over(&quiet, |cost| cost.p99_micros);
        let [busy, quiet] = [busy, quiet].map(|costs| costs.median());
        let p99 = [busy.p99_micros, quiet.p99_micros].map(figure).join(" | ");
        let p50 = [busy.p50_micros, quiet.p50_micros].map(figure).join(" | ");
        section.figure("fairness", &case.name, ratio);
        section.row([case.name, times(ratio), p99, p50, figure(median(rates))]);
    }
    section.table(HEADS);
    Ok(())
}
