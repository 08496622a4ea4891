//! Sequential requests to both servers over one connection.

use std::time::{Duration, Instant};

use serde_json::json;
use toolkit_measure::Result;
use toolkit_measure::cases::{self, Case};
use toolkit_measure::client::{Client, runtime};

use crate::baseline::Counts;
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

/// Starts of the names of the small requests that are counted.
const SMALL: [&str; 6] = [
    "base64-encoder",
    "json-formatter",
    "data-converter",
    "regex-tester",
    "catalog",
    "base64_transform",
];

/// Requests, in turn, and their number per round.
struct Path {
    name: String,
    cases: Vec<Case>,
    requests: u32,
}

pub(crate) fn of_api_server() -> Result<Counts> {
    let small = small([cases::runs(), cases::reads()].concat());
    let paths: Vec<_> = small.chain([new_pattern()]).chain(large()).collect();
    of_server("api-server", &paths)
}

pub(crate) fn of_mcp_server() -> Result<Counts> {
    let paths: Vec<_> = small([cases::calls(false), cases::calls(true)].concat()).collect();
    of_server("mcp-server", &paths)
}

fn small(mut cases: Vec<Case>) -> impl Iterator<Item = Path> {
    cases.retain(|case| SMALL.iter().any(|name| case.name.starts_with(name)));
    cases.into_iter().map(|case| Path::of(case, REQUESTS))
}

impl Path {
    fn of(case: Case, requests: u32) -> Self {
        Self { name: case.name.clone(), cases: vec![case], requests }
    }

    /// Sends the requests of a round, but at most this many.
    async fn ask(&self, client: &mut Client, most: u32) -> Result<()> {
        for (_, case) in (0..self.requests.min(most)).zip(self.cases.iter().cycle()) {
            client.ask_well(&case.request(client.address)).await?;
        }
        Ok(())
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
    Path { cases: (0..PATTERNS).map(case).collect(), name, requests: REQUESTS }
}

/// Typical inputs of people and scripts: of each the middle size, of a digest the largest.
fn large() -> impl Iterator<Item = Path> {
    cases::inputs().iter().map(|input| {
        let [_, middle, largest] = input.sizes;
        let (bytes, requests) = match &*input.name {
            "SHA-256" => (largest, LARGEST_REQUESTS),
            _ => (middle, LARGE_REQUESTS),
        };
        Path::of(input.run(bytes).0, requests)
    })
}

/// The instructions of one request of each path, without the server's idle work: timers, and checks
/// for changes by others.
fn of_server(name: &str, paths: &[Path]) -> Result<Counts> {
    let mut counted = CountedServer::start(name)?;
    let mut client = Client::new(counted.server.address);
    runtime()?.block_on(async {
        // Idle work may differ once all kinds of requests have been answered.
        for path in paths {
            path.ask(&mut client, WARM_UP).await?;
        }
        counted.instructions()?;
        let start = Instant::now();
        tokio::time::sleep(IDLE).await;
        let idle = counted.instructions()? / start.elapsed().as_secs_f64();
        let mut counts = Counts::new();
        for path in paths {
            path.ask(&mut client, WARM_UP).await?;
            counted.instructions()?;
            let mut rounds = [0.0; ROUNDS];
            for round in &mut rounds {
                let start = Instant::now();
                path.ask(&mut client, path.requests).await?;
                let all = counted.instructions()?;
                *round = all - idle * start.elapsed().as_secs_f64();
            }
            rounds.sort_by(f64::total_cmp);
            let [_, median, _] = rounds;
            let instructions = (median / f64::from(path.requests)).round();
            counts.insert(format!("{name}, {}", path.name), instructions);
        }
        Ok(counts)
    })
}
