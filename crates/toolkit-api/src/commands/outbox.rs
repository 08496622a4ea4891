//! `outbox`: status of the mail queue, and retries of mails that were given up.

use clap::Subcommand;
use time::OffsetDateTime;
use toolkit_store::Store;

use super::Failure;

/// Subcommands of `outbox`.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Counts the waiting mails and those given up.
    Status,
    /// Requeues the contact mails that were given up, once the cause is fixed.
    Revive,
}

/// Runs the command and returns its output.
pub(super) async fn run(
    command: Command,
    store: &Store,
    now: OffsetDateTime,
) -> Result<String, Failure> {
    let outbox = store.outbox();
    match command {
        Command::Status => {
            let stats = outbox.stats(now).await?;
            let oldest = stats.oldest_pending.unwrap_or_default().as_secs();
            let (pending, dead) = (stats.pending, stats.dead);
            Ok(format!(
                "pending: {pending}\noldest:  {oldest} s\ndead:    {dead}\n"
            ))
        }
        Command::Revive => {
            let revived = outbox.revive(now).await?;
            Ok(format!("Mails queued again: {revived}.\n"))
        }
    }
}
