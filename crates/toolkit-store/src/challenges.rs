//! Challenges that were solved: each counts once, on every replica.

use sha2::{Digest as _, Sha256};
use time::OffsetDateTime;

use crate::database::Connection;
use crate::error::StoreError;

/// Outcome of storing what may need a solved challenge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Receipt<T> {
    /// It is on disk, and so is the mail that it causes.
    Stored(T),
    /// Its challenge was spent on something earlier; nothing was stored.
    ChallengeReplayed,
}

/// The stored form of a challenge.
pub(crate) type Digest = [u8; 32];

pub(crate) fn digest(challenge: &str) -> Digest {
    Sha256::digest(challenge).into()
}

/// Spends a challenge, if there is one; returns whether it was not spent before.
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
