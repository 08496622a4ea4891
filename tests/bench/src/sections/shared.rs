//! Shared parts: the cost of a round trip to Redis, and of writes to a database.

use std::env;

use serde_json::json;
use toolkit_bench::Result;
use toolkit_bench::cases;
use toolkit_bench::process::{Server, cpu_seconds_of, free_address};
use toolkit_bench::table::figure;

use super::{Bench, Section, ours};
use crate::measure::{Cost, Costs, Plan, Subject, alternate, median};

/// Name of the processes of Redis.
const REDIS: Option<&str> = Some("redis-server");

/// Variable with the URL of a temporary PostgreSQL server, set by `.ci/postgres`.
const POSTGRES: &str = "TOOLKIT_TEST_POSTGRES";

const HEADS: &str = "Request | Body | CPU of ours, us | CPU of the other, us | requests/s \
                     | p50, us | p99, us";

pub(super) fn measure(bench: &Bench, section: &mut Section) -> Result<()> {
    let (redis, postgres) = (Server::redis(free_address()?)?, env::var(POSTGRES));
    let url = format!("redis://{}", redis.address);
    let setting = Some(("LIMITS__REDIS_URL", &*url));
    // Each with its setting, and with the name of the processes whose CPU time it also takes.
    let mut rows = vec![
        ("a small run, its limit in memory", None, None),
        ("a small run, its limit in Redis", setting, REDIS),
        ("contact, on SQLite", None, None),
    ];
    if let Ok(url) = &postgres {
        let setting = Some(("DATABASE__URL", &**url));
        rows.push(("contact, on PostgreSQL", setting, Some("postgres")));
    } else {
        println!("without PostgreSQL: run this under .ci/postgres");
    }
    rows.retain(|(name, ..)| bench.wants(name));
    for (name, setting, other) in rows {
        let server = ours("api-server", setting.as_slice())?;
        let case = if name.starts_with("contact") {
            // Two rows: that of the message, and that of the mail that it causes.
            let body = json!({"name": "Ada", "email": "ada@example.org", "message": "Hello"});
            cases::keyed("contact", &body, &server.issue_key(setting.as_slice())?)
        } else {
            cases::runs().swap_remove(0)
        };
        let (ours, other) = costs(Subject(&server, &case), other, bench.plan)?;
        let rest = [ours.per_second, ours.p50_micros, ours.p99_micros].map(figure);
        let (name, cpu) = (name.to_owned(), figure(ours.cpu_micros));
        section.row([name, case.input(), cpu, other, rest.join(" | ")]);
    }
    section.table(HEADS);
    Ok(())
}

/// Sends requests round after round; returns their cost, and the CPU time that each takes in
/// processes of another name.
fn costs(subject: Subject<'_>, other: Option<&str>, plan: Plan) -> Result<(Cost, String)> {
    let used = || other.map_or(Ok(0.0), cpu_seconds_of);
    let seconds = (plan.warm_up + plan.duration).as_secs_f64();
    let (mut rounds, mut others) = (Vec::new(), Vec::new());
    for _ in 0..plan.rounds {
        let before = used()?;
        let [Costs(round)] = alternate([subject], Plan { rounds: 1, ..plan })?;
        let used = used()? - before;
        let per_request = |cost: &Cost| used * 1e6 / (cost.per_second * seconds);
        others.extend(round.iter().map(per_request));
        rounds.extend(round);
    }
    let theirs = other.map_or("-".to_owned(), |_| figure(median(others)));
    Ok((Costs(rounds).median(), theirs))
}
