//! Outbox: the queue of mails to be sent, each stored in one transaction with its cause.
//!
//! A row states what a mail is about and nothing else; `mailbox.rs` leases rows and composes the
//! mail.

pub(crate) mod backoff;

use std::time::Duration;

use serde::Serialize;
use time::OffsetDateTime;
use tokio::time::timeout;
use ulid::Ulid;

use crate::Store;
use crate::database::{Connection, Value, new_id};
use crate::error::StoreError;

/// Subject matter of a mail.
#[derive(Debug, Clone, Copy)]
pub(crate) enum About {
    Contact(Ulid),
    Subscription(Ulid),
}

/// Why a mail was not sent. The text is a class (`connect`, `timeout`, `smtp 550`), for statistics;
/// never the server's message, which repeats addresses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Failure {
    /// Temporary: a retry may succeed.
    Transient(String),
    /// Permanent: the mail is given up at once.
    Permanent(String),
}

/// What happens to a mail after a failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Disposition {
    /// It is retried at this time.
    Retry(OffsetDateTime),
    /// It is given up, kept and counted.
    Dead,
    /// It no longer belonged to this worker: leased by another, sent, or deleted.
    NotOurs,
}

/// The state of the outbox.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct OutboxStats {
    /// Mails that are still to be sent.
    pub pending: u64,
    /// Age of the oldest of them.
    pub oldest_pending: Option<Duration>,
    /// Mails that were given up.
    pub dead: u64,
}

impl Store {
    /// The mails that are to be sent.
    pub fn outbox(&self) -> Outbox<'_> {
        Outbox(self)
    }
}

/// The outbox of a [`Store`].
#[derive(Clone, Copy)]
pub struct Outbox<'s>(pub(crate) &'s Store);

impl Outbox<'_> {
    /// Requeues contact mails that were given up, and returns their number: for an operator who has
    /// fixed the cause. A given-up confirmation is not requeued: whoever still wants it subscribes
    /// again.
    ///
    /// # Errors
    ///
    /// Database errors; nothing has changed then.
    pub async fn revive(self, now: OffsetDateTime) -> Result<u64, StoreError> {
        // They count as new; otherwise their first failure would be their last.
        let sql = "UPDATE outbox SET state = 'pending', attempts = 0, created_at = $1, \
                   due_at = $1, settled_at = NULL WHERE state = 'dead' AND contact_id IS NOT NULL";
        let revived = self.0.database().execute(sql, [now.into()]).await?;
        self.0.mail_queued().notify_one();
        Ok(revived)
    }

    /// Counts the mails in the outbox, for metrics.
    ///
    /// # Errors
    ///
    /// Database errors.
    pub async fn stats(self, now: OffsetDateTime) -> Result<OutboxStats, StoreError> {
        let sql = "SELECT (SELECT COUNT(*) FROM outbox WHERE state = 'pending') AS pending, \
                   (SELECT MIN(created_at) FROM outbox WHERE state = 'pending') AS oldest, \
                   (SELECT COUNT(*) FROM outbox WHERE state = 'dead') AS dead";
        let rows = self.0.database().rows(sql, []).await?;
        let row = rows
            .first()
            .ok_or_else(|| StoreError::internal("a count was not returned"))?;
        let count = |column| {
            row.get::<i64>(column)
                .map(|count| u64::try_from(count).unwrap_or(0))
        };
        let oldest = row.optional_time("oldest")?;
        Ok(OutboxStats {
            pending: count("pending")?,
            // A clock that stepped back does not make a negative age.
            oldest_pending: oldest.map(|at| Duration::try_from(now - at).unwrap_or_default()),
            dead: count("dead")?,
        })
    }

    /// Waits until this process queues a mail, or until `at_most` has passed: other processes queue
    /// mails too, and retries become due.
    pub async fn wait(self, at_most: Duration) {
        let _ = timeout(at_most, self.0.mail_queued().notified()).await;
    }
}

/// Queues a mail inside the caller's transaction, if it is due at some time, with a statement that
/// always runs.
pub(crate) async fn enqueue(
    c: &mut Connection,
    about: About,
    due_at: Option<OffsetDateTime>,
    now: OffsetDateTime,
) -> Result<(), StoreError> {
    let (contact, subscription) = match about {
        About::Contact(id) => (id.into(), Value::Text(None)),
        About::Subscription(id) => (Value::Text(None), id.into()),
    };
    c.execute(
        "INSERT INTO outbox (id, contact_id, subscription_id, state, attempts, created_at, due_at) \
         SELECT $1, $2, $3, 'pending', 0, $4, $5 WHERE $6 = 1",
        [
            new_id(now).into(),
            contact,
            subscription,
            now.into(),
            due_at.unwrap_or(now).into(),
            i64::from(due_at.is_some()).into(),
        ],
    )
    .await
    .map(drop)
}
