//! Measures both servers, and writes docs/performance.md: against bare actix-web handlers that do the same
//! parsing and give the same bytes, and against what others use for the same work; in one run, in alternating
//! rounds, as CPU time for a request.

mod bare;
mod document;
mod goals;
mod load;
mod machine;
mod measure;
mod options;
mod plot;
mod report;
mod sections;
mod table;

use std::io;
use std::process::ExitCode;

use machine::Machine;
use options::Options;
use report::{Report, say};
use sections::Bench;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> io::Result<ExitCode> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [serve, port, workers, answer] = arguments.as_slice()
        && serve == "serve"
    {
        bare::main(port, workers, answer)?;
        return Ok(ExitCode::SUCCESS);
    }
    match Options::read(&arguments) {
        Ok(options) => measure(options),
        Err(error) => {
            say(&error.to_string());
            Ok(ExitCode::from(2))
        }
    }
}

/// Measures part after part. One that fails leaves its place in the report as it was, and the others go on.
fn measure(options: Options) -> io::Result<ExitCode> {
    let mut report = match options.filter {
        None => Some(Report::open(&Machine::read()?, options.quick)?),
        Some(_) => None,
    };
    let bench = Bench {
        plan: options.plan(),
        filter: options.filter,
    };
    let mut code = ExitCode::SUCCESS;
    for entry in options.sections {
        say(&format!("== {}", entry.name));
        match (entry.measure)(&bench) {
            Ok(section) => {
                say(&section.text);
                if let Some(report) = &mut report {
                    report.write(entry.name, &section)?;
                }
            }
            Err(error) => {
                say(&format!("{} failed: {error}", entry.name));
                code = ExitCode::FAILURE;
            }
        }
    }
    Ok(code)
}
