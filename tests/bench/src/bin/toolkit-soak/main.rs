//! Abuses a server in every way known to us while a client that behaves watches its latency, then keeps both
//! under mixed load while what they need fails: `toolkit-soak [SECONDS [PART]]`.
//!
//! The mixed load takes so many seconds (600) on the PostgreSQL of `TOOLKIT_TEST_POSTGRES`, and each attack a
//! thirtieth of that. With a part of an attack's name, only that is run; with `mixed`, only the mixed load.

mod abuse;
mod attacks;
mod mixed;
mod redis;
mod report;
mod standins;
mod victim;

use std::io;
use std::process::ExitCode;
use std::time::Duration;

use rustix::process::{Resource, getrlimit, setrlimit};
use toolkit_bench::process::Server;

/// The name of the mixed load.
const MIXED: &str = "mixed";

/// Of a mixed load without a duration.
const SECONDS: u64 = 600;

fn main() -> io::Result<ExitCode> {
    raise_descriptor_limit()?;
    let mut arguments = std::env::args().skip(1);
    let seconds = arguments.next().map(|seconds| seconds.parse());
    let seconds = seconds.unwrap_or(Ok(SECONDS)).map_err(io::Error::other)?;
    let time = Duration::from_secs(seconds);
    let only = arguments.next();
    let unharmed = only.as_deref() == Some(MIXED) || abuse(time / 30, only.as_deref())?;
    let well = only.as_deref().is_some_and(|only| only != MIXED) || mixed(time)?;
    Ok(if unharmed && well {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

fn abuse(each: Duration, only: Option<&str>) -> io::Result<bool> {
    let server = Server::ours("api-server", &[])?;
    report::abuse_head();
    abuse::run(&server, each, only, report::damage)
}

fn mixed(time: Duration) -> io::Result<bool> {
    let postgres = std::env::var("TOOLKIT_TEST_POSTGRES");
    let postgres = postgres.map_err(|_| io::Error::other("TOOLKIT_TEST_POSTGRES is not set"))?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build()?;
    let mut outcome = runtime.block_on(mixed::run(&postgres, time))?;
    Ok(report::outcome(&mut outcome))
}

/// As many descriptors as the system lets it have: an attack takes over ten thousand.
fn raise_descriptor_limit() -> io::Result<()> {
    let mut limit = getrlimit(Resource::Nofile);
    limit.current = limit.maximum;
    Ok(setrlimit(Resource::Nofile, limit)?)
}
