//! Sequential requests to both servers over one connection.

use std::io;
use std::net::SocketAddr;
use std::time::{Duration, Instant};

use serde_json::json;
use toolkit_bench::cases::{self, Case};
use toolkit_bench::client::Client;

use crate::Count;
use crate::callgrind::CountedServer;

/// Requests counted together.
const REQUESTS: u32 = 1_000;

/// The same for requests of tens of kilobytes, and of most of a megabyte.
const LARGE_REQUESTS: u32 = 50;
const LARGEST_REQUESTS: u32 = 3;

/// Rounds, of which the median counts: some contain a flush or the start of a thread.
const ROUNDS: usize = 3;

/// Requests before the first count, which fill buffers and pools.
const WARM_UP: u32 = 100;

/// How long each server is observed while idle.
const IDLE: Duration = Duration::from_secs(3);

/// Patterns requested in turn: more than a server caches.
const PATTERNS: u32 = 200;

const RUNS: [&str; 6] = [
    "base64-encoder",
    "uuid-generator",
    "json-formatter",
    "data-converter",
    "cron-explainer",
    "regex-tester",
];
const READS: [&str; 2] = ["catalog", "health"];
const CALLS: [&str; 3] = ["base64_transform", "format_data", "regex_test"];

/// Requests, in turn, and their number per round.
struct Path {
    name: String,
    cases: Vec<Case>,
    requests: u32,
}

pub(crate) fn count() -> io::Result<Vec<Count>> {
    let runs = named(cases::runs(), |name| RUNS.contains(&name));
    let reads = named(cases::reads(), |name| READS.contains(&name));
    let calls = [cases::calls(false), cases::calls(true)].concat();
    let calls = named(calls, |name| {
        CALLS.iter().any(|tool| name.starts_with(tool))
    });
    let small = runs.into_iter().chain(reads).map(Path::small);
    let paths: Vec<_> = small.chain([new_pattern()]).chain(large()).collect();
    let mut counts = of_server("api-server", &paths)?;
    let calls: Vec<_> = calls.into_iter().map(Path::small).collect();
    counts.extend(of_server("mcp-server", &calls)?);
    Ok(counts)
}

impl Path {
    fn small(case: Case) -> Self {
        Self {
            name: case.name.clone(),
            cases: vec![case],
            requests: REQUESTS,
        }
    }

    fn requests(&self, address: SocketAddr) -> Vec<Vec<u8>> {
        self.cases
            .iter()
            .map(|case| case.request(address))
            .collect()
    }

    fn warm_up(&self) -> u32 {
        WARM_UP.min(self.requests)
    }
}

/// A pattern that the server has not compiled, or no longer caches.
fn new_pattern() -> Path {
    let name = "regex-tester, a new pattern".to_owned();
    let case = |number| {
        let pattern = format!("(\\w+)@(\\w+)|{number}");
        let body = json!({"pattern": pattern, "text": "ada@example"});
        cases::run(name.clone(), "regex-tester", &body)
    };
    Path {
        cases: (0..PATTERNS).map(case).collect(),
        name,
        requests: REQUESTS,
    }
}

/// Typical inputs of people and scripts: of each the middle size, of a digest the largest.
fn large() -> impl Iterator<Item = Path> {
    cases::inputs().iter().map(|input| {
        let [_, middle, largest] = input.sizes;
        let (bytes, requests) = if input.name == "SHA-256" {
            (largest, LARGEST_REQUESTS)
        } else {
            (middle, LARGE_REQUESTS)
        };
        let (case, _) = input.run(bytes);
        Path {
            requests,
            ..Path::small(case)
        }
    })
}

fn named(cases: Vec<Case>, is_wanted: impl Fn(&str) -> bool) -> Vec<Case> {
    cases
        .into_iter()
        .filter(|case| is_wanted(&case.name))
        .collect()
}

fn of_server(name: &str, paths: &[Path]) -> io::Result<Vec<Count>> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    runtime.block_on(async {
        let server = CountedServer::start(name)?;
        let mut client = Client::new(server.server.address);
        let mut subject = Subject::watch(server, &mut client, paths).await?;
        let mut counts = Vec::new();
        for path in paths {
            counts.push(Count {
                name: format!("{name}, {}", path.name),
                instructions: subject.of_path(path, &mut client).await?,
            });
        }
        Ok(counts)
    })
}

/// A server and its idle work: timers, and checks for changes by others.
struct Subject {
    server: CountedServer,
    /// Instructions per second.
    idle: f64,
}

impl Subject {
    /// Observes a server after warm-up: it has answered requests of all kinds.
    async fn watch(
        mut server: CountedServer,
        client: &mut Client,
        paths: &[Path],
    ) -> io::Result<Self> {
        for path in paths {
            let requests = path.requests(server.server.address);
            ask(client, &requests, path.warm_up()).await?;
        }
        server.instructions()?;
        let start = Instant::now();
        tokio::time::sleep(IDLE).await;
        let idle = server.instructions()? / start.elapsed().as_secs_f64();
        Ok(Self { server, idle })
    }

    /// The instructions of one request.
    async fn of_path(&mut self, path: &Path, client: &mut Client) -> io::Result<u64> {
        let requests = path.requests(self.server.server.address);
        ask(client, &requests, path.warm_up()).await?;
        self.server.instructions()?;
        let mut rounds = [0.0; ROUNDS];
        for round in &mut rounds {
            let start = Instant::now();
            ask(client, &requests, path.requests).await?;
            let all = self.server.instructions()?;
            *round = all - self.idle * start.elapsed().as_secs_f64();
        }
        rounds.sort_by(f64::total_cmp);
        let [_, median, _] = rounds;
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a positive number of instructions"
        )]
        Ok((median / f64::from(path.requests)).round() as u64)
    }
}

async fn ask(client: &mut Client, requests: &[Vec<u8>], times: u32) -> io::Result<()> {
    for (_, request) in (0..times).zip(requests.iter().cycle()) {
        let answer = client.ask(request).await?;
        if answer.status != 200 {
            let text = String::from_utf8_lossy(client.last()).into_owned();
            return Err(io::Error::other(text));
        }
    }
    Ok(())
}
