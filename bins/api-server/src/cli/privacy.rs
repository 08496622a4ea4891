//! `privacy`: exports or erases what is stored about a person.

use clap::Subcommand;
use toolkit_store::{Email, Store};

use super::Failure;

/// What can be done with what is held of an address.
#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Prints all that is held of an address, as JSON.
    Export {
        /// The address.
        email: Email,
    },
    /// Deletes all that is held of an address, also mails that are still to be sent.
    Erase {
        /// The address.
        email: Email,
    },
}

/// Does it, and says what came of it.
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
