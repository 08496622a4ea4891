//! Servers with default settings, at addresses of our choice.

use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::process::Command;

use toolkit_measure::Result;
use toolkit_measure::process::{Server, sibling};

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

/// Addresses for servers that are started again at the same one: outside the range from which the
/// system takes the ports of clients.
pub(crate) fn lasting_addresses() -> Result<[SocketAddr; 2]> {
    let ports = (20_000..32_000).skip(usize::try_from(std::process::id())? % 10_000);
    let addresses = ports.map(|port| SocketAddr::from((Ipv4Addr::LOCALHOST, port)));
    let mut free = addresses.filter(|address| TcpListener::bind(address).is_ok());
    match (free.next(), free.next()) {
        (Some(first), Some(second)) => Ok([first, second]),
        _ => Err("no port is free".into()),
    }
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
