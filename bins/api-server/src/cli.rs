//! Command line of `api-server`.

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use toolkit_api::commands::Command as Operation;
use toolkit_server::probe;
use toolkit_server::process::{self, ConfigArgs, ConfigCommand, print};
use toolkit_server::reload::Reload;
use toolkit_server::server::Ended;
use toolkit_server::service::StartError;
use toolkit_server::settings::Settings;
use toolkit_server::{tls, version};

use crate::server::Server;

/// REST API of the developer tools service.
#[derive(Debug, Parser)]
#[command(name = "api-server", version = env!("PROGRAM_VERSION"), after_help = process::HELP)]
struct Arguments {
    #[command(flatten)]
    config: ConfigArgs,
    // Hidden, as it would be in the help of every command. The error that asks for it names it.
    /// Lets a command migrate an older database, as the server does at start.
    #[arg(long, global = true, hide = true)]
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
    /// Succeeds if the server on this machine responds, for health checks.
    Probe,
    #[command(flatten)]
    Operation(Operation),
}

/// Runs the given command. Without one, serves until stopped.
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
        Some(Command::Config(ConfigCommand::Check)) => checked(settings, |settings| {
            let database = settings.database.url.location();
            let effective = settings.effective(settings.mcp_apart());
            let effective = format!("# database: {database}\n\n{effective}");
            process::print_settings(&arguments.config, &effective)
        }),
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

async fn serve(settings: Settings, config: ConfigArgs) -> Result<Ended, StartError> {
    let reload = Reload::listen(config, settings.clone())?;
    Server::build(settings).await?.reloading(reload).run().await
}

/// Runs an operator command and prints its result.
#[tokio::main(flavor = "current_thread")]
async fn operate(operation: Operation, settings: &Settings, migrate: bool) -> ExitCode {
    match operation.run(settings, migrate).await {
        Ok(text) => print(&text),
        Err(error) => process::failed(&error),
    }
}
