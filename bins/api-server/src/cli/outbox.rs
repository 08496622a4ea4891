//! `outbox`: status of the mail queue, and another try for mails that were given up.

use clap::Subcommand;
use time::OffsetDateTime;
use toolkit_store::Store;

use super::Failure;

/// What can be done with the outbox.
#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Counts the mails that wait and those that were given up.
    Status,
    /// Queues contact mails again that were given up, once their cause is fixed.
    Revive,
}

/// Does it, and says what came of it.
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
            Ok(format!("{revived} mails are queued again.\n"))
        }
    }
}
