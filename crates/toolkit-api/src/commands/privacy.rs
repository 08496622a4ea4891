//! `privacy`: exports or erases what is stored about a person.

use std::io::{self, Write as _};

use clap::Subcommand;
use toolkit_store::{Email, Store};

use super::{CommandError, audit};

/// Subcommands of `privacy`.
#[derive(Debug, Subcommand)]
pub enum Command {
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
pub(super) async fn run(command: Command, store: &Store) -> Result<String, CommandError> {
    match command {
        Command::Export { email } => {
            let data = store.export(&email).await?;
            audit::record(store, "privacy.export", "an address").await?;
            let is_empty = data.contacts.is_empty() && data.subscriptions.is_empty();
            name_similar(store, &email, is_empty).await?;
            Ok(serde_json::to_string_pretty(&data)? + "\n")
        }
        Command::Erase { email } => {
            let erased = store.erase(&email).await?;
            let (contacts, subscriptions) = (erased.contacts, erased.subscriptions);
            let about = format!("{contacts} messages, {subscriptions} subscriptions");
            audit::record(store, "privacy.erase", about).await?;
            let deleted = format!("deleted: {contacts} messages, {subscriptions} subscriptions");
            if !erased.is_overwritten {
                return Err(CommandError::from(format!(
                    "{deleted}; but the text is still in the write-ahead log, as a program is reading \
                     the database: end it, and run this again"
                )));
            }
            name_similar(store, &email, contacts + subscriptions == 0).await?;
            Ok(deleted + "\n")
        }
    }
}

/// Names similar addresses, and fails if nothing is stored about this one.
async fn name_similar(store: &Store, email: &Email, is_unknown: bool) -> Result<(), CommandError> {
    let similar = store.similar(email).await?;
    let note = if similar.is_empty() {
        String::new()
    } else {
        format!("; similar addresses: {}", similar.join(", "))
    };
    if is_unknown {
        return Err(CommandError::from(format!("nothing is stored about {email}{note}")));
    }
    if !note.is_empty() {
        // Apart from the result. A closed standard error cannot be reported.
        let _ = writeln!(io::stderr(), "only {email}{note}");
    }
    Ok(())
}
