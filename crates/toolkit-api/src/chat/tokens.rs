//! Chat tokens, counted against the key's daily limit.
//!
//! Each model call is charged an estimate when it begins: four bytes are a token. When the call
//! ends or the caller leaves, the provider's own count replaces the estimate. If there is none, the
//! answer so far is added. A call that was refused or never reached the provider costs nothing.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering::Relaxed};

use time::{OffsetDateTime, Time};
use toolkit_llm::{Attempt, Observer, Outcome};
use toolkit_store::{DayTokens, KeyCache, Ulid};

use crate::error::ApiError;

const BYTES_OF_TOKEN: usize = 4;

/// Refuses a key that has used up today's tokens.
///
/// # Errors
///
/// 429 until midnight.
pub(super) fn check(keys: &KeyCache, key: Ulid, most: Option<u64>) -> Result<(), ApiError> {
    let now = OffsetDateTime::now_utc();
    let used = keys.tokens(key, DayTokens::day_of(now));
    if most.is_some_and(|most| used >= most) {
        let midnight = now.replace_time(Time::MIDNIGHT) + time::Duration::DAY;
        return Err(ApiError::KeySpent((midnight - now).unsigned_abs()));
    }
    Ok(())
}

/// The tokens of one chat, whose calls run one after the other.
pub(super) struct Tokens {
    keys: Arc<KeyCache>,
    key: Ulid,
    /// The day of the last call.
    day: AtomicI64,
}

impl Tokens {
    pub(super) fn new(keys: &Arc<KeyCache>, key: Ulid) -> Self {
        Self { keys: Arc::clone(keys), key, day: AtomicI64::default() }
    }

    fn spend(&self, by: i64) {
        self.keys.spend(self.key, self.day.load(Relaxed), by);
    }
}

impl Observer for Tokens {
    fn asked(&self, bytes: usize) {
        self.day.store(DayTokens::day_of(OffsetDateTime::now_utc()), Relaxed);
        self.spend(signed(estimate(bytes)));
    }

    fn attempted(&self, attempt: Attempt<'_>) {
        let is_free = matches!(
            attempt.outcome,
            Outcome::Connection
                | Outcome::Status
                | Outcome::RateLimited
                | Outcome::Denied
                | Outcome::Refused
                | Outcome::Declined
        );
        let count = match attempt.usage {
            Some(usage) => usage.input_tokens.saturating_add(usage.output_tokens),
            None if is_free => 0,
            None => estimate(attempt.asked_bytes + attempt.answer_bytes),
        };
        self.spend(signed(count).saturating_sub(signed(estimate(attempt.asked_bytes))));
        let key = self.key.to_string();
        metrics::counter!("toolkit_key_tokens_total", "key" => key).increment(count);
    }
}

fn estimate(bytes: usize) -> u64 {
    u64::try_from(bytes.div_ceil(BYTES_OF_TOKEN)).unwrap_or(u64::MAX)
}

fn signed(tokens: u64) -> i64 {
    i64::try_from(tokens).unwrap_or(i64::MAX)
}
