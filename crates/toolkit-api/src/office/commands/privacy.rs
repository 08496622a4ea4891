//! `privacy`: exports or erases what is stored about a person.

use std::fmt::Write as _;
use std::io::{self, Write as _};

use clap::Subcommand;
use time::OffsetDateTime;
use toolkit_server::process::tell;
use toolkit_store::{Email, Store};

use super::{CommandError, audit};

/// Subcommands of `privacy`.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Prints all data stored about an address as JSON.
    Export {
        /// E-mail address.
        email: Email,
    },
    /// Deletes all data stored about these addresses, including queued mails.
    Erase {
        /// E-mail addresses.
        #[arg(required = true)]
        emails: Vec<Email>,
    },
}

/// Runs the command and returns its output.
pub(super) async fn run(
    command: Command,
    store: &Store,
    now: OffsetDateTime,
) -> Result<String, CommandError> {
    match command {
        Command::Export { email } => {
            let data = store.export(&email).await?;
            audit::record_if_it_can(store, "privacy.export", "an address").await?;
            let is_empty = data.contacts.is_empty() && data.subscriptions.is_empty();
            name_similar(store, &email, is_empty).await?;
            Ok(serde_json::to_string_pretty(&data)? + "\n")
        }
        Command::Erase { emails } => {
            let (mut deleted, mut faults) = (String::new(), Vec::new());
            for email in &emails {
                let of = if emails.len() > 1 { format!("{email}: ") } else { String::new() };
                match erase(store, email, now).await {
                    Ok(records) => {
                        deleted.extend([of, "deleted: ".to_owned(), records, "\n".to_owned()]);
                    }
                    Err(fault) => faults.push(format!("{of}{fault}")),
                }
            }
            if faults.is_empty() {
                return Ok(deleted);
            }
            io::stdout().write_all(deleted.as_bytes())?;
            Err(faults.join("; ").into())
        }
    }
}

/// Erases an address and returns what was stored.
async fn erase(store: &Store, email: &Email, now: OffsetDateTime) -> Result<String, CommandError> {
    let erased = store.erase(email, now).await?;
    let (contacts, subscriptions) = (erased.contacts, erased.subscriptions);
    let mut records = format!("{contacts} messages, {subscriptions} subscriptions");
    audit::record(store, "privacy.erase", &*records).await?;
    if !erased.is_overwritten {
        return Err(CommandError::from(format!(
            "deleted: {records}. The text is still in the write-ahead log because another program is \
             reading the database. Stop that program and run this command again"
        )));
    }
    name_similar(store, email, contacts + subscriptions == 0).await?;
    if subscriptions > 0 {
        // An erasure with other settings than the server's tells nobody, which must be seen.
        let _ = write!(records, "; webhooks told: {}", erased.receivers);
    }
    Ok(records)
}

/// Names similar addresses. Fails if nothing is stored about this one.
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
        tell(io::stderr(), format_args!("only {email}{note}"));
    }
    Ok(())
}
