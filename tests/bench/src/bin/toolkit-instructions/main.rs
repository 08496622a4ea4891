//! Counts the instructions of the hot paths and compares them with what they took before:
//! `toolkit-instructions [--bless]`. With `--bless` the counts become what later ones are compared
//! with.
//!
//! Instructions, and not time: they are the same on a busy machine and on a quiet one, so a path
//! that became five per cent dearer is seen. What they do not show are waits, cache misses and
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

/// A path and the instructions that it takes once.
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
        // What this program runs under callgrind.
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
