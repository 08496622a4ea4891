//! Idempotency keys: a request repeated with the same key takes effect once.
//!
//! Standard: draft-ietf-httpapi-idempotency-key-header. A request first claims its key. The answer
//! is recorded in the transaction of its work, so a repetition finds both or neither. If a process
//! dies, its claim ends with its lease. Only digests are stored. Leaves out refusals: a repetition
//! of a refused request runs again.

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
    /// Describes a request to an endpoint by the holder of an API key.
    pub fn new(endpoint: &'static str, api_key: Ulid, idempotency_key: &str, body: &[u8]) -> Self {
        let digest = |first: &[u8], rest: &[u8]| {
            let digest = Sha256::new().chain_update(first).chain_update([0]);
            digest.chain_update(rest).finalize().into()
        };
        Self {
            digest: digest(api_key.to_string().as_bytes(), idempotency_key.as_bytes()),
            endpoint,
            // Includes the key, which is not stored, so that a short body cannot be found by
            // trying.
            request: digest(idempotency_key.as_bytes(), body),
        }
    }
}

/// The right to run a request.
#[derive(Debug, Clone, Copy)]
pub struct Claim {
    digest: [u8; 32],
    claimed_at: OffsetDateTime,
}

/// The state of a request.
#[derive(Debug)]
pub enum Claimed {
    /// It is the first with its key: run it.
    First(Claim),
    /// It ran, with this answer.
    Answered(String),
    /// The first one is still running.
    Running,
    /// The key was used for another request, to this endpoint.
    Different(String),
}

impl Store {
    /// Claims a request's key.
    ///
    /// # Errors
    ///
    /// Database errors. While the outcome of an earlier attempt is unknown, so is this one's.
    pub async fn claim(
        &self,
        attempt: Attempt,
        now: OffsetDateTime,
    ) -> Result<Claimed, StoreError> {
        let claimed = self.database().write(move |c| Box::pin(claim(c, attempt, now)));
        claimed.await.map_err(StoreError::of_commit)
    }

    /// Gives up a claim after a failure, so that the request can be repeated immediately. The claim
    /// stays if the work was committed after all.
    ///
    /// # Errors
    ///
    /// Database errors. The claim then ends with its lease.
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
        // It was released at this very moment.
        return Ok(Claimed::Running);
    };
    let first: String = row.get("endpoint")?;
    if first != endpoint || row.get::<&[u8]>("request")? != request {
        return Ok(Claimed::Different(first));
    }
    let answer: Option<String> = row.get("answer")?;
    Ok(answer.map_or(Claimed::Running, Claimed::Answered))
}

/// Records a claimed request's answer in the transaction of its work. Fails if a repetition has
/// taken over the claim.
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
