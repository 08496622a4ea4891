//! Imported lists: addresses that another program has collected, and those that it knows to have
//! left.

use time::OffsetDateTime;

use super::{Subscriptions, derived, links};
use crate::database::{Connection, new_id};
use crate::error::StoreError;
use crate::webhooks::Event;
use crate::{AppId, Email};

/// Outcome of importing one address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Imported {
    /// It is confirmed now.
    Confirmed,
    /// It was confirmed before and has not changed.
    AlreadyConfirmed,
    /// Its subscription has ended, and stays ended.
    Unsubscribed,
}

/// Outcome of ending an address's subscriptions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// This many ended now. 0 means that all had ended before.
    Now(u64),
    /// There are none.
    Unknown,
}

impl Subscriptions<'_> {
    /// Imports addresses confirmed elsewhere, as `confirmed_by` says, in one transaction.
    /// Subscriptions that ended here stay ended. With `dry_run` nothing changes.
    ///
    /// # Errors
    ///
    /// Database errors. Nothing has changed then.
    pub async fn import(
        self,
        list: Vec<(Email, AppId)>,
        confirmed_by: String,
        dry_run: bool,
        now: OffsetDateTime,
    ) -> Result<Vec<Imported>, StoreError> {
        let write = self.store.database().write(move |c| {
            Box::pin(async move {
                if !dry_run {
                    // A later export only reads, even on a full disk.
                    derived::links(c, now).await?;
                }
                let mut outcomes = Vec::with_capacity(list.len());
                for (email, app_id) in list {
                    let is_new = !dry_run && take(c, &email, &app_id, &confirmed_by, now).await?;
                    outcomes.push(if is_new {
                        Imported::Confirmed
                    } else {
                        look(c, &email, &app_id).await?
                    });
                }
                Ok(outcomes)
            })
        });
        write.await
    }

    /// Ends an address's subscriptions, of one app or all.
    ///
    /// # Errors
    ///
    /// Database errors. Nothing has changed then.
    pub async fn end(
        self,
        email: &Email,
        app_id: Option<&AppId>,
        now: OffsetDateTime,
    ) -> Result<Ended, StoreError> {
        let values = [email.key().into(), app_id.map_or("", AppId::as_str).into()];
        let told = self.store.receivers_of(Event::SubscriberEnded);
        let write = self.store.database().write(move |c| {
            Box::pin(async move {
                let sql = "SELECT id FROM subscriptions WHERE email_key = $1 \
                           AND ($2 = '' OR app_id = $2)";
                let rows = c.rows(sql, values).await?;
                let mut ended = 0;
                for row in &rows {
                    ended += u64::from(links::end(c, row.id("id")?, &told, now).await?);
                }
                Ok(if rows.is_empty() { Ended::Unknown } else { Ended::Now(ended) })
            })
        });
        write.await
    }
}

/// Confirms a new or pending address. Returns whether it was one.
async fn take(
    c: &mut Connection,
    email: &Email,
    app_id: &AppId,
    confirmed_by: &str,
    now: OffsetDateTime,
) -> Result<bool, StoreError> {
    let changed = c
        .execute(
            "INSERT INTO subscriptions AS s (id, email, app_id, state, created_at, requested_at, \
                 confirmed_at, confirmed_by, email_key) \
             SELECT $1, $2, $3, 'confirmed', $4, $4, $4, $5, $6 WHERE NOT EXISTS ( \
                 SELECT 1 FROM subscriptions WHERE email_key = $6 AND app_id = $3 \
                 AND state IN ('confirmed', 'unsubscribed')) \
             ON CONFLICT (email, app_id) DO UPDATE SET state = 'confirmed', \
                 confirmed_at = excluded.confirmed_at, confirmed_by = excluded.confirmed_by \
             WHERE s.state IN ('pending', 'undeliverable')",
            [
                new_id(now).into(),
                email.as_str().into(),
                app_id.as_str().into(),
                now.into(),
                confirmed_by.into(),
                email.key().into(),
            ],
        )
        .await?;
    Ok(changed > 0)
}

/// What an import would do, or why it did nothing.
async fn look(c: &mut Connection, email: &Email, app_id: &AppId) -> Result<Imported, StoreError> {
    let sql = "SELECT MAX(state) AS state FROM subscriptions WHERE email_key = $1 \
               AND app_id = $2 AND state IN ('confirmed', 'unsubscribed')";
    let values = [email.key().into(), app_id.as_str().into()];
    let row = c.row(sql, values).await?;
    let state: Option<String> = row.map(|row| row.get("state")).transpose()?.flatten();
    Ok(match state.as_deref() {
        Some("unsubscribed") => Imported::Unsubscribed,
        Some(_) => Imported::AlreadyConfirmed,
        None => Imported::Confirmed,
    })
}
