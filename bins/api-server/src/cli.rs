//! Command line of `api-server`.

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use toolkit_api::commands::Command as Operation;
use toolkit_server::probe;
use toolkit_server::process::{self, ConfigArgs, ConfigCommand, print};
use toolkit_server::settings::Settings;
use toolkit_server::{tls, version};

use crate::server::{Server, StartError};

/// REST API of the developer tools service.
#[derive(Debug, Parser)]
#[command(name = "api-server", version = env!("PROGRAM_VERSION"), after_help = process::HELP)]
struct Arguments {
    #[command(flatten)]
    config: ConfigArgs,
    /// Lets a command migrate the database of an older version, as the server does at its start.
    #[arg(long, global = true)]
    migrate: bool,
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
    #[command(about = "Prints the OpenAPI document")]
    Openapi,
    /// Checks that the server on this machine responds, for health checks.
    Probe,
    #[command(flatten)]
    Operation(Operation),
}

/// Runs the command of the arguments; without one, serves until stopped.
pub fn main() -> ExitCode {
    // Before anything that uses TLS.
    tls::install_crypto_provider();
    version::set(env!("PROGRAM_VERSION"));
    let arguments = Arguments::parse();
    let settings = match arguments.config.load() {
        Ok(settings) => settings,
        Err(error) => return process::misused(&error),
    };
    match arguments.command {
        None | Some(Command::Serve) => {
            checked(settings, |settings| process::run(serve(settings, arguments.config)))
        }
        Some(Command::Config(ConfigCommand::Check)) => {
            checked(settings, |settings| print(&settings.effective(settings.mcp_apart())))
        }
        Some(Command::Openapi) => print(&toolkit_api::openapi::text(&settings)),
        Some(Command::Probe) => process::ended(probe::probe(settings.api.admin_bind)),
        Some(Command::Operation(operation)) => operate(operation, &settings, arguments.migrate),
    }
}

/// Continues if the settings are usable.
fn checked(settings: Settings, go_on: impl FnOnce(Settings) -> ExitCode) -> ExitCode {
    match toolkit_api::check(&settings) {
        Ok(()) => go_on(settings),
        Err(error) => process::misused(&error),
    }
}

async fn serve(
    settings: Settings,
    config: ConfigArgs,
) -> Result<toolkit_server::server::Ended, StartError> {
    Server::build(settings).await?.reloading(config)?.run().await
}

/// Runs a command of the operator and prints its result.
#[tokio::main(flavor = "current_thread")]
async fn operate(operation: Operation, settings: &Settings, migrate: bool) -> ExitCode {
    match operation.run(settings, migrate).await {
        Ok(text) => print(&text),
        Err(error) => process::failed(&error),
    }
}
