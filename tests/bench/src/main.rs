//! Measures both servers against bare actix-web handlers that do the same parsing and give the same
//! bytes: in one run, alternating, as CPU time for a request.

mod bare;
mod load;
mod measure;
mod report;

use std::io;
use std::time::Duration;

use measure::{Plan, Row, measure};
use toolkit_bench::cases;
use toolkit_bench::process::Server;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> io::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [serve, port, workers, answer] = arguments.as_slice()
        && serve == "serve"
    {
        let answer = std::fs::read(answer)?;
        let (port, workers) = (
            port.parse().map_err(other)?,
            workers.parse().map_err(other)?,
        );
        return actix_web::rt::System::new().block_on(bare::serve(port, workers, answer.into()));
    }
    let quick = arguments.iter().any(|argument| argument == "--quick");
    let only = arguments
        .iter()
        .find(|argument| !argument.starts_with("--"));
    let plan = Plan {
        rounds: if quick { 3 } else { 5 },
        duration: Duration::from_millis(if quick { 1_000 } else { 2_000 }),
        connections: 32,
        workers: 1,
    };
    let mut rows: Vec<Row> = Vec::new();
    for name in ["api-server", "mcp-server"] {
        let workers = ("HTTP__WORKERS".to_owned(), plan.workers.to_string());
        let server = Server::ours(name, &[workers])?;
        let all = if name == "api-server" {
            [cases::runs(), cases::reads()].concat()
        } else {
            [cases::calls(false), cases::calls(true)].concat()
        };
        for case in all
            .iter()
            .filter(|case| only.is_none_or(|only| case.name.contains(only)))
        {
            let row = measure(case, &server, plan)?;
            report::line(&row);
            rows.push(row);
        }
        report::process(name, &server)?;
    }
    Ok(())
}

fn other(error: std::num::ParseIntError) -> io::Error {
    io::Error::other(error)
}
