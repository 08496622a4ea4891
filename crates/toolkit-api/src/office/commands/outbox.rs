//! `outbox`: state of the queue of mails and events, and retries.

use clap::Subcommand;
use time::OffsetDateTime;
use toolkit_store::{Entry, Store, StoreError, Ulid};

use super::{CommandError, audit, id};

/// Subcommands of `outbox`.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Counts mails and events that are waiting or were given up.
    Status,
    /// Lists unsent mails and events, oldest first: ID, kind, state, age, attempts, last failure,
    /// message, receiver.
    List,
    /// Makes mails and events due now, as if they were new.
    Retry {
        /// IDs, as printed by "outbox list".
        #[arg(required_unless_present = "dead", value_parser = id)]
        ids: Vec<Ulid>,
        /// All contact mails and events that were given up. Fix the cause first.
        #[arg(long, conflicts_with = "ids")]
        dead: bool,
    },
    /// Deletes unsent mails and events.
    Drop {
        /// IDs, as printed by "outbox list".
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
                "pending: {pending}\noldest:  {oldest} s\ndead:    {dead}\n\
                 undeliverable subscriptions: {undeliverable}\n\
                 events: {}\nevents of unknown receivers: {}\n",
                stats.webhooks, stats.unknown
            ))
        }
        Command::List => Ok(outbox.list().await?.iter().map(|it| line(it, now)).collect()),
        Command::Retry { dead: true, .. } => {
            let done = outbox.retry(None, now).await?;
            audit::record(store, "outbox.retry", format!("{done} dead")).await?;
            Ok(format!("done: {done}\n"))
        }
        Command::Retry { ids, .. } => {
            let act = async |id| Ok(outbox.retry(Some(id), now).await? > 0);
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
        "{}  {:20}  {state:7}  {age:>8} s  {:>3}  {}  {}  {}\n",
        entry.id,
        entry.kind,
        entry.attempts,
        entry.failure.as_deref().unwrap_or("-"),
        entry.message.map_or_else(|| "-".to_owned(), |id| id.to_string()),
        entry.webhook.as_deref().unwrap_or_default()
    )
}

/// Applies something to each row, and names those not found.
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
    Err(format!("done: {done}. No unsent mail or event has the ID {}", unknown.join(", ")).into())
}
