//! Mails that are to be sent: written down with what caused them, taken by a worker, tried until they are sent.
//!
//! A row says what a mail is about and nothing else. The mail is made when a worker takes the row, and only then
//! the tokens of its links come to be, so that none is ever stored; each further attempt has tokens of its own, and
//! those of earlier ones go on working.
//!
//! Delivery is at least once. A worker takes a row for a while (its lease); when it dies, the row comes back. Two
//! workers never hold the same row, whether they share a process or a database.

mod backoff;
mod claim;

use std::time::Duration;

use serde::Serialize;
use time::OffsetDateTime;
use tokio::time::timeout;
use ulid::Ulid;

use crate::contacts::Contact;
use crate::database::{Connection, Value};
use crate::error::StoreError;
use crate::id::new_id;
use crate::limits::{CLAIM_MAX, MAIL_LIFETIME};
use crate::{Store, Token};

/// What a mail is about.
#[derive(Debug, Clone, Copy)]
pub(crate) enum About {
    Contact(Ulid),
    Subscription(Ulid),
}

/// A mail that a worker has taken and must report on.
#[derive(Debug)]
pub struct ClaimedMail {
    /// Which mail; the same at each attempt, so fit for its `Message-ID`.
    pub id: Ulid,
    /// Which attempt this is, from 1.
    pub attempt: u32,
    /// When it was queued.
    pub queued_at: OffsetDateTime,
    /// What to write.
    pub mail: Mail,
}

/// What a mail says, to be put into words by whoever sends it.
#[derive(Debug)]
pub enum Mail {
    /// A message of the contact form, for the operator.
    Contact(Contact),
    /// The question whether a subscription is wanted.
    Confirmation(ConfirmationMail),
}

/// What a confirmation mail says.
pub struct ConfirmationMail {
    /// Whom it goes to.
    pub email: String,
    /// The app whose newsletter was asked for.
    pub app_id: String,
    /// For the link that confirms. It works for 48 hours.
    pub confirm: Token,
    /// For the link that unsubscribes. It works for good.
    pub unsubscribe: Token,
}

/// Shows no address: what is debugged ends in a log.
impl std::fmt::Debug for ConfirmationMail {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "ConfirmationMail({}, …)", self.app_id)
    }
}

/// Why a mail was not sent. The text names a class (`connect`, `timeout`, `smtp 550`), for statistics; never what
/// the server said, which repeats addresses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Failure {
    /// It may work later.
    Transient(String),
    /// It will never work: the mail is given up at once.
    Permanent(String),
}

/// What becomes of a mail after a failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    /// It is tried again at this time.
    Retry(OffsetDateTime),
    /// It is given up, kept and counted.
    Dead,
    /// It was no longer this worker's to report on: taken by another, sent, or deleted.
    NotOurs,
}

/// The state of the outbox.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct OutboxStats {
    /// Mails that are still to be sent.
    pub pending: u64,
    /// How long the oldest of them has waited.
    pub oldest_pending: Option<Duration>,
    /// Mails that were given up.
    pub dead: u64,
}

/// The outbox of a [`Store`].
#[derive(Clone, Copy)]
pub struct Outbox<'s>(pub(crate) &'s Store);

impl Outbox<'_> {
    /// Takes up to `limit` mails that are due ([`CLAIM_MAX`] at most), for as long as `lease`. Each must be reported on
    /// with [`sent`](Self::sent) or [`failed`](Self::failed) before the lease ends, or it is due again.
    ///
    /// # Errors
    ///
    /// Those of the database; nothing is taken then.
    pub async fn claim(
        self,
        now: OffsetDateTime,
        limit: u32,
        lease: Duration,
    ) -> Result<Vec<ClaimedMail>, StoreError> {
        let limit = limit.min(CLAIM_MAX);
        let lease = time::Duration::try_from(lease).unwrap_or(time::Duration::MAX);
        let until = now.saturating_add(lease);
        self.0
            .database()
            .write(move |c| Box::pin(claim::claim(c, now, limit, until)))
            .await
    }

    /// Reports that a mail was sent. Saying so twice, or after another worker, is fine.
    ///
    /// # Errors
    ///
    /// Those of the database. Report again: a mail that was sent and not reported is sent twice.
    pub async fn sent(self, mail: &ClaimedMail, now: OffsetDateTime) -> Result<(), StoreError> {
        let id = mail.id;
        self.0
            .database()
            .write(move |c| {
                Box::pin(async move {
                    // First the subscription, then its mail: everyone locks them in this order.
                    c.execute(
                        "UPDATE subscriptions SET mailed_at = $2 \
                         WHERE id = (SELECT subscription_id FROM outbox WHERE id = $1)",
                        [id.into(), now.into()],
                    )
                    .await?;
                    c.execute(
                        "UPDATE outbox SET state = 'sent', settled_at = $2, failure = NULL \
                         WHERE id = $1 AND state <> 'sent'",
                        [id.into(), now.into()],
                    )
                    .await
                    .map(drop)
                })
            })
            .await
    }

    /// Reports that a mail was not sent. It is tried again after a wait that doubles from 15 seconds to an hour,
    /// more or less by chance, until it is 72 hours old.
    ///
    /// # Errors
    ///
    /// Those of the database; the mail is then due again when its lease ends.
    pub async fn failed(
        self,
        mail: &ClaimedMail,
        failure: Failure,
        now: OffsetDateTime,
    ) -> Result<Fate, StoreError> {
        let (id, attempt) = (mail.id, mail.attempt);
        let (class, fate) = match failure {
            Failure::Permanent(class) => (class, Fate::Dead),
            Failure::Transient(class) if now - mail.queued_at >= MAIL_LIFETIME => {
                (class, Fate::Dead)
            }
            Failure::Transient(class) => (class, Fate::Retry(now + backoff::wait(attempt))),
        };
        let changed = self
            .0
            .database()
            .write(move |c| Box::pin(settle_failure(c, id, attempt, class, fate, now)))
            .await?;
        Ok(if changed { fate } else { Fate::NotOurs })
    }

    /// Queues the mails of contacts again that were given up, and says how many: for an operator who has mended
    /// the cause. A confirmation that was given up stays so: whoever still wants it asks again.
    ///
    /// # Errors
    ///
    /// Those of the database; nothing has changed then.
    pub async fn revive(self, now: OffsetDateTime) -> Result<u64, StoreError> {
        let revived = self
            .0
            .database()
            .write(move |c| {
                Box::pin(async move {
                    // They count as new, or their first failure would be their last.
                    c.execute(
                        "UPDATE outbox SET state = 'pending', attempts = 0, created_at = $1, \
                             due_at = $1, settled_at = NULL WHERE state = 'dead' AND contact_id IS NOT NULL",
                        [now.into()],
                    )
                    .await
                })
            })
            .await?;
        self.0.mail_queued().notify_one();
        Ok(revived)
    }

    /// Counts what the outbox holds, for metrics.
    ///
    /// # Errors
    ///
    /// Those of the database.
    pub async fn stats(self, now: OffsetDateTime) -> Result<OutboxStats, StoreError> {
        let row = self
            .0
            .database()
            .read(|c| {
                Box::pin(async move {
                    c.row(
                        "SELECT (SELECT COUNT(*) FROM outbox WHERE state = 'pending') AS pending, \
                             (SELECT MIN(created_at) FROM outbox WHERE state = 'pending') AS oldest, \
                             (SELECT COUNT(*) FROM outbox WHERE state = 'dead') AS dead",
                        [],
                    )
                    .await
                })
            })
            .await?
            .ok_or_else(|| StoreError::internal("a count was not returned"))?;
        let count = |column| {
            row.get::<i64>(column)
                .map(|count| u64::try_from(count).unwrap_or(0))
        };
        let oldest = row.optional_time("oldest")?;
        Ok(OutboxStats {
            pending: count("pending")?,
            // A clock that stepped back makes no negative age.
            oldest_pending: oldest.map(|at| Duration::try_from(now - at).unwrap_or_default()),
            dead: count("dead")?,
        })
    }

    /// Waits until this process queues a mail, or until `at_most` has passed: other processes queue mails as
    /// well, and mails become due by themselves.
    pub async fn wait(self, at_most: Duration) {
        let _ = timeout(at_most, self.0.mail_queued().notified()).await;
    }
}

async fn settle_failure(
    c: &mut Connection,
    id: Ulid,
    attempt: u32,
    class: String,
    fate: Fate,
    now: OffsetDateTime,
) -> Result<bool, StoreError> {
    let (state, due_at, settled_at) = match fate {
        Fate::Retry(at) => ("pending", at, None),
        Fate::Dead | Fate::NotOurs => ("dead", now, Some(now)),
    };
    // The attempt tells whether the row was taken again meanwhile.
    let changed = c
        .execute(
            "UPDATE outbox SET state = $3, due_at = $4, settled_at = $5, failure = $6 \
             WHERE id = $1 AND attempts = $2 AND state = 'pending'",
            [
                id.into(),
                i64::from(attempt).into(),
                state.into(),
                due_at.into(),
                settled_at.into(),
                class.into(),
            ],
        )
        .await?;
    Ok(changed > 0)
}

/// Queues a mail inside the caller's transaction.
pub(crate) async fn enqueue(
    c: &mut Connection,
    about: About,
    due_at: OffsetDateTime,
    now: OffsetDateTime,
) -> Result<(), StoreError> {
    enqueue_if(c, true, about, due_at, now).await
}

/// Queues a mail where one is due, by a statement that runs either way.
pub(crate) async fn enqueue_if(
    c: &mut Connection,
    is_due: bool,
    about: About,
    due_at: OffsetDateTime,
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
            due_at.into(),
            i64::from(is_due).into(),
        ],
    )
    .await
    .map(drop)
}
