//! Data retention: deletes expired records.

use time::{Duration, OffsetDateTime};

use crate::database::Value;
use crate::error::StoreError;
use crate::limits::{
    AUDIT_LIFETIME, CLOCK_DOUBT, CLOCK_LEAP, IDEMPOTENCY_LIFETIME, PURGE_BATCH_ROWS,
    SENT_MAIL_LIFETIME, SPENT_CHALLENGE_LIFETIME, UNCONFIRMED_LIFETIME,
};
use crate::{AppId, Store};

/// Records deleted by a purge.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Purged {
    /// Messages of the contact form.
    pub contacts: u64,
    /// Unconfirmed subscriptions.
    pub subscriptions: u64,
    /// Expired links.
    pub tokens: u64,
    /// Sent mails.
    pub mails: u64,
    /// Challenges that can no longer be replayed.
    pub challenges: u64,
    /// Idempotency keys.
    pub idempotency_keys: u64,
}

/// The reason a purge, which cannot be undone, waits for a day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PurgeWait {
    /// The clock is over two days past the newest known time. A machine without a clock battery may
    /// start in any year.
    Clock,
    /// More than half of the messages, subscriptions or audit entries would be deleted.
    Much,
}

/// The expired rows of a table: the statement that deletes a batch, and the one that compares their
/// number with all.
struct Expired {
    delete: &'static str,
    is_most: &'static str,
}

macro_rules! expired {
    ($table:literal, $key:literal, $condition:literal) => {
        Expired {
            delete: concat!(
                "DELETE FROM ",
                $table,
                " WHERE ",
                $key,
                " IN (SELECT ",
                $key,
                " FROM ",
                $table,
                " WHERE ",
                $condition,
                " LIMIT $2)"
            ),
            is_most: concat!(
                "SELECT 1 AS most WHERE (SELECT COUNT(*) FROM (SELECT 1 FROM ",
                $table,
                " WHERE ",
                $condition,
                " LIMIT $2) AS expired) * 2 > (SELECT COUNT(*) FROM ",
                $table,
                ")"
            ),
        }
    };
}

/// A message stays while its mail is unsent.
const CONTACTS: Expired = expired!(
    "contacts",
    "id",
    "created_at <= $1 AND NOT EXISTS ( \
     SELECT 1 FROM outbox WHERE contact_id = contacts.id AND state = 'pending' AND webhook IS NULL)"
);
/// A subscription that ever ended stays, since it records that its owner does not want it.
const SUBSCRIPTIONS: Expired = expired!(
    "subscriptions",
    "id",
    "confirmed_at IS NULL AND unsubscribed_at IS NULL AND requested_at <= $1 AND app_id = $3"
);
/// The same for apps outside a list.
const SUBSCRIPTIONS_OF_OTHERS: Expired = expired!(
    "subscriptions",
    "id",
    "confirmed_at IS NULL AND unsubscribed_at IS NULL AND requested_at <= $1 \
     AND REPLACE($3, ',' || app_id || ',', '') = $3"
);
const TOKENS: Expired = expired!("subscription_tokens", "digest", "expires_at <= $1");
const MAILS: Expired = expired!(
    "outbox",
    "id",
    "(state = 'sent' OR state = 'dead' AND (contact_id IS NULL OR webhook IS NOT NULL)) AND settled_at <= $1"
);
/// Of receivers that are off or that no process knows. Others are mostly given up by then.
const NOTICES: Expired =
    expired!("outbox", "id", "state = 'pending' AND webhook IS NOT NULL AND created_at <= $1");
const AUDIT: Expired = expired!("audit", "id", "at <= $1");
const CHALLENGES: Expired = expired!("spent_challenges", "digest", "spent_at <= $1");
const IDEMPOTENCY_KEYS: Expired = expired!("idempotency_keys", "digest", "claimed_at <= $1");

impl Store {
    /// Whether a [purge](Self::purge) with the same arguments should wait, which it does for a day
    /// at most.
    ///
    /// # Errors
    ///
    /// Database errors.
    pub async fn purge_waits(
        &self,
        now: OffsetDateTime,
        contact_days: u32,
        unconfirmed_days: &[(AppId, u32)],
    ) -> Result<Option<PurgeWait>, StoreError> {
        let deletes_much = self.deletes_much(now, contact_days, unconfirmed_days).await?;
        let wait = self.database().write(move |c| {
            Box::pin(async move {
                c.lock("clock").await?;
                let sql = "SELECT seen_at, doubted_since FROM clock WHERE id = 1";
                let Some(row) = c.row(sql, []).await? else {
                    return Ok(None);
                };
                let has_leapt =
                    row.optional_time("seen_at")?.is_some_and(|seen| seen < now - CLOCK_LEAP);
                let before = row.optional_time("doubted_since")?.filter(|since| *since <= now);
                let is_new = has_leapt || before.is_none() && deletes_much;
                let since = if is_new { Some(now) } else { before };
                let since = since.filter(|since| *since > now - CLOCK_DOUBT);
                let sql = "UPDATE clock SET seen_at = $1, doubted_since = $2 WHERE id = 1";
                c.execute(sql, [now.into(), since.into()]).await?;
                let why =
                    if deletes_much && !has_leapt { PurgeWait::Much } else { PurgeWait::Clock };
                Ok(since.map(|_| why))
            })
        });
        wait.await
    }

    async fn deletes_much(
        &self,
        now: OffsetDateTime,
        contact_days: u32,
        unconfirmed_days: &[(AppId, u32)],
    ) -> Result<bool, StoreError> {
        let is_most = async |expired: Expired, until: OffsetDateTime| {
            let rows = self.database().rows(expired.is_most, [until.into(), i64::MAX.into()]);
            Ok::<_, StoreError>(!rows.await?.is_empty())
        };
        let contacts = age(now, Duration::days(contact_days.into()));
        if is_most(CONTACTS, contacts).await? || is_most(AUDIT, age(now, AUDIT_LIFETIME)).await? {
            return Ok(true);
        }
        for (expired, until, apps) in unconfirmed(now, unconfirmed_days) {
            let values = [until.into(), i64::MAX.into(), apps.into()];
            if !self.database().rows(expired.is_most, values).await?.is_empty() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Deletes expired records: messages after `contact_days`, unconfirmed subscriptions after 7
    /// days or their app's `unconfirmed_days`, expired links, mail delivery records after 7 days,
    /// spent challenges and idempotency keys after one. Also frees the space. Call it now and then,
    /// from any number of replicas.
    ///
    /// # Errors
    ///
    /// Database errors. Records deleted before the error stay deleted.
    pub async fn purge(
        &self,
        now: OffsetDateTime,
        contact_days: u32,
        unconfirmed_days: &[(AppId, u32)],
    ) -> Result<Purged, StoreError> {
        let purged = Purged {
            contacts: self.delete(CONTACTS, age(now, Duration::days(contact_days.into()))).await?,
            subscriptions: self.delete_unconfirmed(now, unconfirmed_days).await?,
            tokens: self.delete(TOKENS, now).await?,
            mails: self.delete(MAILS, age(now, SENT_MAIL_LIFETIME)).await?
                + self.delete(NOTICES, age(now, SENT_MAIL_LIFETIME)).await?,
            challenges: self.delete(CHALLENGES, age(now, SPENT_CHALLENGE_LIFETIME)).await?,
            idempotency_keys: self.delete(IDEMPOTENCY_KEYS, age(now, IDEMPOTENCY_LIFETIME)).await?,
        };
        self.delete(AUDIT, age(now, AUDIT_LIFETIME)).await?;
        self.database().shrink().await?;
        Ok(purged)
    }

    async fn delete_unconfirmed(
        &self,
        now: OffsetDateTime,
        days: &[(AppId, u32)],
    ) -> Result<u64, StoreError> {
        let mut deleted = 0;
        for (expired, until, apps) in unconfirmed(now, days) {
            let values = || [until.into(), PURGE_BATCH_ROWS.into(), apps.as_str().into()];
            deleted += self.batches(expired.delete, values).await?;
        }
        Ok(deleted)
    }

    async fn delete(&self, expired: Expired, until: OffsetDateTime) -> Result<u64, StoreError> {
        let values = || [until.into(), PURGE_BATCH_ROWS.into()];
        self.batches(expired.delete, values).await
    }

    /// Deletes in batches, one transaction each, so that other operations don't wait long.
    async fn batches<const N: usize>(
        &self,
        sql: &'static str,
        values: impl Fn() -> [Value; N],
    ) -> Result<u64, StoreError> {
        let mut deleted = 0;
        loop {
            let batch = self.database().execute(sql, values()).await?;
            deleted += batch;
            if batch < PURGE_BATCH_ROWS.unsigned_abs() {
                return Ok(deleted);
            }
        }
    }
}

/// The latest start of records of this age.
fn age(now: OffsetDateTime, age: Duration) -> OffsetDateTime {
    now.checked_sub(age).unwrap_or(OffsetDateTime::UNIX_EPOCH)
}

/// Unconfirmed subscriptions by app: the expired ones, the time limit, and the app, or all apps
/// that have their own limit.
fn unconfirmed(
    now: OffsetDateTime,
    days: &[(AppId, u32)],
) -> impl Iterator<Item = (Expired, OffsetDateTime, String)> {
    let listed = days.iter().flat_map(|(app, _)| [",", app.as_str(), ","]).collect();
    let others = (SUBSCRIPTIONS_OF_OTHERS, age(now, UNCONFIRMED_LIFETIME), listed);
    let own = days.iter().map(move |(app, days)| {
        (SUBSCRIPTIONS, age(now, Duration::days((*days).into())), app.as_str().to_owned())
    });
    std::iter::once(others).chain(own)
}
