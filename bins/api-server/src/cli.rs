//! Command line of `api-server`.

mod keys;
mod outbox;
mod privacy;

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use time::OffsetDateTime;
use toolkit_http::probe;
use toolkit_http::process::{self, ConfigArgs, ConfigCommand, print};
use toolkit_http::settings::Settings;
use toolkit_http::tls;
use toolkit_store::{Store, StoreError};

use crate::server::Server;
use crate::{openapi, server};

/// Connections of a command: it asks one thing.
const CONNECTIONS: u32 = 1;

/// The REST API of the developer tools service.
#[derive(Debug, Parser)]
#[command(name = "api-server", version)]
struct Arguments {
    #[command(flatten)]
    config: ConfigArgs,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// About the settings.
    #[command(subcommand)]
    Config(ConfigCommand),
    #[command(about = "Prints the OpenAPI document")]
    Openapi,
    /// Asks the running server of this machine whether it lives, for health checks.
    Probe,
    /// About the API keys. A server that is running takes changes over by itself.
    #[command(subcommand)]
    Keys(keys::Command),
    /// About the mails that are to be sent.
    #[command(subcommand)]
    Outbox(outbox::Command),
    /// About what is held of a person.
    #[command(subcommand)]
    Privacy(privacy::Command),
}

/// Why a command gave no result.
#[derive(Debug, thiserror::Error)]
enum Failure {
    /// The database did not do it.
    #[error(transparent)]
    Database(#[from] StoreError),
    /// It is not there.
    #[error("{0}")]
    Missing(String),
    /// The result cannot be shown.
    #[error("the result cannot be written: {0}")]
    Output(#[from] serde_json::Error),
}

/// Does what the arguments ask for; without a command, serves until it is stopped.
pub fn main() -> ExitCode {
    // The first thing of all: whatever speaks TLS needs it.
    tls::install_crypto_provider();
    let arguments = Arguments::parse();
    let settings = match arguments.config.load() {
        Ok(settings) => settings,
        Err(error) => return process::misused(&error),
    };
    match arguments.command {
        None => checked(settings, |settings| process::run(serve(settings))),
        Some(Command::Config(ConfigCommand::Check)) => {
            checked(settings, |settings| print(&settings.effective()))
        }
        Some(Command::Openapi) => print(&openapi::text(&settings)),
        Some(Command::Probe) => match probe::probe(settings.api.admin_bind) {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => process::failed(&error),
        },
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

/// Goes on where the settings can work.
fn checked(settings: Settings, go_on: impl FnOnce(Settings) -> ExitCode) -> ExitCode {
    match server::check(&settings) {
        Ok(()) => go_on(settings),
        Err(error) => process::misused(&error),
    }
}

async fn serve(settings: Settings) -> Result<toolkit_http::server::Ended, server::StartError> {
    Server::build(settings).await?.run().await
}

/// Does something with the database and prints what comes of it.
fn on_store(
    settings: &Settings,
    command: impl AsyncFnOnce(&Store, OffsetDateTime) -> Result<String, Failure>,
) -> ExitCode {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    let runtime = match runtime {
        Ok(runtime) => runtime,
        Err(error) => return process::failed(&error),
    };
    let result = runtime.block_on(async {
        let store = Store::open(settings.database.url.expose(), CONNECTIONS).await?;
        let result = command(&store, OffsetDateTime::now_utc()).await;
        store.close().await;
        result
    });
    match result {
        Ok(text) => print(&text),
        Err(error) => process::failed(&error),
    }
}
