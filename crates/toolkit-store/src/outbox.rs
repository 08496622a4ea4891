//! Outbox: the queue of mails and events, each stored in one transaction with its cause.
//!
//! A row only says what a mail is about. `mailbox.rs` leases rows and composes the mails.

pub(crate) mod backoff;

use std::time::Duration;

use time::OffsetDateTime;
use tokio::time::timeout;
use ulid::Ulid;

use crate::Store;
use crate::database::{Connection, Row, Value, new_id};
use crate::error::StoreError;
use crate::limits::PAGE_ROWS;

/// Subject of a mail or event.
#[derive(Debug, Clone)]
pub(crate) enum About {
    Contact(Ulid),
    Subscription(Ulid),
    /// A subscription that has been erased.
    Erased {
        id: Ulid,
        app_id: String,
    },
}

impl About {
    /// The values of `contact_id`, `subscription_id`, `erased_id` and `erased_app`.
    pub(crate) fn values(self) -> [Value; 4] {
        let none = || Value::Text(None);
        match self {
            Self::Contact(id) => [id.into(), none(), none(), none()],
            Self::Subscription(id) => [none(), id.into(), none(), none()],
            Self::Erased { id, app_id } => [none(), none(), id.into(), app_id.into()],
        }
    }
}

/// The reason a mail was not sent. The text is a class (`connect`, `timeout`, `smtp 550`) for
/// statistics, without the server's message, which repeats addresses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Failure {
    /// Temporary: a retry may succeed.
    Transient(String),
    /// Permanent: the mail is given up immediately.
    Permanent(String),
}

/// What happens to a mail after a failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Disposition {
    /// It is retried at this time.
    Retry(OffsetDateTime),
    /// It is given up, but kept and counted.
    Dead,
    /// The subscriber's address is refused permanently, and the mail is withdrawn.
    Undeliverable,
    /// It no longer belonged to this worker: leased by another, sent, or deleted.
    NotOurs,
}

/// The state of the outbox.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OutboxStats {
    /// Mails waiting to be sent.
    pub pending: u64,
    /// Age of the oldest waiting mail. If a clock ran ahead, how far, if that is more.
    pub oldest_pending: Option<Duration>,
    /// Contact mails and events that were given up.
    pub dead: u64,
    /// Subscriptions whose address a mail server has refused.
    pub undeliverable: u64,
    /// Events waiting to be sent.
    pub webhooks: u64,
    /// Waiting events whose receivers this process does not know.
    pub unknown: u64,
}

/// An unsent outbox row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// ID of the mail or event.
    pub id: Ulid,
    /// `contact`, `confirmation`, or the event's name.
    pub kind: String,
    /// Whether it was given up.
    pub is_dead: bool,
    /// Time of queuing.
    pub queued_at: OffsetDateTime,
    /// Earliest time of the next attempt.
    pub due_at: OffsetDateTime,
    /// Attempts so far.
    pub attempts: i64,
    /// Class of the last failure.
    pub failure: Option<String>,
    /// The message that it is about.
    pub message: Option<Ulid>,
    /// Receiver of an event.
    pub webhook: Option<String>,
}

fn entry(row: &Row) -> Result<Entry, StoreError> {
    let event: Option<String> = row.get("event")?;
    let message = row.optional_id("contact_id")?;
    let mail = if message.is_some() { "contact" } else { "confirmation" };
    Ok(Entry {
        id: row.id("id")?,
        kind: event.unwrap_or_else(|| mail.to_owned()),
        is_dead: row.get::<&str>("state")? == "dead",
        queued_at: row.time("created_at")?,
        due_at: row.time("due_at")?,
        attempts: row.get("attempts")?,
        failure: row.get("failure")?,
        message,
        webhook: row.get("webhook")?,
    })
}

impl Store {
    /// The mails and events to be sent.
    pub fn outbox(&self) -> Outbox<'_> {
        Outbox(self)
    }
}

/// The outbox of a [`Store`].
#[derive(Clone, Copy)]
pub struct Outbox<'s>(pub(crate) &'s Store);

impl Outbox<'_> {
    /// Makes mails and events due that wait for a retry. After a reload, the cause of their failure
    /// may be gone.
    ///
    /// # Errors
    ///
    /// Database errors.
    pub async fn hasten(self, now: OffsetDateTime) -> Result<(), StoreError> {
        // Attempts in progress have not failed yet.
        let sql = "UPDATE outbox SET due_at = $1 WHERE state = 'pending' \
                   AND settled_at IS NOT NULL AND due_at > $1";
        self.0.database().execute(sql, [now.into()]).await?;
        self.0.wake_worker();
        Ok(())
    }

    /// Counts the mails in the outbox, for metrics.
    ///
    /// # Errors
    ///
    /// Database errors.
    pub async fn stats(self, now: OffsetDateTime) -> Result<OutboxStats, StoreError> {
        let sql = "SELECT (SELECT COUNT(*) FROM outbox WHERE state = 'pending' AND webhook IS NULL) AS pending, \
                   (SELECT MIN(created_at) FROM outbox WHERE state = 'pending' AND webhook IS NULL) AS oldest, \
                   (SELECT MAX(created_at) FROM outbox WHERE state = 'pending' AND webhook IS NULL) AS newest, \
                   (SELECT COUNT(*) FROM outbox WHERE state = 'dead' \
                   AND (contact_id IS NOT NULL OR webhook IS NOT NULL)) AS dead, \
                   (SELECT COUNT(*) FROM subscriptions WHERE state = 'undeliverable') AS undeliverable";
        let rows = self.0.database().rows(sql, []).await?;
        let row = rows.first().ok_or_else(|| StoreError::internal("a count was not returned"))?;
        let count = |column| row.get::<i64>(column).map(|count| u64::try_from(count).unwrap_or(0));
        let ages = [
            row.optional_time("oldest")?.map(|at| now - at),
            row.optional_time("newest")?.map(|at| at - now),
        ];
        let sql = "SELECT webhook, COUNT(*) AS events FROM outbox \
                   WHERE state = 'pending' AND webhook IS NOT NULL GROUP BY webhook";
        let (mut webhooks, mut unknown) = (0, 0);
        for row in &self.0.database().rows(sql, []).await? {
            let events = u64::try_from(row.get::<i64>("events")?).unwrap_or(0);
            webhooks += events;
            unknown += if self.0.knows(row.get("webhook")?) { 0 } else { events };
        }
        Ok(OutboxStats {
            pending: count("pending")?,
            oldest_pending: ages.into_iter().max().flatten().map(time::Duration::unsigned_abs),
            dead: count("dead")?,
            undeliverable: count("undeliverable")?,
            webhooks,
            unknown,
        })
    }

    /// Lists unsent rows, oldest first, up to a thousand.
    ///
    /// # Errors
    ///
    /// Database errors.
    pub async fn list(self) -> Result<Vec<Entry>, StoreError> {
        let sql = "SELECT * FROM outbox WHERE state <> 'sent' ORDER BY created_at, id LIMIT $1";
        let rows = self.0.database().rows(sql, [PAGE_ROWS.into()]).await?;
        rows.iter().map(entry).collect()
    }

    /// The unsent mail about a message, if any.
    ///
    /// # Errors
    ///
    /// Database errors.
    pub async fn of_message(self, id: Ulid) -> Result<Option<Entry>, StoreError> {
        let sql =
            "SELECT * FROM outbox WHERE contact_id = $1 AND webhook IS NULL AND state <> 'sent'";
        let rows = self.0.database().rows(sql, [id.into()]).await?;
        rows.first().map(entry).transpose()
    }

    /// Makes an unsent row due now or, without an ID, all given-up contact mails and events.
    /// Returns how many. A given-up confirmation needs its ID, since people who still want it
    /// subscribe again.
    ///
    /// # Errors
    ///
    /// Database errors. Nothing has changed then.
    pub async fn retry(self, id: Option<Ulid>, now: OffsetDateTime) -> Result<u64, StoreError> {
        // They count as new. Otherwise their next failure would be their last.
        let sql = "UPDATE outbox SET state = 'pending', attempts = 0, created_at = $2, due_at = $2, \
                   settled_at = NULL WHERE state <> 'sent' AND (id = $1 OR $1 IS NULL \
                   AND state = 'dead' AND (contact_id IS NOT NULL OR webhook IS NOT NULL))";
        let id = id.map(|id| id.to_string());
        let changed = self.0.database().execute(sql, [id.into(), now.into()]).await?;
        self.0.wake_worker();
        Ok(changed)
    }

    /// Deletes an unsent row. Returns whether there was one.
    ///
    /// # Errors
    ///
    /// Database errors.
    pub async fn discard(self, id: Ulid) -> Result<bool, StoreError> {
        let sql = "DELETE FROM outbox WHERE id = $1 AND state <> 'sent'";
        Ok(self.0.database().execute(sql, [id.into()]).await? > 0)
    }

    /// Waits until this process queues a mail, or `at_most` has passed, since other processes queue
    /// mails too and retries become due.
    pub async fn wait(self, at_most: Duration) {
        let _ = timeout(at_most, self.0.queued().notified()).await;
    }
}

/// Queues a mail in the caller's transaction, if it is due at all. The statement runs in either
/// case.
pub(crate) async fn enqueue(
    c: &mut Connection,
    about: About,
    due_at: Option<OffsetDateTime>,
    now: OffsetDateTime,
) -> Result<(), StoreError> {
    let [contact, subscription, ..] = about.values();
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
