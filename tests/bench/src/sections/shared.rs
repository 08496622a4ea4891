//! Shared parts: the cost of a round trip to Redis, and of writes to a database.

use std::env;
use std::io;

use serde_json::json;
use toolkit_bench::cases::{self, Case};
use toolkit_bench::process::{Server, cpu_seconds_of, free_address};
use toolkit_bench::table::figure;

use super::{Bench, Section, ours};
use crate::measure::{Costs, Plan, Subject, alternate, median};
use crate::report::say;

/// Variable with the URL of a temporary PostgreSQL server, set by `.ci/postgres`.
const POSTGRES: &str = "TOOLKIT_TEST_POSTGRES";

const HEADS: &str = "Request | Body | CPU of ours, us | CPU of the other, us | requests/s \
                     | p50, us | p99, us";

pub(super) fn measure(bench: &Bench, section: &mut Section) -> io::Result<()> {
    let redis = Server::redis(free_address()?)?;
    let url = format!("redis://{}", redis.address);
    let case = cases::runs().swap_remove(0);
    let server = ours("api-server", &[])?;
    row(
        "a small run, its limit in memory",
        &server,
        &case,
        None,
        bench,
        section,
    )?;
    let server = ours("api-server", &[("LIMITS__REDIS_URL", &url)])?;
    let other = Some("redis-server");
    row(
        "a small run, its limit in Redis",
        &server,
        &case,
        other,
        bench,
        section,
    )?;
    let (server, case) = contact(&[])?;
    row("contact, on SQLite", &server, &case, None, bench, section)?;
    if let Ok(url) = env::var(POSTGRES) {
        let (server, case) = contact(&[("DATABASE__URL", &url)])?;
        let other = Some("postgres");
        row(
            "contact, on PostgreSQL",
            &server,
            &case,
            other,
            bench,
            section,
        )?;
    } else {
        say("without PostgreSQL: run this under .ci/postgres");
    }
    section.table(HEADS);
    Ok(())
}

/// Measures contact messages on a server with these settings: the row of the request, and that of
/// the mail that it causes.
fn contact(settings: &[(&str, &str)]) -> io::Result<(Server, Case)> {
    let server = ours("api-server", settings)?;
    let body = json!({"name": "Ada", "email": "ada@example.org", "message": "Hello"});
    let mut case = cases::api("contact", "contact", Some(&body));
    let key = server.issue_key(settings)?;
    case.headers.push(("X-Api-Key", key));
    Ok((server, case))
}

/// Sends requests round after round, and measures the CPU seconds that processes of another name
/// use for them.
fn row(
    name: &str,
    server: &Server,
    case: &Case,
    other: Option<&str>,
    bench: &Bench,
    section: &mut Section,
) -> io::Result<()> {
    let plan = Plan {
        rounds: 1,
        ..bench.plan
    };
    let (mut rounds, mut others) = (Vec::new(), Vec::new());
    for _ in 0..bench.plan.rounds {
        let before = other.map(cpu_seconds_of).transpose()?;
        let [Costs(round)] = alternate([Subject(server, case)], plan)?;
        let after = other.map(cpu_seconds_of).transpose()?;
        let seconds = (plan.warm_up + plan.duration).as_secs_f64();
        for (before, (after, cost)) in before.iter().zip(after.iter().zip(&round)) {
            others.push((after - before) * 1e6 / (cost.per_second * seconds));
        }
        rounds.extend(round);
    }
    let ours = Costs(rounds).median();
    let other = other.map_or_else(|| "-".to_owned(), |_| figure(median(others)));
    let rest = [ours.per_second, ours.p50_micros, ours.p99_micros].map(figure);
    let (name, cpu) = (name.to_owned(), figure(ours.cpu_micros));
    section.row([name, case.input(), cpu, other, rest.join(" | ")]);
    Ok(())
}
