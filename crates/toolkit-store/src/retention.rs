//! Data retention: deletes expired records.

use time::{Duration, OffsetDateTime};

use crate::database::Value;
use crate::error::StoreError;
use crate::limits::{
    AUDIT_LIFETIME, CLOCK_DOUBT, CLOCK_LEAP, IDEMPOTENCY_LIFETIME, PURGE_BATCH_ROWS,
    SENT_MAIL_LIFETIME, SPENT_CHALLENGE_LIFETIME, UNCONFIRMED_LIFETIME,
};
use crate::{AppId, Store};

/// Number of records deleted by a purge.
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

/// Deletes a batch of messages; one with an unsent mail stays until that is settled.
const CONTACTS: &str = "DELETE FROM contacts WHERE id IN ( \
    SELECT id FROM contacts WHERE created_at <= $1 AND NOT EXISTS ( \
        SELECT 1 FROM outbox WHERE contact_id = contacts.id AND state = 'pending') LIMIT $2)";
/// One that has ever ended stays: it records that its owner does not want it.
const SUBSCRIPTIONS: &str = "DELETE FROM subscriptions WHERE id IN ( \
    SELECT id FROM subscriptions WHERE confirmed_at IS NULL AND unsubscribed_at IS NULL \
    AND requested_at <= $1 AND app_id = $3 LIMIT $2)";
/// The same for apps that are not in a list.
const SUBSCRIPTIONS_OF_OTHERS: &str = "DELETE FROM subscriptions WHERE id IN ( \
    SELECT id FROM subscriptions WHERE confirmed_at IS NULL AND unsubscribed_at IS NULL \
    AND requested_at <= $1 AND REPLACE($3, ',' || app_id || ',', '') = $3 LIMIT $2)";
const TOKENS: &str = "DELETE FROM subscription_tokens WHERE digest IN ( \
    SELECT digest FROM subscription_tokens WHERE expires_at IS NOT NULL AND expires_at <= $1 LIMIT $2)";
const MAILS: &str = "DELETE FROM outbox WHERE id IN ( \
    SELECT id FROM outbox WHERE (state = 'sent' OR state = 'dead' \
    AND (contact_id IS NULL OR webhook IS NOT NULL)) AND settled_at <= $1 LIMIT $2)";
/// Of receivers that are off; others give up by themselves.
const NOTICES: &str = "DELETE FROM outbox WHERE id IN ( \
    SELECT id FROM outbox WHERE state = 'queued' AND created_at <= $1 LIMIT $2)";
const AUDIT: &str = "DELETE FROM audit WHERE id IN (SELECT id FROM audit WHERE at <= $1 LIMIT $2)";
const CHALLENGES: &str = "DELETE FROM spent_challenges WHERE digest IN ( \
    SELECT digest FROM spent_challenges WHERE spent_at <= $1 LIMIT $2)";
const IDEMPOTENCY_KEYS: &str = "DELETE FROM idempotency_keys WHERE digest IN ( \
    SELECT digest FROM idempotency_keys WHERE claimed_at <= $1 LIMIT $2)";

/// Doubts a clock that has leapt, until it has gone on for a while or is back.
const CLOCK: &str = "UPDATE clock SET seen_at = $1, doubted_since = CASE \
    WHEN seen_at < $2 THEN $1 WHEN doubted_since BETWEEN $3 AND $1 THEN doubted_since END \
    WHERE id = 1 RETURNING doubted_since";

impl Store {
    /// Whether the clock is fit for a purge: not two days past the last time that this was asked, or
    /// for a day already. A machine without a battery may start in any year, and a purge cannot be
    /// undone.
    ///
    /// # Errors
    ///
    /// Database errors.
    pub async fn trusts_clock(&self, now: OffsetDateTime) -> Result<bool, StoreError> {
        let values = [
            now.into(),
            (now - CLOCK_LEAP).into(),
            (now - CLOCK_DOUBT + Duration::MILLISECOND).into(),
        ];
        let row = self.database().write(move |c| Box::pin(c.row(CLOCK, values)));
        let doubted_since = row.await?.map(|row| row.optional_time("doubted_since")).transpose()?;
        Ok(doubted_since.flatten().is_none())
    }

    /// Deletes expired records: messages after `contact_days`, unconfirmed subscriptions after 7
    /// days or those of their app in `unconfirmed_days`, expired links, delivery records of mails after 7 days,
    /// spent challenges and idempotency keys after one; and returns the space. Call it now and then, from any
    /// number of replicas.
    ///
    /// # Errors
    ///
    /// Database errors; records deleted before the error stay deleted.
    pub async fn purge(
        &self,
        now: OffsetDateTime,
        contact_days: u32,
        unconfirmed_days: &[(AppId, u32)],
    ) -> Result<Purged, StoreError> {
        let age = |age: Duration| now.checked_sub(age).unwrap_or(OffsetDateTime::UNIX_EPOCH);
        let purged = Purged {
            contacts: self.delete(CONTACTS, age(Duration::days(contact_days.into()))).await?,
            subscriptions: self.delete_unconfirmed(now, unconfirmed_days).await?,
            tokens: self.delete(TOKENS, now).await?,
            mails: self.delete(MAILS, age(SENT_MAIL_LIFETIME)).await?
                + self.delete(NOTICES, age(SENT_MAIL_LIFETIME)).await?,
            challenges: self.delete(CHALLENGES, age(SPENT_CHALLENGE_LIFETIME)).await?,
            idempotency_keys: self.delete(IDEMPOTENCY_KEYS, age(IDEMPOTENCY_LIFETIME)).await?,
        };
        self.delete(AUDIT, age(AUDIT_LIFETIME)).await?;
        self.database().shrink().await?;
        Ok(purged)
    }

    async fn delete_unconfirmed(
        &self,
        now: OffsetDateTime,
        days: &[(AppId, u32)],
    ) -> Result<u64, StoreError> {
        let mut listed = String::new();
        for (app, _) in days {
            listed.extend([",", app.as_str(), ","]);
        }
        let until = now - UNCONFIRMED_LIFETIME;
        let values = || [until.into(), PURGE_BATCH_ROWS.into(), listed.as_str().into()];
        let mut deleted = self.batches(SUBSCRIPTIONS_OF_OTHERS, values).await?;
        for (app, days) in days {
            let until = now - Duration::days((*days).into());
            let values = || [until.into(), PURGE_BATCH_ROWS.into(), app.as_str().into()];
            deleted += self.batches(SUBSCRIPTIONS, values).await?;
        }
        Ok(deleted)
    }

    async fn delete(&self, sql: &'static str, until: OffsetDateTime) -> Result<u64, StoreError> {
        let values = || [until.into(), PURGE_BATCH_ROWS.into()];
        self.batches(sql, values).await
    }

    /// Deletes in batches, one transaction each, so that nobody waits long for a large purge.
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
