//! The command line.

use std::io::{self, Write as _};
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use toolkit_http::process::{self, ConfigArgs};

use crate::server::Server;

/// Serves nine developer tools over MCP.
#[derive(Debug, Parser)]
#[command(version)]
struct Arguments {
    #[command(flatten)]
    config: ConfigArgs,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Looks at the settings without starting the server.
    Config {
        #[command(subcommand)]
        command: ConfigCommand,
    },
}

#[derive(Debug, Subcommand)]
enum ConfigCommand {
    /// Checks the settings and prints those in force, with secrets masked.
    Check,
}

/// Does what the command line of the process says, and gives its exit code.
pub fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let settings = match arguments.config.load() {
        Ok(settings) => settings,
        Err(error) => return process::misused(&error),
    };
    match arguments.command {
        Some(Command::Config {
            command: ConfigCommand::Check,
        }) => print(&settings.effective()),
        None => process::run(async move { Server::build(&settings)?.run().await }),
    }
}

fn print(text: &str) -> ExitCode {
    match io::stdout().write_all(text.as_bytes()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => process::failed(&error),
    }
}
