//! API keys: issued, listed and revoked by the operator.

mod api_key;
mod cache;

use std::fmt;
use std::str::FromStr;

use serde::Serialize;
use time::OffsetDateTime;
use time::serde::rfc3339;
use ulid::Ulid;

pub use self::api_key::{ApiKey, MalformedKey};
pub use self::cache::{KeyCache, KeysUnavailable};
use crate::Store;
use crate::database::{Row, new_id, serialize_id};
use crate::error::StoreError;
use crate::limits::LABEL_CHARACTERS_MAX;

/// The operator's name for a key: 1 to 200 characters without controls.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyLabel(String);

/// The text is not a label.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be 1 to {LABEL_CHARACTERS_MAX} characters, none of them a control character")]
pub struct KeyLabelError;

impl FromStr for KeyLabel {
    type Err = KeyLabelError;

    fn from_str(text: &str) -> Result<Self, KeyLabelError> {
        let length = text.chars().count();
        if (1..=LABEL_CHARACTERS_MAX).contains(&length) && !text.chars().any(char::is_control) {
            Ok(Self(text.to_owned()))
        } else {
            Err(KeyLabelError)
        }
    }
}

impl fmt::Display for KeyLabel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Limits of a key.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct KeyTerms {
    /// When it stops working.
    #[serde(with = "rfc3339::option")]
    pub expires_at: Option<OffsetDateTime>,
    /// Requests per minute, beside the limits of a client's address.
    pub per_minute: Option<u32>,
}

/// Metadata of a key, without the key itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct KeyRecord {
    /// The id, used to revoke it.
    #[serde(serialize_with = "serialize_id")]
    pub id: Ulid,
    /// The operator's label.
    pub label: String,
    /// Time of issue.
    #[serde(with = "rfc3339")]
    pub created_at: OffsetDateTime,
    /// Time of revocation.
    #[serde(with = "rfc3339::option")]
    pub revoked_at: Option<OffsetDateTime>,
    /// Its limits.
    #[serde(flatten)]
    pub terms: KeyTerms,
    /// Requests so far; the last minute may be missing.
    pub requests: u64,
    /// Time of the last of them.
    #[serde(with = "rfc3339::option")]
    pub last_used_at: Option<OffsetDateTime>,
}

/// Outcome of a revocation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Revocation {
    /// It is revoked now.
    Revoked,
    /// It had already been revoked.
    AlreadyRevoked,
    /// No such key.
    Unknown,
}

/// The keys of a [`Store`].
#[derive(Clone, Copy)]
pub struct Keys<'s>(pub(crate) &'s Store);

impl Store {
    /// The keys of the API.
    pub fn keys(&self) -> Keys<'_> {
        Keys(self)
    }
}

impl Keys<'_> {
    /// Issues a key. It is returned this once; only its digest is stored.
    ///
    /// # Errors
    ///
    /// Database errors.
    pub async fn issue(
        self,
        label: &KeyLabel,
        terms: KeyTerms,
        now: OffsetDateTime,
    ) -> Result<(Ulid, ApiKey), StoreError> {
        let (id, key) = (new_id(now), ApiKey::generate());
        let sql = "INSERT INTO api_keys (id, label, digest, created_at, expires_at, per_minute) \
                   VALUES ($1, $2, $3, $4, $5, $6)";
        let values = [
            id.into(),
            label.0.as_str().into(),
            key.digest().into(),
            now.into(),
            terms.expires_at.into(),
            terms.per_minute.map(i64::from).into(),
        ];
        self.0.database().execute(sql, values).await?;
        Ok((id, key))
    }

    /// Lists all keys, the oldest first.
    ///
    /// # Errors
    ///
    /// Database errors.
    pub async fn list(self) -> Result<Vec<KeyRecord>, StoreError> {
        let sql = "SELECT id, label, created_at, revoked_at, expires_at, per_minute, requests, last_used_at \
                   FROM api_keys ORDER BY created_at, id";
        let rows = self.0.database().rows(sql, []).await?;
        rows.iter().map(record).collect()
    }

    /// Revokes a key, on every replica within five seconds.
    ///
    /// # Errors
    ///
    /// Database errors.
    pub async fn revoke(self, id: Ulid, now: OffsetDateTime) -> Result<Revocation, StoreError> {
        self.0
            .database()
            .write(move |c| {
                Box::pin(async move {
                    let sql =
                        "UPDATE api_keys SET revoked_at = $2 WHERE id = $1 AND revoked_at IS NULL";
                    if c.execute(sql, [id.into(), now.into()]).await? > 0 {
                        return Ok(Revocation::Revoked);
                    }
                    let known = c
                        .row("SELECT id FROM api_keys WHERE id = $1", [id.into()])
                        .await?;
                    Ok(known.map_or(Revocation::Unknown, |_| Revocation::AlreadyRevoked))
                })
            })
            .await
    }

    /// The key with this digest that is not revoked.
    async fn find(self, digest: api_key::Digest) -> Result<Option<ActiveKey>, StoreError> {
        let sql = "SELECT id, digest, expires_at, per_minute FROM api_keys \
                   WHERE digest = $1 AND revoked_at IS NULL";
        let rows = self.0.database().rows(sql, [digest.into()]).await?;
        rows.first().map(active).transpose()
    }

    /// The keys that are not revoked.
    async fn active(self) -> Result<Vec<ActiveKey>, StoreError> {
        let sql =
            "SELECT id, digest, expires_at, per_minute FROM api_keys WHERE revoked_at IS NULL";
        let rows = self.0.database().rows(sql, []).await?;
        rows.iter().map(active).collect()
    }

    /// Adds to the numbers of requests.
    async fn count(
        self,
        requests: Vec<(Ulid, i64)>,
        now: OffsetDateTime,
    ) -> Result<(), StoreError> {
        let sql = "UPDATE api_keys SET requests = requests + $2, last_used_at = $3 WHERE id = $1";
        let database = self.0.database();
        let write = database.write(move |c| {
            Box::pin(async move {
                for (id, count) in requests {
                    c.execute(sql, [id.into(), count.into(), now.into()])
                        .await?;
                }
                Ok(())
            })
        });
        write.await
    }
}

/// A key that is not revoked.
#[derive(Clone, Copy, Default)]
struct ActiveKey {
    digest: api_key::Digest,
    id: Ulid,
    terms: KeyTerms,
}

fn active(row: &Row) -> Result<ActiveKey, StoreError> {
    Ok(ActiveKey {
        digest: digest(row)?,
        id: row.id("id")?,
        terms: terms(row)?,
    })
}

fn terms(row: &Row) -> Result<KeyTerms, StoreError> {
    let per_minute: Option<i64> = row.get("per_minute")?;
    Ok(KeyTerms {
        expires_at: row.optional_time("expires_at")?,
        per_minute: per_minute.map(|number| u32::try_from(number).unwrap_or(u32::MAX)),
    })
}

fn record(row: &Row) -> Result<KeyRecord, StoreError> {
    Ok(KeyRecord {
        id: row.id("id")?,
        label: row.get("label")?,
        created_at: row.time("created_at")?,
        revoked_at: row.optional_time("revoked_at")?,
        terms: terms(row)?,
        requests: u64::try_from(row.get::<i64>("requests")?).unwrap_or(0),
        last_used_at: row.optional_time("last_used_at")?,
    })
}

fn digest(row: &Row) -> Result<api_key::Digest, StoreError> {
    row.get::<&[u8]>("digest")?
        .try_into()
        .map_err(|_| StoreError::internal("a stored digest has not 32 bytes"))
}
