//! Servers with default settings, at addresses of our choice.

use std::net::SocketAddr;
use std::process::Command;

use toolkit_bench::Result;
use toolkit_bench::process::{Server, sibling};

/// Starts one of our servers at this address, with these settings, whose names omit `TOOLKIT_`.
pub(crate) fn start(name: &str, address: SocketAddr, settings: &[(&str, &str)]) -> Result<Server> {
    let section = if name == "api-server" { "API" } else { "MCP" };
    let directory = tempfile::tempdir()?;
    let mut command = command(name, settings)?;
    command
        .current_dir(directory.path())
        .env(format!("TOOLKIT_{section}__BIND"), address.to_string())
        .env(format!("TOOLKIT_{section}__ADMIN_BIND"), "");
    Server::start(directory, &mut command, address)
}

/// A program of ours with these settings alone.
pub(crate) fn command(name: &str, settings: &[(&str, &str)]) -> Result<Command> {
    let mut command = Command::new(sibling(name)?);
    command.env_clear();
    for (key, value) in settings {
        command.env(format!("TOOLKIT_{key}"), value);
    }
    Ok(command)
}
