//! `webhooks`: tests receivers and re-enables them.

use clap::Subcommand;
use toolkit_server::settings::Settings;
use toolkit_store::Store;

use super::{CommandError, audit};
use crate::office::webhooks::Webhooks;

/// Subcommands of `webhooks`.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Sends a test event to all configured receivers, or to one, and prints the answers.
    Test {
        /// Name of the receiver, as printed by `config check` and `outbox list`.
        receiver: Option<String>,
    },
    /// Re-enables a receiver that has answered 410. Queued events are then sent.
    Enable {
        /// Name of the receiver, as printed by `config check` and `outbox list`.
        receiver: String,
    },
}

/// Runs the command and returns its output.
pub(super) async fn run(
    command: Command,
    store: &Store,
    settings: &Settings,
) -> Result<String, CommandError> {
    let (Command::Test { receiver: Some(receiver) } | Command::Enable { receiver }) = &command
    else {
        return test(settings, None).await;
    };
    let names: Vec<_> = settings.webhooks.iter().map(|hook| hook.url.name()).collect();
    if !names.contains(receiver) {
        // Not repeated, since it may be a URL, which is a secret.
        let names = match names.as_slice() {
            [] => "none".to_owned(),
            names => names.join(", "),
        };
        return Err(format!("no webhook has this name. Configured: {names}").into());
    }
    if let Command::Test { .. } = command {
        return test(settings, Some(receiver)).await;
    }
    audit::record(store, "webhooks.enable", receiver.as_str()).await?;
    Ok(if store.turn_on(receiver).await? {
        format!("{receiver} receives events again.\n")
    } else {
        format!("{receiver} was not turned off.\n")
    })
}

async fn test(settings: &Settings, receiver: Option<&str>) -> Result<String, CommandError> {
    let answers = Webhooks::new(settings)?.test(receiver).await;
    if answers.is_empty() {
        return Err("no webhooks are configured".into());
    }
    let line = |(name, answer): &(String, Result<(), String>)| match answer {
        Ok(()) => format!("{name}: accepted\n"),
        Err(class) => format!("{name}: {class}\n"),
    };
    let report: String = answers.iter().map(line).collect();
    if answers.iter().all(|(_, answer)| answer.is_ok()) {
        Ok(report)
    } else {
        Err(format!("not every receiver accepted the test\n{}", report.trim_end()).into())
    }
}
