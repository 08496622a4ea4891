//! Measures both servers, and writes docs/performance.md: against bare actix-web handlers that do
//! the same parsing and send the same bytes, and against the usual alternatives for the same work;
//! in one run, in alternating rounds, as CPU time per request.
#![expect(clippy::print_stdout, reason = "a report is what this program is for")]

mod bare;
mod measure;
mod report;
mod sections;

use std::process::ExitCode;
use std::time::Duration;

use clap::Parser;
use clap::builder::PossibleValuesParser;
use toolkit_measure::Result;

use measure::Plan;
use report::Report;
use sections::{Bench, SECTIONS, Section};

/// Measures both servers, and writes docs/performance.md
#[derive(Parser)]
struct Options {
    /// Shorter and fewer rounds
    #[arg(long)]
    quick: bool,
    /// A section to measure; all of them without one
    #[arg(long, value_name = "NAME", value_parser = PossibleValuesParser::new(SECTIONS.map(|(name, _)| name)))]
    section: Vec<String>,
    /// Measures only what has this in its name, and writes nothing
    filter: Option<String>,
    /// Serves the answer in a file; this program starts itself like this
    #[arg(long, hide = true, num_args = 2, value_names = ["PORT", "FILE"])]
    serve: Vec<String>,
}

/// Measures section after section. A failed one leaves its part of the report unchanged, and the
/// others continue.
fn main() -> Result<ExitCode> {
    let options = Options::parse();
    if let [port, file] = &*options.serve {
        bare::serve(port.parse()?, file)?;
        return Ok(ExitCode::SUCCESS);
    }
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
    let mut is_well = true;
    let is_wanted =
        |name: &str| options.section.is_empty() || options.section.iter().any(|one| one == name);
    for (name, measure) in SECTIONS.into_iter().filter(|(name, _)| is_wanted(name)) {
        println!("== {name}");
        let mut section = Section::default();
        if let Err(error) = measure(&bench, &mut section) {
            println!("{name} failed: {error}");
            is_well = false;
        } else if let Some(report) = &mut report {
            report.write(name, &section)?;
        }
    }
    Ok(ExitCode::from(u8::from(!is_well)))
}

#[cfg(test)]
#[test]
fn the_options_are_consistent() {
    use clap::CommandFactory as _;
    Options::command().debug_assert();
}
