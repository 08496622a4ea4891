//! Attacks a server in all known ways while a well-behaved client measures its latency, kills replicas
//! under load, and keeps both servers under mixed load while their dependencies fail.
#![expect(clippy::print_stdout, reason = "a report is what this program is for")]

mod abuse;
mod attack;
mod honest;
mod kills;
mod mixed;
mod site;
mod standins;
mod together;

use std::process::ExitCode;
use std::time::Duration;

use clap::Parser;
use rustix::process::{Resource, getrlimit, setrlimit};
use toolkit_measure::Result;

/// Abuses a server, then keeps both under load while what they need fails
#[derive(Parser)]
struct Options {
    /// Of the mixed load and of all attacks together; each attack alone takes a thirtieth
    #[arg(default_value_t = 600)]
    seconds: u64,
    /// One part alone: `together`, `kills`, `mixed` (these two on the PostgreSQL of `TOOLKIT_TEST_POSTGRES`), or
    /// the attacks with this in their names
    part: Option<String>,
}

fn main() -> Result<ExitCode> {
    let Options { seconds, part } = Options::parse();
    // As many descriptors as the system allows: an attack uses over ten thousand.
    let mut limit = getrlimit(Resource::Nofile);
    limit.current = limit.maximum;
    setrlimit(Resource::Nofile, limit)?;
    let time = Duration::from_secs(seconds);
    let is_well = match part.as_deref() {
        Some("together") => together::run(time)?,
        Some("kills") => kills::run()?,
        Some("mixed") => mixed::run(time)?,
        Some(name) => abuse::run(time / 30, Some(name))?,
        None => {
            abuse::run(time / 30, None)?
                && together::run(time)?
                && kills::run()?
                && mixed::run(time)?
        }
    };
    Ok(ExitCode::from(u8::from(!is_well)))
}
