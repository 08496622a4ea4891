//! Measures both servers, and writes docs/performance.md: against bare actix-web handlers that do
//! the same parsing and send the same bytes, and against the usual alternatives for the same work;
//! in one run, in alternating rounds, as CPU time per request.

mod bare;
mod goals;
mod measure;
mod plot;
mod report;
mod sections;

use std::io;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::builder::PossibleValuesParser;
use clap::{Parser, Subcommand};

use measure::Plan;
use report::{Report, say};
use sections::{Bench, SECTIONS, Section};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Measures both servers, and writes docs/performance.md
#[derive(Parser)]
#[command(args_conflicts_with_subcommands = true, disable_help_subcommand = true)]
struct Options {
    /// Shorter and fewer rounds
    #[arg(long)]
    quick: bool,
    /// A section to measure; all of them without one
    #[arg(long, value_name = "NAME", value_parser = PossibleValuesParser::new(SECTIONS.map(|(name, _)| name)))]
    section: Vec<String>,
    /// Measures only what has this in its name, and writes nothing
    filter: Option<String>,
    #[command(subcommand)]
    inner: Option<Inner>,
}

/// Programs started by this one.
#[derive(Subcommand)]
enum Inner {
    /// Serves the answer in a file
    #[command(hide = true)]
    Serve {
        port: u16,
        workers: usize,
        answer: PathBuf,
    },
}

fn main() -> io::Result<ExitCode> {
    let options = Options::parse();
    match options.inner {
        None => measure_all(options),
        Some(Inner::Serve {
            port,
            workers,
            answer,
        }) => bare::serve(port, workers, &answer).map(|()| ExitCode::SUCCESS),
    }
}

/// Measures section after section. A failed one leaves its part of the report unchanged, and the
/// others continue.
fn measure_all(options: Options) -> io::Result<ExitCode> {
    let mut report = match options.filter {
        None => Some(Report::open(options.quick)?),
        Some(_) => None,
    };
    let (rounds, milliseconds) = if options.quick { (3, 300) } else { (5, 900) };
    let bench = Bench {
        plan: Plan {
            rounds,
            duration: Duration::from_millis(milliseconds),
            warm_up: Duration::from_millis(200),
            connections: 32,
        },
        filter: options.filter,
    };
    let mut code = ExitCode::SUCCESS;
    let is_wanted =
        |name: &str| options.section.is_empty() || options.section.iter().any(|one| one == name);
    for (name, measure) in SECTIONS.into_iter().filter(|(name, _)| is_wanted(name)) {
        say(&format!("== {name}"));
        let mut section = Section::default();
        if let Err(error) = measure(&bench, &mut section) {
            say(&format!("{name} failed: {error}"));
            code = ExitCode::FAILURE;
        } else if let Some(report) = &mut report {
            report.write(name, &section)?;
        }
    }
    Ok(code)
}

#[cfg(test)]
#[test]
fn the_options_are_consistent() {
    use clap::CommandFactory as _;
    Options::command().debug_assert();
}
