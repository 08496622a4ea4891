//! Mailbox: leases mails of the outbox to a worker, and records the outcome of each.
//!
//! Delivery is at least once. A worker leases a row; if the worker dies, the lease expires and the
//! mail is due again. Two workers never hold the same row, whether they share a process or a
//! database. The mail is composed when its row is leased: only then are the tokens of its links
//! generated, so that none is ever stored. Each attempt has its own tokens, and those of earlier
//! attempts keep working.

use std::error::Error as _;
use std::time::Duration;

use time::OffsetDateTime;
use ulid::Ulid;

use crate::Token;
use crate::contacts::{Contact, contact};
use crate::database::{Connection, Row};
use crate::error::StoreError;
use crate::limits::{CLAIM_MAX, CONFIRM_TOKEN_LIFETIME, MAIL_LIFETIME};
use crate::outbox::{Disposition, Failure, Outbox, backoff};
use crate::subscriptions::{Purpose, issue};

/// A leased mail, to be reported on.
#[derive(Debug)]
pub struct ClaimedMail {
    /// Id of the mail; the same at each attempt, so suitable for its `Message-ID`.
    pub id: Ulid,
    /// Number of the attempt, from 1.
    pub attempt: u32,
    /// Time when it was queued.
    pub queued_at: OffsetDateTime,
    /// Content.
    pub mail: Mail,
}

/// Content of a mail, to be worded by the sender.
#[derive(Debug)]
pub enum Mail {
    /// A message of the contact form, for the operator.
    Contact(Contact),
    /// A confirmation request for a subscription.
    Confirmation(ConfirmationMail),
}

/// Content of a confirmation mail.
pub struct ConfirmationMail {
    /// Recipient.
    pub email: String,
    /// The app of the newsletter.
    pub app_id: String,
    /// Token of the confirmation link, valid for 48 hours.
    pub confirm: Token,
    /// Token of the unsubscribe link, valid indefinitely.
    pub unsubscribe: Token,
}

/// Shows no address: debug output ends up in logs.
impl std::fmt::Debug for ConfirmationMail {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "ConfirmationMail({}, …)", self.app_id)
    }
}

impl Outbox<'_> {
    /// Leases up to `limit` due mails ([`CLAIM_MAX`] at most) for the duration `lease`. Each must
    /// be reported with [`sent`](Self::sent) or [`failed`](Self::failed) before the lease expires,
    /// or it is due again.
    ///
    /// # Errors
    ///
    /// Database errors; nothing is leased then.
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
            .write(move |c| Box::pin(claim(c, now, limit, until)))
            .await
    }

    /// Reports that a mail was sent. Repeated reports, also by another worker, are harmless.
    ///
    /// # Errors
    ///
    /// Database errors. Report again: a mail sent but not reported is sent twice.
    pub async fn sent(self, mail: &ClaimedMail, now: OffsetDateTime) -> Result<(), StoreError> {
        let id = mail.id;
        self.0
            .database()
            .write(move |c| {
                Box::pin(async move {
                    // The subscription first, then its mail: everyone locks them in this order.
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

    /// Reports that a mail was not sent. It is retried after a wait that doubles from 15 seconds to
    /// an hour, with jitter, until it is 72 hours old.
    ///
    /// # Errors
    ///
    /// Database errors; the mail is then due again when its lease expires.
    pub async fn failed(
        self,
        mail: &ClaimedMail,
        failure: Failure,
        now: OffsetDateTime,
    ) -> Result<Disposition, StoreError> {
        let (class, fate) = match failure {
            Failure::Transient(class) if now - mail.queued_at < MAIL_LIFETIME => {
                (class, Disposition::Retry(now + backoff::wait(mail.attempt)))
            }
            Failure::Transient(class) | Failure::Permanent(class) => (class, Disposition::Dead),
        };
        let (state, due_at, settled_at) = match fate {
            Disposition::Retry(at) => ("pending", at, None),
            Disposition::Dead | Disposition::NotOurs => ("dead", now, Some(now)),
        };
        // The attempt shows whether the row was leased again meanwhile.
        let sql = "UPDATE outbox SET state = $3, due_at = $4, settled_at = $5, failure = $6 \
                   WHERE id = $1 AND attempts = $2 AND state = 'pending'";
        let values = [
            mail.id.into(),
            i64::from(mail.attempt).into(),
            state.into(),
            due_at.into(),
            settled_at.into(),
            class.into(),
        ];
        let changed = self.0.database().execute(sql, values).await?;
        Ok(if changed > 0 {
            fate
        } else {
            Disposition::NotOurs
        })
    }
}

/// Leases the rows that have waited longest. `lock` keeps two workers from waiting for each other;
/// SQLite has one writer and needs none.
macro_rules! take {
    ($lock:literal) => {
        concat!(
            "WITH due AS (SELECT id FROM outbox WHERE state = 'pending' AND due_at <= $1 ",
            "ORDER BY due_at, id LIMIT $2 ",
            $lock,
            ") UPDATE outbox SET attempts = attempts + 1, due_at = $3 FROM due ",
            "WHERE outbox.id = due.id ",
            "RETURNING outbox.id, contact_id, subscription_id, attempts, created_at"
        )
    };
}

async fn claim(
    c: &mut Connection,
    now: OffsetDateTime,
    limit: u32,
    until: OffsetDateTime,
) -> Result<Vec<ClaimedMail>, StoreError> {
    let sql = c.either(take!(""), take!("FOR UPDATE SKIP LOCKED"));
    let rows = c
        .rows(sql, [now.into(), i64::from(limit).into(), until.into()])
        .await?;
    let mut claimed = Vec::with_capacity(rows.len());
    for row in &rows {
        let id: String = row.get("id")?;
        match compose(c, row, now).await {
            Ok(Some(mail)) => claimed.push(mail),
            Ok(None) => {
                let sql = "DELETE FROM outbox WHERE id = $1";
                c.execute(sql, [id.into()]).await?;
            }
            // One that cannot be read must not keep back the others.
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
    tracing::error!(
        mail.id = id,
        cause,
        "a mail cannot be read, and was given up"
    );
}

/// Composes a mail; `None` when it is no longer needed.
async fn compose(
    c: &mut Connection,
    row: &Row,
    now: OffsetDateTime,
) -> Result<Option<ClaimedMail>, StoreError> {
    let (id, queued_at) = (row.id("id")?, row.time("created_at")?);
    let attempt = u32::try_from(row.get::<i64>("attempts")?).unwrap_or(u32::MAX);
    Ok(mail(c, row, now).await?.map(|mail| ClaimedMail {
        id,
        attempt,
        queued_at,
        mail,
    }))
}

/// The content of a mail.
async fn mail(
    c: &mut Connection,
    row: &Row,
    now: OffsetDateTime,
) -> Result<Option<Mail>, StoreError> {
    if let Some(id) = row.optional_id("contact_id")? {
        let sql =
            "SELECT id, name, email, subject, message, created_at FROM contacts WHERE id = $1";
        let row = c.row(sql, [id.into()]).await?;
        return row.map(|row| contact(&row).map(Mail::Contact)).transpose();
    }
    match row.optional_id("subscription_id")? {
        Some(id) => confirmation(c, id, now).await,
        None => Ok(None),
    }
}

async fn confirmation(
    c: &mut Connection,
    subscription: Ulid,
    now: OffsetDateTime,
) -> Result<Option<Mail>, StoreError> {
    let sql = "SELECT email, app_id FROM subscriptions WHERE id = $1 AND state = 'pending'";
    let Some(row) = c.row(sql, [subscription.into()]).await? else {
        return Ok(None);
    };
    let expires_at = Some(now + CONFIRM_TOKEN_LIFETIME);
    Ok(Some(Mail::Confirmation(ConfirmationMail {
        email: row.get("email")?,
        app_id: row.get("app_id")?,
        confirm: issue(c, subscription, Purpose::Confirm, expires_at).await?,
        unsubscribe: issue(c, subscription, Purpose::Unsubscribe, None).await?,
    })))
}
