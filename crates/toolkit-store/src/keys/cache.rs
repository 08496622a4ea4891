//! API key cache: the active keys in memory, so that a request is authenticated without a query.
//!
//! The cache is refreshed every second, so a key revoked on one replica stops working on all. A
//! well-formed unknown key triggers a refresh, so that a new key works at once. Concurrent requests
//! share a refresh, and the number of refreshes is bounded however many are sent. While the
//! database is unreachable the last known keys keep working, and of any other well-formed key it is
//! unknown whether it is active.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError, RwLock};

use subtle::ConstantTimeEq;
use tokio::time::{Instant, MissedTickBehavior, interval, timeout};
use ulid::Ulid;

use super::api_key::{ApiKey, Digest};
use crate::Store;
use crate::error::StoreError;
use crate::limits::{KEY_LOOKUP_BURST, KEY_LOOKUP_TIMEOUT, KEY_REFRESH_INTERVAL};

/// The active keys cannot be read from the database.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the active keys cannot be read")]
pub struct KeysUnavailable;

/// The active keys.
pub struct KeyCache {
    store: Store,
    /// By the first half of the digest. The second half is compared in constant time.
    keys: RwLock<HashMap<[u8; 16], (Digest, Ulid)>>,
    look_ups: Mutex<Budget>,
    /// Serializes refreshes, and holds the start time of the last successful one.
    reading: tokio::sync::Mutex<Option<Instant>>,
    is_current: AtomicBool,
}

impl KeyCache {
    /// Reads the keys of a store.
    ///
    /// # Errors
    ///
    /// Database errors.
    pub async fn load(store: &Store) -> Result<Self, StoreError> {
        let cache = Self {
            store: store.clone(),
            keys: RwLock::default(),
            look_ups: Mutex::new(Budget {
                left: KEY_LOOKUP_BURST,
                counted_at: Instant::now(),
            }),
            reading: tokio::sync::Mutex::default(),
            is_current: AtomicBool::new(true),
        };
        cache.refresh().await?;
        Ok(cache)
    }

    /// Returns the id of the presented key, if it is active.
    ///
    /// Missing, malformed, unknown and revoked keys are not distinguished.
    ///
    /// # Errors
    ///
    /// When the key is not in the cache and the database cannot be read.
    pub async fn check(&self, presented: &str) -> Result<Option<Ulid>, KeysUnavailable> {
        let Ok(key) = ApiKey::parse(presented) else {
            return Ok(None);
        };
        let digest = key.digest();
        if let Some(id) = self.find(&digest) {
            return Ok(Some(id));
        }
        // If the database is unreachable, waiting for it would be pointless.
        if self.is_current() {
            let refresh = self.refresh_since(Instant::now());
            if timeout(KEY_LOOKUP_TIMEOUT, refresh).await.is_err() {
                self.is_current.store(false, Ordering::Relaxed);
            }
        }
        match self.find(&digest) {
            None if !self.is_current() => Err(KeysUnavailable),
            found => Ok(found),
        }
    }

    /// Whether the last refresh succeeded.
    pub fn is_current(&self) -> bool {
        self.is_current.load(Ordering::Relaxed)
    }

    /// Refreshes the keys. On an error the known ones are kept.
    ///
    /// # Errors
    ///
    /// Database errors.
    pub async fn refresh(&self) -> Result<(), StoreError> {
        let mut last = self.reading.lock().await;
        self.read(&mut last).await
    }

    /// Refreshes the keys, unless a refresh began after this request, or there were too many.
    async fn refresh_since(&self, asked_at: Instant) {
        let mut last = self.reading.lock().await;
        let is_done = last.is_some_and(|began| began >= asked_at);
        if !is_done && self.may_look_up() {
            // `is_current` reports the outcome.
            let _ = self.read(&mut last).await;
        }
    }

    async fn read(&self, last: &mut Option<Instant>) -> Result<(), StoreError> {
        let began = Instant::now();
        let result = self.store.keys().active().await;
        self.is_current.store(result.is_ok(), Ordering::Relaxed);
        let keys = result?
            .into_iter()
            .map(|(digest, id)| (first_half(&digest), (digest, id)));
        let keys = keys.collect();
        *self.keys.write().unwrap_or_else(PoisonError::into_inner) = keys;
        *last = Some(began);
        Ok(())
    }

    /// Keeps the cache current for as long as this future is polled; it never ends.
    pub async fn keep_current(&self) {
        let mut ticks = interval(KEY_REFRESH_INTERVAL);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut has_failed = false;
        loop {
            ticks.tick().await;
            match self.refresh().await {
                Ok(()) if has_failed => tracing::info!("the keys are up to date again"),
                Err(error) if !has_failed => {
                    let cause = std::error::Error::source(&error).map(tracing::field::display);
                    tracing::warn!(%error, cause, "the keys cannot be read; the known ones remain valid");
                }
                Ok(()) | Err(_) => {}
            }
            has_failed = !self.is_current();
        }
    }

    fn find(&self, digest: &Digest) -> Option<Ulid> {
        const NONE: (Digest, Ulid) = ([0; 32], Ulid::nil());
        let keys = self.keys.read().unwrap_or_else(PoisonError::into_inner);
        // An unknown key is compared as well, with a value that it cannot equal.
        let (known, id) = keys.get(&first_half(digest)).unwrap_or(&NONE);
        bool::from(known.ct_eq(digest)).then_some(*id)
    }

    fn may_look_up(&self) -> bool {
        self.look_ups
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take(Instant::now())
    }
}

fn first_half(digest: &Digest) -> [u8; 16] {
    digest.first_chunk().copied().unwrap_or_default()
}

/// Token bucket of lookups: a few at once, and one more each second.
struct Budget {
    left: u32,
    counted_at: Instant,
}

impl Budget {
    fn take(&mut self, now: Instant) -> bool {
        let seconds = now.saturating_duration_since(self.counted_at).as_secs();
        if seconds > 0 {
            self.left = KEY_LOOKUP_BURST.min(
                self.left
                    .saturating_add(u32::try_from(seconds).unwrap_or(u32::MAX)),
            );
            self.counted_at = now;
        }
        let may = self.left > 0;
        self.left = self.left.saturating_sub(1);
        may
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[tokio::test]
    async fn look_ups_are_few_at_once_and_one_a_second() {
        let start = Instant::now();
        let mut budget = Budget {
            left: KEY_LOOKUP_BURST,
            counted_at: start,
        };
        let granted = (0..100).filter(|_| budget.take(start)).count();
        assert_eq!(granted, KEY_LOOKUP_BURST as usize);
        assert!(!budget.take(start + Duration::from_millis(999)));
        assert!(budget.take(start + Duration::from_secs(1)));
        assert!(!budget.take(start + Duration::from_secs(1)));
        let later = start + Duration::from_secs(1_000_000);
        assert_eq!(
            (0..100).filter(|_| budget.take(later)).count(),
            KEY_LOOKUP_BURST as usize
        );
    }
}
