//! Shared parts: the cost of a round trip to Redis, and of writes to a database.

use std::env;
use std::io;
use std::net::SocketAddr;
use std::process::Command;

use serde_json::json;
use toolkit_bench::cases::{self, Case};
use toolkit_bench::process::{self, Server, free_port};

use super::{Bench, Section, ours};
use crate::measure::{Cost, Costs, Plan, Subject, median};
use crate::report::say;
use crate::table::{Table, figure};

/// Where a throw-away PostgreSQL is, as `.ci/postgres` says it.
const POSTGRES: &str = "TOOLKIT_TEST_POSTGRES";

/// What a request took of our process and of the other one.
struct Shared {
    name: String,
    ours: Cost,
    /// CPU time of the other.
    others_micros: Option<f64>,
}

pub(super) fn measure(bench: &Bench) -> io::Result<Section> {
    let mut all = limits(bench)?;
    all.push(contact(bench, "contact, on SQLite", None)?);
    match env::var(POSTGRES) {
        Ok(url) => all.push(contact(bench, "contact, on PostgreSQL", Some(&url))?),
        Err(_) => say("without PostgreSQL: run this under .ci/postgres"),
    }
    Ok(Section {
        text: table(&all).to_string(),
        ..Section::default()
    })
}

/// A small run whose limit is counted in the process, and one whose limit is counted in Redis.
fn limits(bench: &Bench) -> io::Result<Vec<Shared>> {
    let address = SocketAddr::from(([127, 0, 0, 1], free_port()?));
    let mut command = Command::new("redis-server");
    command.args(["--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]);
    command.args(["--port", &address.port().to_string()]);
    let redis = Server::start(&mut command, address)
        .map_err(|error| io::Error::other(format!("redis-server cannot be started: {error}")))?;
    let url = format!("redis://{address}");
    let case = cases::run(
        "base64-encoder".to_owned(),
        "base64-encoder",
        &json!({"text": "Hello, World! 32 bytes of text."}),
    );
    let alone = ours("api-server", &[])?;
    let shared = ours("api-server", &[("LIMITS__REDIS_URL", &url)])?;
    Ok(vec![
        rounds(
            "a small run, its limit in memory",
            &alone,
            &case,
            bench.plan,
            || Ok(None),
        )?,
        rounds(
            "a small run, its limit in Redis",
            &shared,
            &case,
            bench.plan,
            || redis.cpu_seconds().map(Some),
        )?,
    ])
}

/// A message to the operator: its row, and that of the mail that comes of it.
fn contact(bench: &Bench, name: &str, database: Option<&str>) -> io::Result<Shared> {
    let settings: Vec<_> = database
        .map(|url| ("DATABASE__URL", url))
        .into_iter()
        .collect();
    let server = ours("api-server", &settings)?;
    let owned: Vec<_> = settings
        .iter()
        .map(|&(key, value)| (key.to_owned(), value.to_owned()))
        .collect();
    let body = json!({"name": "Ada", "email": "ada@example.org", "message": "Hello"});
    let case = Case {
        name: name.to_owned(),
        path: "/toolkit/api/contact".to_owned(),
        body: Some(body.to_string()),
        headers: vec![("X-Api-Key", server.issue_key(&owned)?)],
    };
    rounds(name, &server, &case, bench.plan, || {
        database
            .map(|_| process::cpu_seconds_of("postgres"))
            .transpose()
    })
}

/// Asks round after round, and looks at what the other process needed for it.
fn rounds(
    name: &str,
    server: &Server,
    case: &Case,
    plan: Plan,
    mut others_seconds: impl FnMut() -> io::Result<Option<f64>>,
) -> io::Result<Shared> {
    let subject = Subject { server, case };
    subject.round(Plan {
        duration: plan.warm_up,
        ..plan
    })?;
    let (mut costs, mut others) = (Vec::new(), Vec::new());
    for _ in 0..plan.rounds {
        let before = others_seconds()?;
        let cost = subject.round(plan)?;
        if let (Some(before), Some(after)) = (before, others_seconds()?) {
            others.push((after - before) * 1e6 / (cost.per_second * plan.duration.as_secs_f64()));
        }
        costs.push(cost);
    }
    let ours = Costs::from_iter(costs).median();
    say(&format!("{name}: {:.1} us", ours.cpu_micros));
    Ok(Shared {
        name: name.to_owned(),
        ours,
        others_micros: (!others.is_empty()).then(|| median(others)),
    })
}

fn table(all: &[Shared]) -> Table {
    let mut table = Table::of_figures(&[
        "Request",
        "CPU of ours, us",
        "CPU of the other, us",
        "requests/s",
        "p50, us",
        "p99, us",
    ]);
    for Shared {
        name,
        ours,
        others_micros,
    } in all
    {
        table.row(&[
            name.clone(),
            figure(ours.cpu_micros),
            others_micros.map_or_else(|| "-".to_owned(), figure),
            figure(ours.per_second),
            figure(ours.p50_micros),
            figure(ours.p99_micros),
        ]);
    }
    table
}
