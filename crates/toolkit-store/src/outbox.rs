//! Outbox: the queue of mails and events to be sent, each stored in one transaction with its cause.
//!
//! A row states what a mail is about and nothing else; `mailbox.rs` leases rows and composes the
//! mail.

pub(crate) mod backoff;

use std::time::Duration;

use serde::Serialize;
use time::OffsetDateTime;
use time::serde::rfc3339;
use tokio::time::timeout;
use ulid::Ulid;

use crate::Store;
use crate::database::{Connection, Row, Value, new_id, serialize_id};
use crate::error::StoreError;
use crate::limits::PAGE_ROWS;

/// A lane of the outbox: what waits in one does not keep back the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lane {
    /// Contact mails.
    Contact,
    /// Confirmation mails.
    Confirmation,
    /// Events for webhooks.
    Webhook,
}

impl Lane {
    /// All lanes.
    pub const ALL: [Self; 3] = [Self::Contact, Self::Confirmation, Self::Webhook];
}

/// Subject matter of a mail.
#[derive(Debug, Clone, Copy)]
pub(crate) enum About {
    Contact(Ulid),
    Subscription(Ulid),
}

impl About {
    /// The values of `contact_id` and `subscription_id`.
    pub(crate) fn ids(self) -> [Value; 2] {
        match self {
            Self::Contact(id) => [id.into(), Value::Text(None)],
            Self::Subscription(id) => [Value::Text(None), id.into()],
        }
    }
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
    /// The address of the subscriber is refused for good; the mail is withdrawn.
    Undeliverable,
    /// It no longer belonged to this worker: leased by another, sent, or deleted.
    NotOurs,
}

/// The state of the outbox.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct OutboxStats {
    /// Mails that are still to be sent.
    pub pending: u64,
    /// Age of the oldest of them; of one from a clock that was ahead, by how much, if that is more.
    pub oldest_pending: Option<Duration>,
    /// Contact mails that were given up.
    pub dead: u64,
    /// Subscriptions whose address a mail server has refused.
    pub undeliverable: u64,
    /// Events that receivers are still to be told.
    pub webhooks: u64,
}

/// A row of the outbox that is not sent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Entry {
    /// Id of the mail or event.
    #[serde(serialize_with = "serialize_id")]
    pub id: Ulid,
    /// `contact`, `confirmation`, or the name of an event.
    pub kind: String,
    /// Whether it was given up.
    pub is_dead: bool,
    /// When it was queued.
    #[serde(with = "rfc3339")]
    pub queued_at: OffsetDateTime,
    /// When the next attempt may start.
    #[serde(with = "rfc3339")]
    pub due_at: OffsetDateTime,
    /// Attempts so far.
    pub attempts: i64,
    /// Class of the last failure.
    pub failure: Option<String>,
    /// Receiver of an event.
    pub webhook: Option<String>,
}

fn entry(row: &Row) -> Result<Entry, StoreError> {
    let event: Option<String> = row.get("event")?;
    let mail = match row.optional_id("contact_id")? {
        Some(_) => "contact",
        None => "confirmation",
    };
    Ok(Entry {
        id: row.id("id")?,
        kind: event.unwrap_or_else(|| mail.to_owned()),
        is_dead: row.get::<&str>("state")? == "dead",
        queued_at: row.time("created_at")?,
        due_at: row.time("due_at")?,
        attempts: row.get("attempts")?,
        failure: row.get("failure")?,
        webhook: row.get("webhook")?,
    })
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
                   due_at = $1, settled_at = NULL WHERE state = 'dead' AND contact_id IS NOT NULL AND webhook IS NULL";
        let revived = self.0.database().execute(sql, [now.into()]).await?;
        self.0.wake_workers();
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
                   (SELECT MAX(created_at) FROM outbox WHERE state = 'pending') AS newest, \
                   (SELECT COUNT(*) FROM outbox WHERE state = 'dead' AND contact_id IS NOT NULL \
                   AND webhook IS NULL) AS dead, \
                   (SELECT COUNT(*) FROM subscriptions WHERE undeliverable_at IS NOT NULL) AS undeliverable, \
                   (SELECT COUNT(*) FROM outbox WHERE state = 'queued') AS webhooks";
        let rows = self.0.database().rows(sql, []).await?;
        let row = rows.first().ok_or_else(|| StoreError::internal("a count was not returned"))?;
        let count = |column| row.get::<i64>(column).map(|count| u64::try_from(count).unwrap_or(0));
        let ages = [
            row.optional_time("oldest")?.map(|at| now - at),
            row.optional_time("newest")?.map(|at| at - now),
        ];
        Ok(OutboxStats {
            pending: count("pending")?,
            oldest_pending: ages.into_iter().max().flatten().map(time::Duration::unsigned_abs),
            dead: count("dead")?,
            undeliverable: count("undeliverable")?,
            webhooks: count("webhooks")?,
        })
    }

    /// The rows that are not sent, the oldest first, up to a thousand.
    ///
    /// # Errors
    ///
    /// Database errors.
    pub async fn list(self) -> Result<Vec<Entry>, StoreError> {
        let sql = "SELECT * FROM outbox WHERE state <> 'sent' ORDER BY created_at, id LIMIT $1";
        let rows = self.0.database().rows(sql, [PAGE_ROWS.into()]).await?;
        rows.iter().map(entry).collect()
    }

    /// Makes a row due now, as if it were new; returns whether there is one that is not sent.
    ///
    /// # Errors
    ///
    /// Database errors.
    pub async fn retry(self, id: Ulid, now: OffsetDateTime) -> Result<bool, StoreError> {
        let sql = "UPDATE outbox SET state = CASE WHEN webhook IS NULL THEN 'pending' ELSE 'queued' END, \
                   attempts = 0, created_at = $2, due_at = $2, settled_at = NULL \
                   WHERE id = $1 AND state <> 'sent'";
        let values = [id.into(), now.into()];
        let changed = self.0.database().execute(sql, values).await?;
        self.0.wake_workers();
        Ok(changed > 0)
    }

    /// Deletes a row that is not sent; returns whether there was one.
    ///
    /// # Errors
    ///
    /// Database errors.
    pub async fn discard(self, id: Ulid) -> Result<bool, StoreError> {
        let sql = "DELETE FROM outbox WHERE id = $1 AND state <> 'sent'";
        Ok(self.0.database().execute(sql, [id.into()]).await? > 0)
    }

    /// Waits until this process queues a mail, or until `at_most` has passed: other processes queue
    /// mails too, and retries become due.
    pub async fn wait(self, lane: Lane, at_most: Duration) {
        let _ = timeout(at_most, self.0.queued(lane).notified()).await;
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
    let [contact, subscription] = about.ids();
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
