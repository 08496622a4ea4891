//! `outbox`: status of the mail queue, and retries of mails that were given up.

use clap::Subcommand;
use time::OffsetDateTime;
use toolkit_store::{Entry, Store, StoreError, Ulid};

use super::{CommandError, audit, id};

/// Subcommands of `outbox`.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Counts the waiting mails and those given up.
    Status,
    /// Requeues the contact mails that were given up, once the cause is fixed.
    Revive,
    /// Lists what is not sent, the oldest first: id, kind, state, age, attempts, last failure.
    List,
    /// Makes mails and events due now, as if they were new.
    Retry {
        /// Ids, as printed by "outbox list".
        #[arg(required = true, value_parser = id)]
        ids: Vec<Ulid>,
    },
    /// Deletes mails and events that are not sent.
    Drop {
        /// Ids, as printed by "outbox list".
        #[arg(required = true, value_parser = id)]
        ids: Vec<Ulid>,
    },
}

/// Runs the command and returns its output.
pub(super) async fn run(
    command: Command,
    store: &Store,
    now: OffsetDateTime,
) -> Result<String, CommandError> {
    let outbox = store.outbox();
    match command {
        Command::Status => {
            let stats = outbox.stats(now).await?;
            let oldest = stats.oldest_pending.unwrap_or_default().as_secs();
            let (pending, dead, undeliverable) = (stats.pending, stats.dead, stats.undeliverable);
            Ok(format!(
                "pending: {pending}\noldest:  {oldest} s\ndead:    {dead}\nundeliverable subscriptions: {undeliverable}\n"
            ))
        }
        Command::Revive => {
            let revived = outbox.revive(now).await?;
            audit::record(store, "outbox.revive", revived.to_string()).await?;
            Ok(format!("Mails queued again: {revived}.\n"))
        }
        Command::List => Ok(outbox.list().await?.iter().map(|it| line(it, now)).collect()),
        Command::Retry { ids } => {
            let act = async |id| outbox.retry(id, now).await;
            each(store, "outbox.retry", &ids, act).await
        }
        Command::Drop { ids } => {
            let act = async |id| outbox.discard(id).await;
            each(store, "outbox.drop", &ids, act).await
        }
    }
}

fn line(entry: &Entry, now: OffsetDateTime) -> String {
    let state = if entry.is_dead { "dead" } else { "pending" };
    let age = (now - entry.queued_at).whole_seconds();
    format!(
        "{}  {:20}  {state:7}  {age:>8} s  {:>3}  {}  {}\n",
        entry.id,
        entry.kind,
        entry.attempts,
        entry.failure.as_deref().unwrap_or("-"),
        entry.webhook.as_deref().unwrap_or_default()
    )
}

/// Does something with each row, and names those that are not there.
async fn each(
    store: &Store,
    action: &str,
    ids: &[Ulid],
    act: impl AsyncFn(Ulid) -> Result<bool, StoreError>,
) -> Result<String, CommandError> {
    let (mut done, mut unknown) = (0, Vec::new());
    for &id in ids {
        if act(id).await? {
            audit::record(store, action, id.to_string()).await?;
            done += 1;
        } else {
            unknown.push(id.to_string());
        }
    }
    if unknown.is_empty() {
        return Ok(format!("done: {done}\n"));
    }
    Err(format!("done: {done}; nothing unsent has the id {}", unknown.join(", ")).into())
}
