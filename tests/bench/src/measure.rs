//! One case on two servers, in alternating rounds.

use std::fs;
use std::io::{self, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use toolkit_bench::cases::Case;
use toolkit_bench::process::{Server, free_port};

use crate::load::Load;

/// How long and how often.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Plan {
    pub(crate) rounds: usize,
    pub(crate) duration: Duration,
    pub(crate) connections: usize,
    pub(crate) workers: usize,
}

/// What one server needed for a request; medians of the rounds.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Cost {
    pub(crate) cpu_micros: f64,
    pub(crate) per_second: f64,
    pub(crate) p50_micros: f64,
    pub(crate) p99_micros: f64,
}

/// A case on the bare handler and on ours.
#[derive(Debug, Clone)]
pub(crate) struct Row {
    pub(crate) name: String,
    pub(crate) bare: Cost,
    pub(crate) ours: Cost,
}

impl Row {
    /// CPU time of ours over the bare handler's.
    pub(crate) fn ratio(&self) -> f64 {
        self.ours.cpu_micros / self.bare.cpu_micros
    }
}

/// Measures a case.
pub(crate) fn measure(case: &Case, ours: &Server, plan: Plan) -> io::Result<Row> {
    let answer = tempfile::NamedTempFile::new()?;
    fs::write(answer.path(), ask(case, ours.address)?)?;
    let bare = start_bare(answer.path(), plan.workers)?;
    let mut costs = [Vec::new(), Vec::new()];
    for _ in 0..plan.rounds {
        for (server, costs) in [&bare, ours].into_iter().zip(&mut costs) {
            costs.push(round(case, server, plan)?);
        }
    }
    let [bare, ours] = costs.map(|costs| median(&costs));
    Ok(Row {
        name: case.name.clone(),
        bare,
        ours,
    })
}

fn start_bare(answer: &Path, workers: usize) -> io::Result<Server> {
    let port = free_port()?;
    let mut command = Command::new(std::env::current_exe()?);
    command
        .arg("serve")
        .arg(port.to_string())
        .arg(workers.to_string())
        .arg(answer);
    Server::start(&mut command, SocketAddr::from(([127, 0, 0, 1], port)))
}

fn round(case: &Case, server: &Server, plan: Plan) -> io::Result<Cost> {
    let load = Load {
        address: server.address,
        request: case.request(server.address).into(),
        status: 200,
        connections: plan.connections,
        duration: plan.duration,
    };
    let before = server.cpu_seconds()?;
    let mut seen = load.run()?;
    let used = server.cpu_seconds()? - before;
    if seen.others > 0 || seen.answers == 0 {
        let text = format!("{}: {} of other statuses", case.name, seen.others);
        return Err(io::Error::other(text));
    }
    #[expect(clippy::cast_precision_loss, reason = "far fewer than 2^52 answers")]
    let answers = seen.answers as f64;
    Ok(Cost {
        cpu_micros: used * 1e6 / answers,
        per_second: answers / plan.duration.as_secs_f64(),
        p50_micros: seen.micros(0.5),
        p99_micros: seen.micros(0.99),
    })
}

fn median(costs: &[Cost]) -> Cost {
    let of = |value: fn(&Cost) -> f64| {
        let mut values: Vec<f64> = costs.iter().map(value).collect();
        values.sort_by(f64::total_cmp);
        values.get(values.len() / 2).copied().unwrap_or_default()
    };
    Cost {
        cpu_micros: of(|cost| cost.cpu_micros),
        per_second: of(|cost| cost.per_second),
        p50_micros: of(|cost| cost.p50_micros),
        p99_micros: of(|cost| cost.p99_micros),
    }
}

/// The body of one answer.
fn ask(case: &Case, address: SocketAddr) -> io::Result<Vec<u8>> {
    let mut stream = TcpStream::connect(address)?;
    let request = String::from_utf8_lossy(&case.request(address)).into_owned();
    stream.write_all(
        request
            .replacen("\r\n", "\r\nConnection: close\r\n", 1)
            .as_bytes(),
    )?;
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer)?;
    let head = answer
        .windows(4)
        .position(|window| window == b"\r\n\r\n")
        .unwrap_or(0);
    if !answer.starts_with(b"HTTP/1.1 200") {
        let text = String::from_utf8_lossy(&answer).into_owned();
        return Err(io::Error::other(format!("{}: {text}", case.name)));
    }
    Ok(answer.split_off(head + 4))
}
