//! Scaling: cost by number of clients, and with a second worker.

use std::io;

use toolkit_bench::cases;
use toolkit_bench::process::Server;

use super::{Bench, Section};
use crate::measure::{Cost, HEADS, Plan, against_bare, cells};
use crate::plot::{Curve, Plot};

const CONNECTIONS: [u16; 4] = [1, 16, 64, 256];

const WORKERS: [(&str, usize); 2] = [("1 worker", 1), ("2 workers", 2)];

pub(super) fn measure(bench: &Bench, section: &mut Section) -> io::Result<()> {
    let mut points: Vec<(&str, u16, Cost)> = Vec::new();
    let runs = cases::runs();
    for case in runs.iter().take(1).filter(|case| bench.wants(&case.name)) {
        for (curve, workers) in WORKERS {
            let count = workers.to_string();
            let server = Server::ours("api-server", &[("HTTP__WORKERS", &count)])?;
            for at in CONNECTIONS {
                let connections = at.into();
                let plan = Plan {
                    connections,
                    ..bench.plan
                };
                let costs = against_bare(case, &server, workers, plan)?;
                section.row([format!("{curve}, {at}"), cells(case, &costs)]);
                points.push((curve, at, costs[0].median()));
            }
        }
    }
    section.table(&format!("Workers, connections | {HEADS}"));
    let curves = |value: fn(&Cost) -> f64| {
        let curve = |(name, _): (&str, _)| -> Curve {
            let own = points.iter().filter(|(curve, _, _)| *curve == name);
            let own = own.map(|(_, at, cost)| (f64::from(*at), value(cost)));
            (name.to_owned(), own.collect())
        };
        WORKERS.map(curve).to_vec()
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
