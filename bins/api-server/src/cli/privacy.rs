//! `privacy`: exports or erases what is stored about a person.

use clap::Subcommand;
use toolkit_store::{Email, Store};

use super::Failure;

/// Subcommands of `privacy`.
#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Prints all data of an address as JSON.
    Export {
        /// E-mail address.
        email: Email,
    },
    /// Deletes all data of an address, including queued mails.
    Erase {
        /// E-mail address.
        email: Email,
    },
}

/// Runs the command and returns its output.
pub(super) async fn run(command: Command, store: &Store) -> Result<String, Failure> {
    match command {
        Command::Export { email } => {
            let data = store.export(&email).await?;
            Ok(serde_json::to_string_pretty(&data)? + "\n")
        }
        Command::Erase { email } => {
            let erased = store.erase(&email).await?;
            let (contacts, subscriptions) = (erased.contacts, erased.subscriptions);
            Ok(format!(
                "deleted: {contacts} messages, {subscriptions} subscriptions\n"
            ))
        }
    }
}
