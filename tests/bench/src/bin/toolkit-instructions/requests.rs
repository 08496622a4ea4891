//! Requests to both servers, one after the other over one connection.

use std::io;
use std::time::{Duration, Instant};

use toolkit_bench::cases::{self, Case};
use toolkit_bench::client::Client;

use crate::Count;
use crate::callgrind::CountedServer;

/// Requests whose instructions are counted together.
const REQUESTS: u32 = 1_000;

/// Of these the median counts: a flush or the start of a thread falls into one of them.
const ROUNDS: usize = 3;

/// Requests before the first count: they fill buffers and pools.
const WARM_UP: u32 = 100;

/// For so long each server is watched while nobody asks it anything.
const IDLE: Duration = Duration::from_secs(3);

const RUNS: [&str; 6] = [
    "base64-encoder",
    "uuid-generator",
    "json-formatter",
    "data-converter",
    "cron-explainer",
    "regex-tester",
];
const READS: [&str; 2] = ["catalog", "health"];
const CALL: &str = "base64_transform";

pub(crate) fn count() -> io::Result<Vec<Count>> {
    let runs = named(cases::runs(), |name| RUNS.contains(&name));
    let reads = named(cases::reads(), |name| READS.contains(&name));
    let calls = [cases::calls(false), cases::calls(true)].concat();
    let calls = named(calls, |name| name.starts_with(CALL));
    let mut counts = of_server("api-server", &[runs, reads].concat())?;
    counts.extend(of_server("mcp-server", &calls)?);
    Ok(counts)
}

fn named(cases: Vec<Case>, is_wanted: impl Fn(&str) -> bool) -> Vec<Case> {
    cases
        .into_iter()
        .filter(|case| is_wanted(&case.name))
        .collect()
}

fn of_server(name: &str, cases: &[Case]) -> io::Result<Vec<Count>> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    runtime.block_on(async {
        let server = CountedServer::start(name)?;
        let mut client = Client::new(server.server.address);
        let mut subject = Subject::watch(server, &mut client, cases).await?;
        let mut counts = Vec::new();
        for case in cases {
            counts.push(Count {
                name: format!("{name}, {}", case.name),
                instructions: subject.of_case(case, &mut client).await?,
            });
        }
        Ok(counts)
    })
}

/// A server, and what it does by itself: it keeps time, and looks for what others have changed.
struct Subject {
    server: CountedServer,
    /// Instructions in a second.
    idle: f64,
}

impl Subject {
    /// Watches a server that has started for good: it has answered requests of all kinds.
    async fn watch(
        mut server: CountedServer,
        client: &mut Client,
        cases: &[Case],
    ) -> io::Result<Self> {
        for case in cases {
            ask(client, &case.request(server.server.address), WARM_UP).await?;
        }
        server.instructions()?;
        let start = Instant::now();
        tokio::time::sleep(IDLE).await;
        let idle = server.instructions()? / start.elapsed().as_secs_f64();
        Ok(Self { server, idle })
    }

    /// The instructions of one request.
    async fn of_case(&mut self, case: &Case, client: &mut Client) -> io::Result<u64> {
        let request = case.request(self.server.server.address);
        ask(client, &request, WARM_UP).await?;
        self.server.instructions()?;
        let mut rounds = [0.0; ROUNDS];
        for round in &mut rounds {
            let start = Instant::now();
            ask(client, &request, REQUESTS).await?;
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
        Ok((median / f64::from(REQUESTS)).round() as u64)
    }
}

async fn ask(client: &mut Client, request: &[u8], times: u32) -> io::Result<()> {
    for _ in 0..times {
        let answer = client.ask(request).await?;
        if answer.status != 200 {
            let text = String::from_utf8_lossy(client.last()).into_owned();
            return Err(io::Error::other(text));
        }
    }
    Ok(())
}
