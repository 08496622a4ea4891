//! Counts the instructions of the hot paths and compares them with the baseline:
//! `toolkit-instructions [--bless]`. With `--bless` the counts become the new baseline.
//!
//! Instructions rather than time: they are the same on a busy and on an idle machine, so a path
//! that became five per cent more expensive is detected. They do not show waits, cache misses and
//! system calls.

mod baseline;
mod callgrind;
mod functions;
mod report;
mod requests;

use std::io;
use std::process::ExitCode;

use baseline::Baseline;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// A path and the instructions of one execution.
#[derive(Debug)]
struct Count {
    name: String,
    instructions: u64,
}

fn main() -> io::Result<ExitCode> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments.as_slice() {
        [] => compare(),
        ["--bless"] => bless(),
        // Run by this program under callgrind.
        ["call", name, times] => functions::call(name, times),
        _ => Err(io::Error::other("usage: toolkit-instructions [--bless]")),
    }
}

fn compare() -> io::Result<ExitCode> {
    let baseline = Baseline::read()?;
    let counts = count()?;
    Ok(if report::verdicts(&baseline.verdicts(&counts)) {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

fn bless() -> io::Result<ExitCode> {
    Baseline::of(&count()?).write()?;
    Ok(ExitCode::SUCCESS)
}

fn count() -> io::Result<Vec<Count>> {
    let mut counts = requests::count()?;
    counts.extend(functions::count()?);
    Ok(counts)
}
