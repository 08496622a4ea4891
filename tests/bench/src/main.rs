//! Measures both servers against bare actix-web handlers that do the same parsing and give the same
//! bytes: in one run, alternating, as CPU time for a request.

mod bare;
mod cases;
mod load;
mod measure;
mod process;
mod report;

use std::io;
use std::net::SocketAddr;
use std::process::Command;
use std::time::Duration;

use measure::{Plan, Row, measure};
use process::{Server, free_port, sibling};

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
        let server = start(name, plan.workers)?;
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

/// Starts one of our servers with everything on, and limits that the load does not reach.
fn start(name: &str, workers: usize) -> io::Result<Server> {
    let directory = tempfile::tempdir()?.keep();
    let port = free_port()?;
    let address = SocketAddr::from(([127, 0, 0, 1], port));
    let section = if name == "api-server" { "API" } else { "MCP" };
    let mut command = Command::new(sibling(name)?);
    command
        .current_dir(directory)
        .env(format!("TOOLKIT_{section}__BIND"), address.to_string())
        .env(format!("TOOLKIT_{section}__ADMIN_BIND"), "")
        .env("TOOLKIT_HTTP__WORKERS", workers.to_string());
    for limit in ["RUN_PER_MINUTE", "RUN_BURST", "MCP_PER_MINUTE", "MCP_BURST"] {
        command.env(format!("TOOLKIT_LIMITS__{limit}"), "1000000000");
    }
    Server::start(&mut command, address)
}

fn other(error: std::num::ParseIntError) -> io::Error {
    io::Error::other(error)
}
