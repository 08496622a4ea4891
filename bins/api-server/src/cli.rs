//! Command line of `api-server`.

mod keys;
mod outbox;
mod privacy;

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use time::OffsetDateTime;
use toolkit_server::probe;
use toolkit_server::process::{self, ConfigArgs, ConfigCommand, print};
use toolkit_server::settings::Settings;
use toolkit_server::{tls, version};
use toolkit_store::Store;

use crate::server::{Server, StartError};

/// Database connections of a command, which runs one query.
const CONNECTIONS: u32 = 1;

/// REST API of the developer tools service.
#[derive(Debug, Parser)]
#[command(name = "api-server", version = env!("TOOLKIT_VERSION"))]
struct Arguments {
    #[command(flatten)]
    config: ConfigArgs,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Checks and prints the settings.
    #[command(subcommand)]
    Config(ConfigCommand),
    #[command(about = "Prints the OpenAPI document")]
    Openapi,
    /// Checks that the server on this machine responds, for health checks.
    Probe,
    /// Issues, lists and revokes API keys. A running server notices changes.
    #[command(subcommand)]
    Keys(keys::Command),
    /// Shows and requeues mails.
    #[command(subcommand)]
    Outbox(outbox::Command),
    /// Exports and erases personal data.
    #[command(subcommand)]
    Privacy(privacy::Command),
}

/// Why a command failed: the database, a record that does not exist, or a result that cannot be written.
type Failure = Box<dyn std::error::Error>;

/// Runs the command of the arguments; without one, serves until stopped.
pub fn main() -> ExitCode {
    // Before anything that uses TLS.
    tls::install_crypto_provider();
    version::set(env!("TOOLKIT_VERSION"));
    let arguments = Arguments::parse();
    let settings = match arguments.config.load() {
        Ok(settings) => settings,
        Err(error) => return process::misused(&error),
    };
    match arguments.command {
        None => checked(settings, |settings| process::run(serve(settings))),
        Some(Command::Config(ConfigCommand::Check)) => checked(settings, |settings| {
            print(&settings.effective(settings.mcp_apart()))
        }),
        Some(Command::Openapi) => print(&toolkit_api::openapi::text(&settings)),
        Some(Command::Probe) => process::ended(probe::probe(settings.api.admin_bind)),
        Some(Command::Keys(command)) => on_store(&settings, async |store, now| {
            keys::run(command, store, now).await
        }),
        Some(Command::Outbox(command)) => on_store(&settings, async |store, now| {
            outbox::run(command, store, now).await
        }),
        Some(Command::Privacy(command)) => on_store(&settings, async |store, _| {
            privacy::run(command, store).await
        }),
    }
}

/// Continues if the settings are usable.
fn checked(settings: Settings, go_on: impl FnOnce(Settings) -> ExitCode) -> ExitCode {
    match toolkit_api::check(&settings) {
        Ok(()) => go_on(settings),
        Err(error) => process::misused(&error),
    }
}

async fn serve(settings: Settings) -> Result<toolkit_server::server::Ended, StartError> {
    Server::build(settings).await?.run().await
}

/// Runs an operation on the database and prints its result.
#[tokio::main(flavor = "current_thread")]
async fn on_store(
    settings: &Settings,
    command: impl AsyncFnOnce(&Store, OffsetDateTime) -> Result<String, Failure>,
) -> ExitCode {
    let result: Result<_, Failure> = async {
        let store = Store::open(settings.database.url.expose(), CONNECTIONS).await?;
        let result = command(&store, OffsetDateTime::now_utc()).await;
        store.close().await;
        result
    }
    .await;
    match result {
        Ok(text) => print(&text),
        Err(error) => process::failed(&error),
    }
}
