//! Requests to both servers, one after the other over one connection.

use std::io;

use toolkit_bench::cases::{self, Case};
use toolkit_bench::client::Client;

use crate::Count;
use crate::callgrind::CountedServer;

/// Requests whose instructions are counted together. What a server does every second by itself is then
/// half a per cent of them.
const REQUESTS: u32 = 1_000;

/// Of these the median counts: a flush or the start of a thread falls into one of them.
const ROUNDS: usize = 3;

/// Requests before the first count: they fill buffers and pools.
const WARM_UP: u32 = 100;

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
        let mut server = CountedServer::start(name)?;
        let mut client = Client::connect(server.server.address).await?;
        let mut counts = Vec::new();
        for case in cases {
            counts.push(Count {
                name: format!("{name}, {}", case.name),
                instructions: of_case(case, &mut server, &mut client).await?,
            });
        }
        Ok(counts)
    })
}

/// The instructions of one request.
async fn of_case(case: &Case, server: &mut CountedServer, client: &mut Client) -> io::Result<u64> {
    let request = case.request(server.server.address);
    ask(client, &request, WARM_UP).await?;
    server.instructions()?;
    let mut rounds = [0; ROUNDS];
    for round in &mut rounds {
        ask(client, &request, REQUESTS).await?;
        *round = server.instructions()? / u64::from(REQUESTS);
    }
    rounds.sort_unstable();
    let [_, median, _] = rounds;
    Ok(median)
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
