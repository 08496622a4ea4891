//! API keys: issued, listed and revoked by the operator.

mod api_key;
mod cache;
mod scope;
mod tokens;

use std::str::FromStr;
use std::sync::Arc;

use time::OffsetDateTime;
use ulid::Ulid;

pub use self::api_key::{ApiKey, MalformedKey};
pub use self::cache::{KeyCache, KeysUnavailable};
pub use self::scope::Scope;
pub use self::tokens::DayTokens;
use crate::Store;
use crate::database::{Row, Value, new_id};
use crate::error::StoreError;
use crate::limits::LABEL_CHARACTERS_MAX;

/// The operator's name for a key: 1 to 200 characters, no control characters.
#[derive(Debug, Clone, PartialEq, Eq, derive_more::Display)]
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

/// What a key opens, for whom, and how much.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct KeyTerms {
    /// Time of expiry.
    pub expires_at: Option<OffsetDateTime>,
    /// Requests per minute, in addition to the client's limits.
    pub per_minute: Option<u32>,
    /// Scopes. If empty, [`Scope::USUAL`].
    pub scopes: Vec<Scope>,
    /// Origins of the web sites whose pages may use it. Such a key is public and begins with `pk_`.
    pub sites: Vec<String>,
    /// Whether its requests name the clients they are made for.
    pub forwards_clients: bool,
    /// Language model tokens per day.
    pub tokens_per_day: Option<u64>,
}

impl KeyTerms {
    /// Whether the key opens a scope.
    pub fn opens(&self, scope: Scope) -> bool {
        if self.scopes.is_empty() {
            Scope::USUAL.contains(&scope)
        } else {
            self.scopes.contains(&scope)
        }
    }
}

/// Metadata of a key, without the key itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyRecord {
    /// The ID, used to revoke it.
    pub id: Ulid,
    /// The operator's label.
    pub label: String,
    /// Time of issue.
    pub created_at: OffsetDateTime,
    /// Time of revocation.
    pub revoked_at: Option<OffsetDateTime>,
    /// Its limits.
    pub terms: KeyTerms,
    /// Language model tokens on the last day on which it used any. The last seconds may be missing.
    pub tokens: DayTokens,
    /// Requests so far. The last minute may be missing.
    pub requests: u64,
    /// Time of the last request.
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
    /// The API keys.
    pub fn keys(&self) -> Keys<'_> {
        Keys(self)
    }
}

impl Keys<'_> {
    /// Issues a key. Only its digest is stored, so the key is returned this once.
    ///
    /// # Errors
    ///
    /// Database errors.
    pub async fn issue(
        self,
        label: &KeyLabel,
        terms: &KeyTerms,
        now: OffsetDateTime,
    ) -> Result<(Ulid, ApiKey), StoreError> {
        let (id, key) = (new_id(now), ApiKey::generate(!terms.sites.is_empty()));
        let sql = "INSERT INTO api_keys (id, label, digest, created_at, expires_at, per_minute, scopes, sites, \
                   forwards_clients, tokens_per_day) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)";
        let scopes: Vec<_> = terms.scopes.iter().map(|scope| scope.as_str()).collect();
        let or_null = |text: String| (!text.is_empty()).then_some(text);
        let values = [
            id.into(),
            label.0.as_str().into(),
            key.digest().into(),
            now.into(),
            terms.expires_at.into(),
            terms.per_minute.map(i64::from).into(),
            or_null(scopes.join(",")).into(),
            or_null(terms.sites.join(" ")).into(),
            i64::from(terms.forwards_clients).into(),
            terms.tokens_per_day.map(|number| i64::try_from(number).unwrap_or(i64::MAX)).into(),
        ];
        self.0.database().execute(sql, values).await?;
        Ok((id, key))
    }

    /// Lists all keys, oldest first.
    ///
    /// # Errors
    ///
    /// Database errors.
    pub async fn list(self) -> Result<Vec<KeyRecord>, StoreError> {
        let sql = "SELECT * FROM api_keys ORDER BY created_at, id";
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
                    let known = c.row("SELECT id FROM api_keys WHERE id = $1", [id.into()]).await?;
                    Ok(known.map_or(Revocation::Unknown, |_| Revocation::AlreadyRevoked))
                })
            })
            .await
    }

    /// All unrevoked keys.
    async fn active(self) -> Result<Vec<ActiveKey>, StoreError> {
        let sql = "SELECT * FROM api_keys WHERE revoked_at IS NULL";
        let rows = self.0.database().rows(sql, []).await?;
        rows.iter().map(active).collect()
    }

    /// Adds to the request counts.
    async fn count(
        self,
        requests: Vec<(Ulid, i64)>,
        now: OffsetDateTime,
    ) -> Result<(), StoreError> {
        let sql = "UPDATE api_keys SET requests = requests + $2, last_used_at = $3 WHERE id = $1";
        let values = |(id, count): (Ulid, i64)| [id.into(), count.into(), now.into()];
        self.update(sql, requests.into_iter().map(values).collect()).await
    }

    /// Changes the keys' token counts.
    async fn spend(self, spent: Vec<(Ulid, i64, i64)>) -> Result<(), StoreError> {
        let sql = "UPDATE api_keys SET tokens_used = CASE WHEN tokens_day = $2 THEN tokens_used ELSE 0 END + $3, \
                   tokens_day = $2 WHERE id = $1 AND tokens_day <= $2";
        let values = |(id, day, by): (Ulid, i64, i64)| [id.into(), day.into(), by.into()];
        self.update(sql, spent.into_iter().map(values).collect()).await
    }

    /// Runs one statement for each of several keys.
    async fn update(self, sql: &'static str, keys: Vec<[Value; 3]>) -> Result<(), StoreError> {
        let write = self.0.database().write(move |c| {
            Box::pin(async move {
                for key in keys {
                    c.execute(sql, key).await?;
                }
                Ok(())
            })
        });
        write.await
    }
}

/// An unrevoked key.
#[derive(Clone, Default)]
struct ActiveKey {
    digest: api_key::Digest,
    id: Ulid,
    terms: Arc<KeyTerms>,
    tokens: DayTokens,
}

fn active(row: &Row) -> Result<ActiveKey, StoreError> {
    Ok(ActiveKey {
        digest: digest(row)?,
        id: row.id("id")?,
        terms: Arc::new(terms(row)?),
        tokens: tokens(row)?,
    })
}

fn tokens(row: &Row) -> Result<DayTokens, StoreError> {
    let (day, count): (i64, i64) = (row.get("tokens_day")?, row.get("tokens_used")?);
    Ok(DayTokens { day, count: u64::try_from(count).unwrap_or(0) })
}

fn terms(row: &Row) -> Result<KeyTerms, StoreError> {
    let (per_minute, tokens): (Option<i64>, Option<i64>) =
        (row.get("per_minute")?, row.get("tokens_per_day")?);
    let (scopes, sites): (Option<&str>, Option<&str>) = (row.get("scopes")?, row.get("sites")?);
    Ok(KeyTerms {
        expires_at: row.optional_time("expires_at")?,
        per_minute: per_minute.map(|number| u32::try_from(number).unwrap_or(u32::MAX)),
        scopes: scopes.map(scopes_of).transpose()?.unwrap_or_default(),
        sites: sites.map_or_else(Vec::new, |all| all.split(' ').map(str::to_owned).collect()),
        forwards_clients: row.get::<i64>("forwards_clients")? != 0,
        tokens_per_day: tokens.and_then(|number| u64::try_from(number).ok()),
    })
}

/// A scope known only to a newer version opens nothing here, and adds nothing to the key.
fn scopes_of(text: &str) -> Result<Vec<Scope>, StoreError> {
    let known: Vec<_> = text.split(',').filter_map(|word| word.parse().ok()).collect();
    if known.is_empty() {
        return Err(StoreError::internal("the stored scopes of a key are unknown"));
    }
    Ok(known)
}

fn record(row: &Row) -> Result<KeyRecord, StoreError> {
    Ok(KeyRecord {
        id: row.id("id")?,
        label: row.get("label")?,
        created_at: row.time("created_at")?,
        revoked_at: row.optional_time("revoked_at")?,
        terms: terms(row)?,
        tokens: tokens(row)?,
        requests: u64::try_from(row.get::<i64>("requests")?).unwrap_or(0),
        last_used_at: row.optional_time("last_used_at")?,
    })
}

fn digest(row: &Row) -> Result<api_key::Digest, StoreError> {
    row.get::<&[u8]>("digest")?
        .try_into()
        .map_err(|_| StoreError::internal("a stored digest has not 32 bytes"))
}
