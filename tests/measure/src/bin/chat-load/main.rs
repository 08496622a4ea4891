//! Load test of streamed chats: measures a release build and prints a table.
//!
//! Usage: `toolkit-chat-load [PART OF A ROW'S NAME]`.
//!
//! Both sides of the server, the clients and the fake provider, run in this process on one thread.
#![expect(clippy::print_stdout, reason = "a table is what this program is for")]

mod client;
mod model;
mod process;
mod relay;
mod rows;

use rustix::process::{Resource, getrlimit, setrlimit};
use toolkit_measure::Result;

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    // A TLS provider may be installed already.
    let _ = rustls::crypto::ring::default_provider().install_default();
    if let [first, address, url] = arguments.as_slice()
        && first == "relay"
    {
        return Ok(relay::main(address, url)?);
    }
    raise_descriptor_limit()?;
    let only = arguments.first().map(String::as_str);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    println!("| What | Goal | Measured |\n| --- | --- | --- |");
    runtime.block_on(rows::all(only, &mut |row: &rows::Row| {
        println!("| {} | {} | {} |", row.what, row.goal, row.measured);
    }))
}

/// Raises the limit: a thousand streams need more descriptors than many systems allow by default.
fn raise_descriptor_limit() -> Result<()> {
    let mut limit = getrlimit(Resource::Nofile);
    limit.current = limit.maximum;
    Ok(setrlimit(Resource::Nofile, limit)?)
}
