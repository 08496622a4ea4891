//! Solved challenges: each is accepted once, across all replicas.

use sha2::{Digest as _, Sha256};
use time::OffsetDateTime;

use crate::Store;
use crate::database::Connection;
use crate::error::StoreError;

/// Outcome of storing something that may need a solved challenge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Receipt<T> {
    /// It is on disk, together with its mail.
    Stored(T),
    /// The challenge was already spent. Nothing was stored.
    ChallengeReplayed,
}

impl<T> Receipt<T> {
    /// Replaces the value.
    pub fn map<U>(self, other: impl FnOnce(T) -> U) -> Receipt<U> {
        match self {
            Self::Stored(stored) => Receipt::Stored(other(stored)),
            Self::ChallengeReplayed => Receipt::ChallengeReplayed,
        }
    }
}

/// The stored form of a challenge.
pub(crate) type Digest = [u8; 32];

pub(crate) fn digest(challenge: &str) -> Digest {
    Sha256::digest(challenge).into()
}

impl Store {
    /// Whether a challenge was spent on any replica.
    ///
    /// # Errors
    ///
    /// Database errors.
    pub async fn is_spent(&self, challenge: &str) -> Result<bool, StoreError> {
        let sql = "SELECT spent_at FROM spent_challenges WHERE digest = $1";
        let rows = self.database().rows(sql, [digest(challenge).into()]).await?;
        Ok(!rows.is_empty())
    }
}

/// Spends a challenge, if there is one. Returns whether it was unspent.
pub(crate) async fn spend(
    c: &mut Connection,
    challenge: Option<Digest>,
    now: OffsetDateTime,
) -> Result<bool, StoreError> {
    let Some(digest) = challenge else {
        return Ok(true);
    };
    let sql = "INSERT INTO spent_challenges (digest, spent_at) VALUES ($1, $2) \
               ON CONFLICT (digest) DO NOTHING";
    Ok(c.execute(sql, [digest.into(), now.into()]).await? > 0)
}
