//! Attacks a server in all known ways while a well-behaved client measures its latency, then keeps
//! both servers under mixed load while their dependencies fail.
#![expect(clippy::print_stdout, reason = "a report is what this program is for")]

mod abuse;
mod attack;
mod mixed;
mod standins;

use std::process::ExitCode;
use std::time::Duration;

use clap::Parser;
use rustix::process::{Resource, getrlimit, setrlimit};
use toolkit_bench::Result;

/// Abuses a server, then keeps both under load while what they need fails
#[derive(Parser)]
struct Options {
    /// Of the mixed load, on the PostgreSQL of `TOOLKIT_TEST_POSTGRES`; each attack takes a thirtieth
    #[arg(default_value_t = 600)]
    seconds: u64,
    /// Only the attacks with this in their names; `mixed` for the mixed load alone
    part: Option<String>,
}

fn main() -> Result<ExitCode> {
    let Options { seconds, part } = Options::parse();
    // As many descriptors as the system allows: an attack uses over ten thousand.
    let mut limit = getrlimit(Resource::Nofile);
    limit.current = limit.maximum;
    setrlimit(Resource::Nofile, limit)?;
    let (time, part) = (Duration::from_secs(seconds), part.as_deref());
    let is_mixed = part == Some("mixed");
    let is_well = (is_mixed || abuse::run(time / 30, part)?)
        && (part.is_some() && !is_mixed || mixed::run(time)?);
    Ok(ExitCode::from(u8::from(!is_well)))
}
