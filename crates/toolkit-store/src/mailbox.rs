//! Mailbox: leases outbox mails to workers and records the outcome of each.
//!
//! Delivery is at least once. If a worker dies, its lease expires and the mail is due again. Two
//! workers cannot hold the same row, whether they share a process or only a database. A mail is
//! composed when its row is leased. Its confirmation token is generated only then, so that it is
//! never stored. Each attempt has its own tokens, and those of earlier attempts keep working.

use std::error::Error as _;
use std::time::Duration;

use time::OffsetDateTime;
use ulid::Ulid;

use crate::Token;
use crate::contacts::{Contact, contact};
use crate::database::{Connection, Row, Value};
use crate::error::StoreError;
use crate::limits::{
    ATTEMPTS_MIN, CLAIM_MAX, CONFIRM_TOKEN_LIFETIME, DUE_AHEAD_MAX, MAIL_LIFETIME,
};
use crate::outbox::{About, Disposition, Failure, Outbox, backoff};
use crate::records::{Subscriber, subscriber};
use crate::subscriptions::{issue, unsubscribe_links};
use crate::webhooks::{Event, announce};

/// A leased mail, to be reported on.
#[derive(Debug)]
pub struct ClaimedMail {
    /// The mail's ID. The same on each attempt, so suitable for `Message-ID`.
    pub id: Ulid,
    /// Number of the attempt, from 1.
    pub attempt: u32,
    /// Time of queuing.
    pub queued_at: OffsetDateTime,
    /// Content.
    pub mail: Mail,
}

/// Content of a mail, worded by the sender.
#[derive(Debug)]
pub enum Mail {
    /// A contact message, for the operator.
    Contact(Contact),
    /// The request to confirm a subscription.
    Confirmation(ConfirmationMail),
    /// An event, for a webhook's receiver.
    Webhook(Notice),
}

/// An event for a webhook's receiver.
#[derive(Debug)]
pub struct Notice {
    /// The receiver's name.
    pub receiver: String,
    /// The event.
    pub event: Event,
    /// The event's subject.
    pub subject: Subject,
}

/// The subject of an event, in its current state.
#[derive(Debug)]
pub enum Subject {
    /// A message.
    Contact(Contact),
    /// A subscription.
    Subscriber(Subscriber),
    /// A subscription that has been erased.
    Erased {
        /// Its id.
        id: Ulid,
        /// The newsletter's app.
        app_id: String,
    },
}

/// Content of a confirmation mail.
///
/// Debug output ends up in logs, so it shows only the app.
#[derive(derive_more::Debug)]
#[debug("ConfirmationMail({app_id}, …)")]
pub struct ConfirmationMail {
    /// The subscription.
    pub subscription: Ulid,
    /// Recipient.
    pub email: String,
    /// The newsletter's app.
    pub app_id: String,
    /// Token of the confirmation link, valid for 48 hours.
    pub confirm: Token,
    /// Token of the unsubscribe link, which does not expire.
    pub unsubscribe: Token,
}

impl Outbox<'_> {
    /// Leases up to `limit` due mails or events of a queue ([`CLAIM_MAX`] at most) for the duration
    /// `lease`. Report each with [`sent`](Self::sent) or [`failed`](Self::failed) before the lease
    /// expires, or it becomes due again.
    ///
    /// # Errors
    ///
    /// Database errors. Nothing is leased then.
    pub async fn claim(
        self,
        queue: Queue,
        now: OffsetDateTime,
        limit: u32,
        lease: Duration,
    ) -> Result<Vec<ClaimedMail>, StoreError> {
        let limit = limit.min(CLAIM_MAX);
        let lease = time::Duration::try_from(lease).unwrap_or(time::Duration::MAX);
        let until = now.saturating_add(lease);
        self.0.database().write(move |c| Box::pin(claim(c, queue, now, limit, until))).await
    }

    /// Reports a mail as sent. Repeated reports, even by another worker, are harmless.
    ///
    /// # Errors
    ///
    /// Database errors. Report again, since an unreported mail is sent twice.
    pub async fn sent(self, mail: &ClaimedMail, now: OffsetDateTime) -> Result<(), StoreError> {
        let id = mail.id;
        self.0
            .database()
            .write(move |c| {
                Box::pin(async move {
                    // The subject before its mail, the locking order everywhere.
                    for sql in [
                        "UPDATE subscriptions SET mailed_at = $2 \
                         WHERE id = (SELECT subscription_id FROM outbox WHERE id = $1 AND webhook IS NULL)",
                        "UPDATE contacts SET mailed_at = $2 \
                         WHERE id = (SELECT contact_id FROM outbox WHERE id = $1 AND webhook IS NULL)",
                    ] {
                        c.execute(sql, [id.into(), now.into()]).await?;
                    }
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

    /// Reports that a mail was not sent. It is retried after a wait that doubles from 15 seconds to
    /// an hour, with jitter, until it is 72 hours old and has had [`ATTEMPTS_MIN`] attempts.
    ///
    /// # Errors
    ///
    /// Database errors. The mail is then due again when its lease expires.
    pub async fn failed(
        self,
        mail: &ClaimedMail,
        failure: Failure,
        now: OffsetDateTime,
    ) -> Result<Disposition, StoreError> {
        if matches!((&mail.mail, &failure), (Mail::Confirmation(_), Failure::Permanent(_))) {
            return self.refused(mail, now).await;
        }
        let (class, disposition) = match failure {
            Failure::Transient(class)
                if now - mail.queued_at < MAIL_LIFETIME || mail.attempt < ATTEMPTS_MIN =>
            {
                (class, Disposition::Retry(now + backoff::wait(mail.attempt)))
            }
            Failure::Transient(class) | Failure::Permanent(class) => (class, Disposition::Dead),
        };
        let (is_dead, due_at) = match disposition {
            Disposition::Retry(at) => (0, at),
            _ => (1, now),
        };
        let about = match &mail.mail {
            _ if is_dead == 0 => None,
            Mail::Contact(contact) => Some(About::Contact(contact.id)),
            Mail::Confirmation(mail) => Some(About::Subscription(mail.subscription)),
            Mail::Webhook(_) => None,
        };
        let told = self.0.receivers_of(Event::MailGivenUp);
        // The attempt number shows whether the row was leased again meanwhile.
        let sql = "UPDATE outbox SET state = CASE WHEN $3 = 1 THEN 'dead' ELSE state END, due_at = $4, \
                   settled_at = $5, failure = $6 \
                   WHERE id = $1 AND attempts = $2 AND state = 'pending'";
        let values = [
            mail.id.into(),
            i64::from(mail.attempt).into(),
            i64::from(is_dead).into(),
            due_at.into(),
            now.into(),
            class.into(),
        ];
        let write = self.0.database().write(move |c| {
            Box::pin(async move {
                let changed = c.execute(sql, values).await?;
                if let Some(about) = about.filter(|_| changed > 0) {
                    announce(c, &told, Event::MailGivenUp, about, now).await?;
                }
                Ok(changed)
            })
        });
        Ok(if write.await? > 0 {
            self.0.wake_worker();
            disposition
        } else {
            Disposition::NotOurs
        })
    }
}

impl Outbox<'_> {
    /// Records that a subscriber's address is refused permanently, and withdraws its mail.
    async fn refused(
        self,
        mail: &ClaimedMail,
        now: OffsetDateTime,
    ) -> Result<Disposition, StoreError> {
        let (id, attempt) = (mail.id, i64::from(mail.attempt));
        let write = self.0.database().write(move |c| {
            Box::pin(async move {
                c.execute(
                    "UPDATE subscriptions SET undeliverable_at = $3, state = CASE state \
                     WHEN 'pending' THEN 'undeliverable' ELSE state END WHERE id = (SELECT \
                     subscription_id FROM outbox WHERE id = $1 AND attempts = $2 AND state = 'pending')",
                    [id.into(), attempt.into(), now.into()],
                )
                .await?;
                let sql =
                    "DELETE FROM outbox WHERE id = $1 AND attempts = $2 AND state = 'pending'";
                c.execute(sql, [id.into(), attempt.into()]).await
            })
        });
        Ok(match write.await? {
            0 => Disposition::NotOurs,
            _ => Disposition::Undeliverable,
        })
    }
}

/// Rows leased in turn. Queues do not wait for each other.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Queue {
    /// Contact mails.
    Contacts,
    /// Confirmation mails.
    Confirmations,
    /// Events for the receiver with this name.
    Events(String),
}

/// Leases the rows that have waited longest. A row due later than any can be was queued by a clock
/// that ran ahead. `lock` keeps two workers from waiting for each other. SQLite has one writer and
/// needs none.
macro_rules! take {
    ($queue:literal, $lock:literal) => {
        concat!(
            "WITH due AS (SELECT id FROM outbox WHERE state = 'pending' AND ",
            $queue,
            " AND (due_at <= $1 OR due_at > $4) ",
            "ORDER BY due_at, id LIMIT $2 ",
            $lock,
            ") UPDATE outbox SET attempts = attempts + 1, due_at = $3, settled_at = NULL FROM due ",
            "WHERE outbox.id = due.id ",
            "RETURNING outbox.id, contact_id, subscription_id, erased_id, erased_app, attempts, ",
            "created_at, webhook, event"
        )
    };
}

/// A queue's statements, for SQLite and PostgreSQL.
macro_rules! queue {
    ($queue:literal) => {
        (take!($queue, ""), take!($queue, "FOR UPDATE SKIP LOCKED"))
    };
}

impl Queue {
    fn statements(&self) -> (&'static str, &'static str) {
        match self {
            Self::Contacts => queue!("webhook IS NULL AND contact_id IS NOT NULL"),
            Self::Confirmations => queue!("webhook IS NULL AND contact_id IS NULL"),
            Self::Events(_) => queue!(
                "webhook = $5 AND NOT EXISTS (SELECT 1 FROM webhooks_off WHERE receiver = outbox.webhook)"
            ),
        }
    }
}

async fn claim(
    c: &mut Connection,
    queue: Queue,
    now: OffsetDateTime,
    limit: u32,
    until: OffsetDateTime,
) -> Result<Vec<ClaimedMail>, StoreError> {
    let (sqlite, postgres) = queue.statements();
    let sql = c.either(sqlite, postgres);
    let [at, ahead] = [now, now + DUE_AHEAD_MAX].map(Value::from);
    let (limit, until) = (i64::from(limit).into(), until.into());
    let rows = match queue {
        Queue::Events(receiver) => c.rows(sql, [at, limit, until, ahead, receiver.into()]).await?,
        _ => c.rows(sql, [at, limit, until, ahead]).await?,
    };
    let mut claimed = Vec::with_capacity(rows.len());
    for row in &rows {
        let id: String = row.get("id")?;
        match compose(c, row, now).await {
            Ok(Some(mail)) => claimed.push(mail),
            Ok(None) => {
                let sql = "DELETE FROM outbox WHERE id = $1";
                c.execute(sql, [id.into()]).await?;
            }
            // An unreadable row must not hold up the others.
            Err(error @ StoreError::Internal { .. }) => {
                give_up(&id, &error);
                let sql = "UPDATE outbox SET state = 'dead', settled_at = $2, failure = 'unreadable' \
                           WHERE id = $1";
                c.execute(sql, [id.into(), now.into()]).await?;
            }
            Err(error) => return Err(error),
        }
    }
    claimed.sort_by_key(|mail| (mail.queued_at, mail.id));
    Ok(claimed)
}

fn give_up(id: &str, error: &StoreError) {
    let cause = error.source().map(tracing::field::display);
    tracing::error!(mail.id = id, cause, "giving up a mail that cannot be read");
}

/// Composes a mail. `None` if it is no longer needed.
async fn compose(
    c: &mut Connection,
    row: &Row,
    now: OffsetDateTime,
) -> Result<Option<ClaimedMail>, StoreError> {
    let (id, queued_at) = (row.id("id")?, row.time("created_at")?);
    let attempt = u32::try_from(row.get::<i64>("attempts")?).unwrap_or(u32::MAX);
    Ok(mail(c, row, now).await?.map(|mail| ClaimedMail { id, attempt, queued_at, mail }))
}

/// The content of a mail.
async fn mail(
    c: &mut Connection,
    row: &Row,
    now: OffsetDateTime,
) -> Result<Option<Mail>, StoreError> {
    if let Some(receiver) = row.get::<Option<String>>("webhook")? {
        let subject = subject(c, row).await?;
        let event = Event::parse(row.get("event")?)?;
        return Ok(subject.map(|subject| Mail::Webhook(Notice { receiver, event, subject })));
    }
    if let Some(id) = row.optional_id("contact_id")? {
        let sql = "SELECT * FROM contacts WHERE id = $1";
        let row = c.row(sql, [id.into()]).await?;
        return row.map(|row| contact(&row).map(Mail::Contact)).transpose();
    }
    match row.optional_id("subscription_id")? {
        Some(id) => confirmation(c, id, now).await,
        None => Ok(None),
    }
}

/// The subject of an event.
async fn subject(c: &mut Connection, row: &Row) -> Result<Option<Subject>, StoreError> {
    if let Some(id) = row.optional_id("contact_id")? {
        let row = c.row("SELECT * FROM contacts WHERE id = $1", [id.into()]).await?;
        return row.map(|row| contact(&row).map(Subject::Contact)).transpose();
    }
    if let Some(id) = row.optional_id("erased_id")? {
        return Ok(Some(Subject::Erased { id, app_id: row.get("erased_app")? }));
    }
    let Some(id) = row.optional_id("subscription_id")? else {
        return Ok(None);
    };
    let row = c.row("SELECT * FROM subscriptions WHERE id = $1", [id.into()]).await?;
    row.map(|row| subscriber(&row).map(Subject::Subscriber)).transpose()
}

async fn confirmation(
    c: &mut Connection,
    subscription: Ulid,
    now: OffsetDateTime,
) -> Result<Option<Mail>, StoreError> {
    // Includes an unsubscribed one: its unsent mails were deleted, so this is a new request.
    let sql = "SELECT email, app_id FROM subscriptions WHERE id = $1 AND state <> 'confirmed'";
    let Some(row) = c.row(sql, [subscription.into()]).await? else {
        return Ok(None);
    };
    Ok(Some(Mail::Confirmation(ConfirmationMail {
        subscription,
        email: row.get("email")?,
        app_id: row.get("app_id")?,
        confirm: issue(c, subscription, now + CONFIRM_TOKEN_LIFETIME).await?,
        unsubscribe: unsubscribe_links(c, now).await?.token(subscription),
    })))
}
