//! Idempotency keys: a request that is repeated with its key is carried out once.
//!
//! Standard: draft-ietf-httpapi-idempotency-key-header. A request claims its key first; the answer
//! is recorded in the transaction of its work, so a repetition finds both or neither. A claim whose
//! process died ends with its lease. Only digests are stored. Not supported: recorded refusals; a
//! repetition of a refused request is carried out.

use sha2::{Digest, Sha256};
use time::OffsetDateTime;
use ulid::Ulid;

use crate::Store;
use crate::database::Connection;
use crate::error::StoreError;
use crate::limits::{IDEMPOTENCY_LEASE, IDEMPOTENCY_LIFETIME};

/// A request with an idempotency key.
#[derive(Debug, Clone)]
pub struct Attempt {
    digest: [u8; 32],
    endpoint: &'static str,
    request: [u8; 32],
}

impl Attempt {
    /// A request to an endpoint, of the holder of an API key.
    pub fn new(endpoint: &'static str, api_key: Ulid, idempotency_key: &str, body: &[u8]) -> Self {
        let digest = |first: &[u8], rest: &[u8]| {
            let digest = Sha256::new().chain_update(first).chain_update([0]);
            digest.chain_update(rest).finalize().into()
        };
        Self {
            digest: digest(api_key.to_string().as_bytes(), idempotency_key.as_bytes()),
            endpoint,
            // With the key, which is not stored: nobody can find a short body by trying.
            request: digest(idempotency_key.as_bytes(), body),
        }
    }
}

/// The right to carry a request out.
#[derive(Debug, Clone, Copy)]
pub struct Claim {
    digest: [u8; 32],
    claimed_at: OffsetDateTime,
}

/// What is known of a request.
#[derive(Debug)]
pub enum Claimed {
    /// It is the first with its key: carry it out.
    First(Claim),
    /// It was carried out, with this answer.
    Answered(String),
    /// The first one is still being carried out.
    Running,
    /// The key was used for another request, to this endpoint.
    Different(String),
}

impl Store {
    /// Claims the key of a request.
    ///
    /// # Errors
    ///
    /// Database errors. While the outcome of an earlier attempt is unknown, so is that of this one.
    pub async fn claim(
        &self,
        attempt: Attempt,
        now: OffsetDateTime,
    ) -> Result<Claimed, StoreError> {
        let claimed = self.database().write(move |c| Box::pin(claim(c, attempt, now)));
        claimed.await.map_err(StoreError::of_commit)
    }

    /// Gives a claim up after a failure, so that the request can be repeated at once. It stays if the
    /// work was committed after all.
    ///
    /// # Errors
    ///
    /// Database errors; the claim then ends with its lease.
    pub async fn release(&self, claim: Claim) -> Result<(), StoreError> {
        let sql = "DELETE FROM idempotency_keys \
                   WHERE digest = $1 AND claimed_at = $2 AND answer IS NULL";
        let values = [claim.digest.into(), claim.claimed_at.into()];
        self.database().execute(sql, values).await.map(drop)
    }
}

async fn claim(
    c: &mut Connection,
    attempt: Attempt,
    now: OffsetDateTime,
) -> Result<Claimed, StoreError> {
    let Attempt { digest, endpoint, request } = attempt;
    let taken = c
        .execute(
            "INSERT INTO idempotency_keys AS k (digest, endpoint, request, claimed_at) \
             VALUES ($1, $2, $3, $4) ON CONFLICT (digest) DO UPDATE SET endpoint = excluded.endpoint, \
             request = excluded.request, claimed_at = excluded.claimed_at, answer = NULL \
             WHERE k.claimed_at <= $6 OR (k.claimed_at <= $5 AND k.answer IS NULL \
             AND k.endpoint = excluded.endpoint AND k.request = excluded.request)",
            [
                digest.into(),
                endpoint.into(),
                request.into(),
                now.into(),
                (now - IDEMPOTENCY_LEASE).into(),
                (now - IDEMPOTENCY_LIFETIME).into(),
            ],
        )
        .await?;
    if taken > 0 {
        let claimed_at = now;
        return Ok(Claimed::First(Claim { digest, claimed_at }));
    }
    let sql = "SELECT endpoint, request, answer FROM idempotency_keys WHERE digest = $1";
    let Some(row) = c.row(sql, [digest.into()]).await? else {
        // Released at this moment.
        return Ok(Claimed::Running);
    };
    let first: String = row.get("endpoint")?;
    if first != endpoint || row.get::<&[u8]>("request")? != request {
        return Ok(Claimed::Different(first));
    }
    let answer: Option<String> = row.get("answer")?;
    Ok(answer.map_or(Claimed::Running, Claimed::Answered))
}

/// Records the answer of a claimed request, in the transaction of its work. It fails if the claim has
/// passed to a repetition meanwhile.
pub(crate) async fn settle(
    c: &mut Connection,
    claim: Option<Claim>,
    answer: &str,
) -> Result<(), StoreError> {
    let Some(Claim { digest, claimed_at }) = claim else {
        return Ok(());
    };
    let sql = "UPDATE idempotency_keys SET answer = $3 \
               WHERE digest = $1 AND claimed_at = $2 AND answer IS NULL";
    let values = [digest.into(), claimed_at.into(), answer.into()];
    match c.execute(sql, values).await? {
        0 => Err(StoreError::Uncertain { cause: None }),
        _ => Ok(()),
    }
}
