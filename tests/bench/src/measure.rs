//! The same work on several servers, in alternating rounds.

use std::fs;
use std::io::{self, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::process::Command;
use std::time::{Duration, Instant};

use tempfile::NamedTempFile;
use toolkit_bench::cases::Case;
use toolkit_bench::process::{Server, free_port};

use crate::load::Load;

/// How long and how often.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Plan {
    pub(crate) rounds: usize,
    /// Of a round.
    pub(crate) duration: Duration,
    /// How long each server is asked before it counts.
    pub(crate) warm_up: Duration,
    pub(crate) connections: usize,
}

impl Plan {
    /// The same with so many connections.
    pub(crate) fn with_connections(self, connections: usize) -> Self {
        Self {
            connections,
            ..self
        }
    }
}

/// A server, and what it is asked.
#[derive(Clone, Copy)]
pub(crate) struct Subject<'a> {
    pub(crate) server: &'a Server,
    pub(crate) case: &'a Case,
}

/// What one server needed for a request.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Cost {
    pub(crate) cpu_micros: f64,
    pub(crate) per_second: f64,
    pub(crate) p50_micros: f64,
    pub(crate) p99_micros: f64,
}

impl Cost {
    /// Requests that a second of one core's time is enough for.
    pub(crate) fn per_cpu_second(&self) -> f64 {
        1e6 / self.cpu_micros
    }
}

/// What one server needed, round by round.
#[derive(Debug, Clone, Default)]
pub(crate) struct Costs(Vec<Cost>);

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

    /// The CPU time of a request over that of the other's, as the median of the rounds. The two of a round
    /// follow one another, so what slows the machine down for a while slows both.
    pub(crate) fn cpu_over(&self, other: &Self) -> f64 {
        self.over(other, |cost| cost.cpu_micros)
    }

    /// The 99th percentile over that of the other's, likewise.
    pub(crate) fn p99_over(&self, other: &Self) -> f64 {
        self.over(other, |cost| cost.p99_micros)
    }

    fn over(&self, other: &Self, value: fn(&Cost) -> f64) -> f64 {
        let pairs = self.0.iter().zip(&other.0);
        median(
            pairs
                .map(|(one, other)| value(one) / value(other))
                .collect(),
        )
    }
}

impl FromIterator<Cost> for Costs {
    fn from_iter<I: IntoIterator<Item = Cost>>(rounds: I) -> Self {
        Self(rounds.into_iter().collect())
    }
}

/// The value in the middle.
pub(crate) fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

/// Asks each server in turn, round after round, and each second round in the opposite order.
pub(crate) fn alternate<const N: usize>(
    subjects: [Subject<'_>; N],
    plan: Plan,
) -> io::Result<[Costs; N]> {
    for subject in subjects {
        subject.load(plan.connections, plan.warm_up).run()?;
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
    fn load(&self, connections: usize, duration: Duration) -> Load {
        Load {
            address: self.server.address,
            request: self.case.request(self.server.address).into(),
            status: 200,
            connections,
            duration,
        }
    }

    /// Asks for as long as the plan says; what the server needed for it.
    pub(crate) fn round(&self, plan: Plan) -> io::Result<Cost> {
        let before = self.server.cpu_seconds()?;
        let start = Instant::now();
        let mut seen = self.load(plan.connections, plan.duration).run()?;
        let took = start.elapsed();
        let used = self.server.cpu_seconds()? - before;
        if seen.others > 0 || seen.answers == 0 {
            let text = format!("{}: {} of other statuses", self.case.name, seen.others);
            return Err(io::Error::other(text));
        }
        #[expect(clippy::cast_precision_loss, reason = "far fewer than 2^52 answers")]
        let answers = seen.answers as f64;
        Ok(Cost {
            cpu_micros: used * 1e6 / answers,
            per_second: answers / took.as_secs_f64(),
            p50_micros: seen.micros(0.5),
            p99_micros: seen.micros(0.99),
        })
    }

    /// The body of one answer, which must be a good one.
    pub(crate) fn ask(&self) -> io::Result<Vec<u8>> {
        let mut stream = TcpStream::connect(self.server.address)?;
        let mut request = self.case.request(self.server.address);
        if let Some(line) = request.windows(2).position(|window| window == b"\r\n") {
            request.splice(line..line, *b"\r\nConnection: close");
        }
        stream.write_all(&request)?;
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer)?;
        let head = answer.windows(4).position(|window| window == b"\r\n\r\n");
        match head {
            Some(head) if answer.starts_with(b"HTTP/1.1 200") => Ok(answer.split_off(head + 4)),
            _ => {
                let text = String::from_utf8_lossy(&answer).into_owned();
                Err(io::Error::other(format!("{}: {text}", self.case.name)))
            }
        }
    }
}

/// A bare handler that answers a case with the bytes that a server of ours answers it with.
pub(crate) struct Bare {
    pub(crate) server: Server,
    /// Read when the handler starts; kept, as it is read by another process.
    _answer: NamedTempFile,
}

impl Bare {
    /// Starts one that gives the answer of `subject`.
    pub(crate) fn of(subject: Subject<'_>, workers: usize) -> io::Result<Self> {
        let answer = NamedTempFile::new()?;
        fs::write(answer.path(), subject.ask()?)?;
        let port = free_port()?;
        let mut command = Command::new(std::env::current_exe()?);
        command
            .arg("serve")
            .arg(port.to_string())
            .arg(workers.to_string())
            .arg(answer.path());
        let address = SocketAddr::from(([127, 0, 0, 1], port));
        Ok(Self {
            server: Server::start(&mut command, address)?,
            _answer: answer,
        })
    }
}

/// A case on a server of ours and on a bare handler.
#[derive(Debug, Clone)]
pub(crate) struct Row {
    pub(crate) name: String,
    pub(crate) ours: Costs,
    pub(crate) bare: Costs,
}

/// Measures a case on a server with so many workers against a bare handler with as many.
pub(crate) fn against_bare(
    case: &Case,
    server: &Server,
    workers: usize,
    plan: Plan,
) -> io::Result<Row> {
    let ours = Subject { server, case };
    let bare = Bare::of(ours, workers)?;
    let server = &bare.server;
    let [ours, bare] = alternate([ours, Subject { server, case }], plan)?;
    let name = case.name.clone();
    Ok(Row { name, ours, bare })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn costs(micros: &[f64]) -> Costs {
        let cost = |&cpu_micros| Cost {
            cpu_micros,
            ..Cost::default()
        };
        Costs(micros.iter().map(cost).collect())
    }

    #[test]
    fn a_slow_while_of_the_machine_does_not_count() {
        let (ours, bare) = (costs(&[12.0, 24.0, 12.0]), costs(&[10.0, 20.0, 11.0]));
        assert!((ours.cpu_over(&bare) - 1.2).abs() < 1e-9);
        assert!((ours.median().cpu_micros - 12.0).abs() < 1e-9);
    }
}
