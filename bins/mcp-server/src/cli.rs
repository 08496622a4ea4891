//! Command line of `mcp-server`.

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use toolkit_mcp::stdio;
use toolkit_server::probe;
use toolkit_server::process::{self, ConfigArgs, ConfigCommand};
use toolkit_server::reload::Reload;
use toolkit_server::version;

use crate::server::Server;

/// Developer tools for AI assistants, over MCP.
#[derive(Debug, Parser)]
#[command(name = "mcp-server", version = env!("PROGRAM_VERSION"), after_help = process::HELP)]
struct Arguments {
    #[command(flatten)]
    config: ConfigArgs,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Serves until stopped, as without a command.
    Serve,
    /// Checks and prints the settings.
    #[command(subcommand)]
    Config(ConfigCommand),
    /// Serves one client over standard input and output, for clients that start the server
    /// themselves.
    ///
    /// Reads a settings file only if --config names one. The log goes to standard error.
    Stdio,
    /// Succeeds if the server on this machine responds, for health checks.
    Probe,
}

/// Runs the given command. Without one, serves until stopped.
pub fn main() -> ExitCode {
    version::set(env!("PROGRAM_VERSION"));
    let arguments = Arguments::parse();
    let loaded = match arguments.command {
        // The working directory is the client's, and a settings file there may belong to another
        // project.
        Some(Command::Stdio) => arguments.config.load_named(),
        _ => arguments.config.load(),
    };
    let settings = match loaded {
        Ok(settings) => settings,
        Err(error) => return process::misused(&error),
    };
    match arguments.command {
        None | Some(Command::Serve) => process::run(async {
            let reload = Reload::listen(arguments.config, settings.clone())?;
            Server::build(&settings)?.reloading(reload).run().await
        }),
        Some(Command::Stdio) => process::ended(stdio::serve(&settings)),
        Some(Command::Config(ConfigCommand::Check)) => {
            process::print_settings(&arguments.config, &settings.effective(Some(settings.mcp.bind)))
        }
        Some(Command::Probe) => process::ended(probe::probe(settings.mcp.admin_bind)),
    }
}
