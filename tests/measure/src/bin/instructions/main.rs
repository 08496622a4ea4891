//! Counts the instructions of the hot paths and compares them with the baseline:
//! `toolkit-instructions [--bless]`. With `--bless` the counts become the new baseline.
//!
//! Instructions rather than time: they are the same on a busy and on an idle machine, so a path
//! that became five per cent more expensive is detected. They do not show waits, cache misses and
//! system calls.
#![expect(clippy::print_stdout, reason = "a report is what this program is for")]

mod baseline;
mod callgrind;
mod requests;

use std::process::ExitCode;
use std::thread;

use toolkit_measure::Result;

use baseline::Counts;

fn main() -> Result<ExitCode> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let mut is_well = true;
    match arguments.as_slice() {
        [] => is_well = baseline::compare(&baseline::read()?, &count()?),
        ["--bless"] => baseline::write(&count()?)?,
        _ => return Err("usage: toolkit-instructions [--bless]".into()),
    }
    Ok(ExitCode::from(u8::from(!is_well)))
}

/// Counts on two threads, since a count does not depend on other programs.
fn count() -> Result<Counts> {
    thread::scope(|scope| {
        let api_server = scope.spawn(requests::of_api_server);
        let mut counts = requests::of_mcp_server()?;
        counts.extend(api_server.join().map_err(|_| "a count panicked")??);
        Ok(counts)
    })
}
