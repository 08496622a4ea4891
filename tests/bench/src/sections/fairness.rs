//! Fairness: the latency of small runs while large ones keep the server busy.

use std::io;
use std::thread;
use std::time::Duration;

use toolkit_bench::cases::{inputs, runs};
use toolkit_bench::load::Load;
use toolkit_bench::process::Server;
use toolkit_bench::table::{figure, float, times};

use super::{Bench, LARGE_BODIES, Section};
use crate::measure::median;

/// Clients that send large runs without a pause.
const LARGE_CLIENTS: usize = 4;

/// Warm-up of the large runs.
const BUILD_UP: Duration = Duration::from_millis(200);

const HEADS: &str = "Large runs | p99 of small runs, of its quiet value | p99, us | quiet, us \
                     | p50, us | quiet, us | large runs/s";

pub(super) fn measure(bench: &Bench, section: &mut Section) -> io::Result<()> {
    let (plan, small) = (bench.plan, runs().swap_remove(0));
    for input in inputs().iter().filter(|input| bench.wants(&input.name)) {
        let (case, _) = input.run(input.sizes[2]);
        // With one worker per core, as in a server with default settings.
        let server = Server::ours("api-server", &[LARGE_BODIES])?;
        let small = Load::of(&small, server.address, plan.connections);
        let large = Load::of(&case, server.address, LARGE_CLIENTS);
        small.run_well(plan.warm_up)?;
        let mut rounds: [Vec<f64>; 6] = Default::default();
        for _ in 0..plan.rounds {
            let quiet = small.run_well(plan.duration)?;
            let during = BUILD_UP + plan.duration;
            let (busy, large) = thread::scope(|scope| {
                // A server may refuse large runs, but never small ones.
                let large = scope.spawn(|| large.run(during));
                thread::sleep(BUILD_UP);
                (small.run_well(plan.duration), large.join())
            });
            let busy = busy?;
            let large = large.map_err(|_| io::Error::other("the large clients panicked"))??;
            let [p99, quiet_p99] = [&busy, &quiet].map(|seen| seen.micros(0.99));
            let [p50, quiet_p50] = [&busy, &quiet].map(|seen| seen.micros(0.5));
            let per_second = float(large.latencies.len()) / during.as_secs_f64();
            let figures = [p99 / quiet_p99, p99, quiet_p99, p50, quiet_p50, per_second];
            for (all, figure) in rounds.iter_mut().zip(figures) {
                all.push(figure);
            }
        }
        let [ratio, others @ ..] = rounds.map(median);
        section.figure("fairness", &case.name, ratio);
        section.row([case.name, times(ratio), others.map(figure).join(" | ")]);
    }
    section.table(HEADS);
    Ok(())
}
