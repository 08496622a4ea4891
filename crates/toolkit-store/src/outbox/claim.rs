//! How a worker takes mails, and what it is handed.

use time::OffsetDateTime;
use ulid::Ulid;

use super::{ClaimedMail, ConfirmationMail, Mail};
use crate::contacts::contact;
use crate::database::{Connection, Row};
use crate::error::StoreError;
use crate::limits::CONFIRM_TOKEN_LIFETIME;
use crate::subscriptions::{Purpose, issue};

/// Takes the rows that have waited longest. `lock` is what the database needs so that two workers pass each other
/// by: SQLite has one writer, so nothing.
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

pub(super) async fn claim(
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
        let id = row.id("id")?;
        match mail(c, row, now).await? {
            Some(mail) => claimed.push(ClaimedMail {
                id,
                attempt: u32::try_from(row.get::<i64>("attempts")?).unwrap_or(u32::MAX),
                queued_at: row.time("created_at")?,
                mail,
            }),
            None => forget(c, id).await?,
        }
    }
    claimed.sort_by_key(|mail| (mail.queued_at, mail.id));
    Ok(claimed)
}

/// Puts together what a mail says; `None` when there is no longer a reason to send it.
async fn mail(
    c: &mut Connection,
    row: &Row,
    now: OffsetDateTime,
) -> Result<Option<Mail>, StoreError> {
    if let Some(id) = row.optional_id("contact_id")? {
        let sql =
            "SELECT id, name, email, subject, message, created_at FROM contacts WHERE id = $1";
        let row = c.row(sql, [id.into()]).await?;
        return row
            .as_ref()
            .map(contact)
            .transpose()
            .map(|contact| contact.map(Mail::Contact));
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

async fn forget(c: &mut Connection, id: Ulid) -> Result<(), StoreError> {
    c.execute("DELETE FROM outbox WHERE id = $1", [id.into()])
        .await
        .map(drop)
}
