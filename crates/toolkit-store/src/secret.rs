//! Generated secrets: the keys of derived links and of challenges, kept in the database.
//!
//! A purpose may have several. The newest makes new links, and all of them verify. Anyone who can
//! read the database has them.

use time::OffsetDateTime;

use crate::Store;
use crate::database::{Connection, new_id};
use crate::error::StoreError;

/// 256 random bits.
pub(crate) type Secret = [u8; 32];

/// The purpose of a secret.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Use {
    /// Unsubscribe links.
    Links,
    /// Challenges of forms.
    Challenges,
}

impl Use {
    fn as_str(self) -> &'static str {
        match self {
            Self::Links => "links",
            Self::Challenges => "challenges",
        }
    }
}

/// A purpose's secrets, newest first.
pub(crate) async fn all(c: &mut Connection, purpose: Use) -> Result<Vec<Secret>, StoreError> {
    let sql = "SELECT value FROM secrets WHERE purpose = $1 ORDER BY created_at DESC, id DESC";
    let rows = c.rows(sql, [purpose.as_str().into()]).await?;
    let value = |row: &crate::database::Row| {
        let value: &[u8] = row.get("value")?;
        let wrong = |_| StoreError::internal("a stored secret has not 32 bytes");
        value.try_into().map_err(wrong)
    };
    rows.iter().map(value).collect()
}

/// Adds a secret, which becomes the newest.
pub(crate) async fn add(
    c: &mut Connection,
    purpose: Use,
    now: OffsetDateTime,
) -> Result<Secret, StoreError> {
    let secret: Secret = rand::random();
    let sql = "INSERT INTO secrets (id, purpose, value, created_at) VALUES ($1, $2, $3, $4)";
    let values = [new_id(now).into(), purpose.as_str().into(), secret.into(), now.into()];
    c.execute(sql, values).await?;
    Ok(secret)
}

/// A purpose's newest secret. The first is made when needed.
pub(crate) async fn newest(
    c: &mut Connection,
    purpose: Use,
    now: OffsetDateTime,
) -> Result<Secret, StoreError> {
    if let Some(secret) = all(c, purpose).await?.first() {
        return Ok(*secret);
    }
    c.lock("secrets").await?;
    match all(c, purpose).await?.first() {
        Some(secret) => Ok(*secret),
        None => add(c, purpose, now).await,
    }
}

impl Store {
    /// The key that signs form challenges, the same on every replica.
    ///
    /// # Errors
    ///
    /// Database errors.
    pub async fn challenge_key(&self, now: OffsetDateTime) -> Result<[u8; 32], StoreError> {
        self.database().write(move |c| Box::pin(newest(c, Use::Challenges, now))).await
    }
}
