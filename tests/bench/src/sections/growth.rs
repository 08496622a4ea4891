//! Scaling: cost by number of clients, and with a second worker.

use toolkit_bench::Result;
use toolkit_bench::cases;
use toolkit_bench::process::Server;

use super::{Bench, Section};
use crate::measure::{Cost, HEADS, Plan, Subject, cells};
use crate::plot::Plot;

const CONNECTIONS: [u16; 4] = [1, 16, 64, 256];

const WORKERS: [(&str, usize); 2] = [("1 worker", 1), ("2 workers", 2)];

pub(super) fn measure(bench: &Bench, section: &mut Section) -> Result<()> {
    let case = cases::runs().swap_remove(0);
    let mut curves = Vec::new();
    for (name, workers) in WORKERS.into_iter().filter(|_| bench.wants(&case.name)) {
        let count = workers.to_string();
        let server = Server::ours("api-server", &[("HTTP__WORKERS", &count)])?;
        let mut points = Vec::new();
        for at in CONNECTIONS {
            let plan = Plan {
                connections: at.into(),
                ..bench.plan
            };
            let costs = Subject(&server, &case).against_bare(workers, plan)?;
            section.row([format!("{name}, {at}"), cells(&case, &costs)]);
            points.push((f64::from(at), costs[0].median()));
        }
        curves.push((name.to_owned(), points));
    }
    section.table(&format!("Workers, connections | {HEADS}"));
    let curves = |value: fn(&Cost) -> f64| {
        let points = |(at, cost): &(f64, Cost)| (*at, value(cost));
        let curves = curves.iter();
        let curves = curves.map(|(name, all)| (name.clone(), all.iter().map(points).collect()));
        curves.collect()
    };
    section.plot(Plot {
        name: "growth-connections",
        title: "Runs of base64-encoder",
        axes: ["connections", "requests per second"],
        curves: curves(|cost| cost.per_second),
    });
    section.plot(Plot {
        name: "growth-p99",
        title: "99th percentile of the latency of base64-encoder",
        axes: ["connections", "microseconds"],
        curves: curves(|cost| cost.p99_micros),
    });
    Ok(())
}
