//! The same work on several servers, in alternating rounds.

use std::time::{Duration, Instant};

use toolkit_measure::Result;
use toolkit_measure::cases::Case;
use toolkit_measure::client::ask_once;
use toolkit_measure::load::Load;
use toolkit_measure::process::Server;
use toolkit_measure::table::{figure, float, times};

/// Duration and number of rounds.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Plan {
    pub(crate) rounds: usize,
    /// Duration of a round.
    pub(crate) duration: Duration,
    /// Warm-up of each server.
    pub(crate) warm_up: Duration,
    pub(crate) connections: usize,
}

/// A server and its requests.
#[derive(Clone, Copy)]
pub(crate) struct Subject<'a>(pub(crate) &'a Server, pub(crate) &'a Case);

/// Cost of a request on one server.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Cost {
    pub(crate) cpu_micros: f64,
    pub(crate) per_second: f64,
    pub(crate) p50_micros: f64,
    pub(crate) p99_micros: f64,
}

/// Cost on one server, by round.
#[derive(Debug, Clone, Default)]
pub(crate) struct Costs(pub(crate) Vec<Cost>);

impl Costs {
    /// The median of each figure.
    pub(crate) fn median(&self) -> Cost {
        let of = |value: fn(&Cost) -> f64| median(self.0.iter().map(value).collect());
        Cost {
            cpu_micros: of(|cost| cost.cpu_micros),
            per_second: of(|cost| cost.per_second),
            p50_micros: of(|cost| cost.p50_micros),
            p99_micros: of(|cost| cost.p99_micros),
        }
    }

    /// CPU time of a request relative to another's: the median of the rounds' ratios. The two
    /// measurements of a round are consecutive, so a temporary slowdown of the machine affects both.
    pub(crate) fn cpu_over(&self, other: &Self) -> f64 {
        let pairs = self.0.iter().zip(&other.0);
        let ratios = pairs.map(|(one, other)| one.cpu_micros / other.cpu_micros);
        median(ratios.collect())
    }
}

/// The median.
pub(crate) fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

/// Loads each server in turn, round after round, in reverse order in every second round.
pub(crate) fn alternate<const N: usize>(
    subjects: [Subject<'_>; N],
    plan: Plan,
) -> Result<[Costs; N]> {
    for subject in subjects {
        subject.load(plan).run(plan.warm_up)?;
    }
    let mut costs = [const { Costs(Vec::new()) }; N];
    for number in 0..plan.rounds {
        let mut pairs: Vec<_> = subjects.iter().zip(&mut costs).collect();
        if number % 2 == 1 {
            pairs.reverse();
        }
        for (subject, costs) in pairs {
            costs.0.push(subject.round(plan)?);
        }
    }
    Ok(costs)
}

impl Subject<'_> {
    pub(crate) fn load(&self, plan: Plan) -> Load {
        Load::of(self.1, self.0.address, plan.connections)
    }

    /// Loads a server for the planned time; returns its cost.
    pub(crate) fn round(&self, plan: Plan) -> Result<Cost> {
        let before = self.0.cpu_seconds()?;
        let start = Instant::now();
        let seen = self.load(plan).run_well(plan.duration)?;
        let took = start.elapsed();
        let used = self.0.cpu_seconds()? - before;
        let answers = float(seen.latencies.len());
        Ok(Cost {
            cpu_micros: used * 1e6 / answers,
            per_second: answers / took.as_secs_f64(),
            p50_micros: seen.micros(0.5),
            p99_micros: seen.micros(0.99),
        })
    }

    /// The head and the body of one response, which must be a good one.
    pub(crate) fn ask(&self) -> Result<(String, Vec<u8>)> {
        ask_once(self.0.address, self.1)
    }

    /// Starts a bare handler with the same response: to a GET with the same headers, as a static
    /// response is prepared, and to a POST with the type alone.
    pub(crate) fn bare(&self) -> Result<Server> {
        const OWN: [&str; 3] = ["connection", "content-length", "date"];
        let (head, body) = self.ask()?;
        let is_kept = |line: &&str| {
            let name = line.split(':').next().unwrap_or_default();
            let name = name.to_ascii_lowercase();
            name == "content-type" || self.1.body.is_none() && !OWN.contains(&&*name)
        };
        let headers: Vec<&str> = head.trim().lines().skip(1).filter(is_kept).collect();
        Server::bare(&headers.join("\r\n"), &body)
    }

    /// Measures a server with one worker against a bare handler with one.
    pub(crate) fn against_bare(&self, plan: Plan) -> Result<[Costs; 2]> {
        let bare = self.bare()?;
        alternate([*self, Subject(&bare, self.1)], plan)
    }
}

/// Results of a case on our server and on the bare handler.
pub(crate) const HEADS: &str = "Body | CPU of the bare handler's | CPU, us | bare, us \
                                | requests/s | p99, us | bare p99, us";

/// The cells under [`HEADS`].
pub(crate) fn cells(case: &Case, costs: &[Costs; 2]) -> String {
    let (input, ratio) = (case.input(), times(costs[0].cpu_over(&costs[1])));
    let [ours, bare] = costs.each_ref().map(Costs::median);
    let figures =
        [ours.cpu_micros, bare.cpu_micros, ours.per_second, ours.p99_micros, bare.p99_micros];
    format!("{input} | {ratio} | {}", figures.map(figure).join(" | "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn costs(micros: [f64; 3]) -> Costs {
        let cost = |cpu_micros| Cost { cpu_micros, ..Cost::default() };
        Costs(micros.map(cost).to_vec())
    }

    #[test]
    fn a_temporary_slowdown_does_not_count() {
        let (ours, bare) = (costs([12.0, 24.0, 12.0]), costs([10.0, 20.0, 11.0]));
        assert!((ours.cpu_over(&bare) - 1.2).abs() < 1e-9);
        assert!((ours.median().cpu_micros - 12.0).abs() < 1e-9);
    }
}
