//! API key cache: the active keys in memory, so that authentication needs no query.
//!
//! The cache is refreshed every second, so a key revoked on one replica stops working on all. A
//! well-formed key outside the cache may be new, so its request waits for a refresh that begins
//! after it. All waiting requests share that refresh, which follows a short pause. While the
//! database is unreachable, the state of such a key is unknown. Known keys keep working without the
//! database for a quarter of an hour.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use subtle::ConstantTimeEq;
use time::OffsetDateTime;
use tokio::sync::Mutex;
use tokio::time::{Instant, MissedTickBehavior, interval, sleep, timeout};
use ulid::Ulid;

use super::api_key::{ApiKey, Digest};
use super::tokens::{DayTokens, Unsaved};
use super::{ActiveKey, KeyTerms};
use crate::Store;
use crate::error::StoreError;
use crate::limits::{
    KEY_LIFETIME_UNREFRESHED, KEY_LOOKUP_TIMEOUT, KEY_REFRESH_INTERVAL, KEY_REFRESH_PAUSE,
};

/// The key's state cannot be determined now.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the active keys cannot be read")]
pub struct KeysUnavailable;

/// The active keys.
pub struct KeyCache {
    store: Store,
    known: RwLock<Known>,
    /// Held during a refresh for unknown keys. Only one runs at a time.
    renewal: Mutex<()>,
    /// Requests not yet counted in the database.
    used: std::sync::Mutex<HashMap<Ulid, i64>>,
    tokens: Unsaved,
    is_current: AtomicBool,
}

struct Known {
    /// By the first half of the digest. The second half is compared in constant time.
    keys: HashMap<[u8; 16], ActiveKey>,
    terms: HashMap<Ulid, Arc<KeyTerms>>,
    tokens: HashMap<Ulid, DayTokens>,
    /// Start of the refresh that read them.
    read_at: Instant,
}

impl KeyCache {
    /// Loads a store's keys. While it cannot be read, all keys' states are unknown.
    ///
    /// # Errors
    ///
    /// Database errors that do not [pass](StoreError::passes).
    pub async fn load(store: &Store) -> Result<Self, StoreError> {
        let cache = Self {
            store: store.clone(),
            known: RwLock::new(Known::new(Vec::new(), Instant::now())),
            renewal: Mutex::default(),
            used: std::sync::Mutex::default(),
            tokens: Unsaved::default(),
            is_current: AtomicBool::new(true),
        };
        match cache.refresh().await {
            Err(error) if !error.passes() => Err(error),
            _ => Ok(cache),
        }
    }

    /// Returns the presented key's ID if it is active, and counts its use.
    ///
    /// Missing, malformed, unknown, expired and revoked keys are not distinguished.
    ///
    /// # Errors
    ///
    /// When the key is not in the cache and the keys cannot be read.
    pub async fn check(&self, presented: &str) -> Result<Option<Ulid>, KeysUnavailable> {
        let found = self.find(presented).await?;
        if let Some(id) = found {
            *lock(&self.used).entry(id).or_default() += 1;
        }
        Ok(found)
    }

    /// The terms of an active key.
    pub fn terms(&self, id: Ulid) -> Option<Arc<KeyTerms>> {
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        known.terms.get(&id).cloned()
    }

    /// Language model tokens that a key has used on a day.
    pub fn tokens(&self, id: Ulid, day: i64) -> u64 {
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        let saved = known.tokens.get(&id).copied().unwrap_or_default();
        saved.on(day).saturating_add_signed(self.tokens.of(id, day))
    }

    /// Changes the language model tokens that a key has used on a day.
    pub fn spend(&self, id: Ulid, day: i64, by: i64) {
        self.tokens.add(id, day, by);
    }

    /// Saves the tokens since the last call to the database.
    async fn save_tokens(&self) -> Result<(), StoreError> {
        let spent = self.tokens.all();
        if spent.is_empty() {
            return Ok(());
        }
        self.store.keys().spend(spent.clone()).await?;
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        for (id, day, by) in spent {
            known.tokens.entry(id).or_default().change(day, by);
            self.tokens.add(id, day, -by);
        }
        Ok(())
    }

    /// The presented key's terms if it is in the cache. Makes no query and does not count a use.
    pub fn peek(&self, presented: &str) -> Option<Arc<KeyTerms>> {
        let key = ApiKey::parse(presented).ok()?;
        self.terms(self.recall(&key.digest()).ok()??.unexpired()?)
    }

    /// Whether any key allows pages of this origin.
    pub fn has_site(&self, origin: &str) -> bool {
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        let mut all = known.terms.values().flat_map(|terms| &terms.sites);
        all.any(|site| site.eq_ignore_ascii_case(origin))
    }

    /// Saves the uses since the last call to the database.
    ///
    /// # Errors
    ///
    /// Database errors. The uses are kept for the next call.
    pub async fn save_use(&self) -> Result<(), StoreError> {
        self.save_tokens().await?;
        let used: Vec<_> = lock(&self.used).drain().collect();
        if used.is_empty() {
            return Ok(());
        }
        let counted = self.store.keys().count(used.clone(), OffsetDateTime::now_utc());
        counted.await.inspect_err(|_| {
            let mut all = lock(&self.used);
            for (id, count) in used {
                *all.entry(id).or_default() += count;
            }
        })
    }

    async fn find(&self, presented: &str) -> Result<Option<Ulid>, KeysUnavailable> {
        let Ok(key) = ApiKey::parse(presented) else {
            return Ok(None);
        };
        let digest = key.digest();
        let mut found = self.recall(&digest)?;
        if found.is_none() {
            self.renew(Instant::now()).await?;
            found = self.recall(&digest)?;
        }
        Ok(found.as_ref().and_then(ActiveKey::unexpired))
    }

    /// Refreshes the keys, unless that has begun since a time.
    async fn renew(&self, since: Instant) -> Result<(), KeysUnavailable> {
        let _turn = self.renewal.lock().await;
        if self.known.read().unwrap_or_else(PoisonError::into_inner).read_at >= since {
            return Ok(());
        }
        // If the database is unreachable, don't wait for it.
        if !self.is_current() {
            return Err(KeysUnavailable);
        }
        sleep(KEY_REFRESH_PAUSE).await;
        if let Ok(Ok(())) = timeout(KEY_LOOKUP_TIMEOUT, self.refresh()).await {
            return Ok(());
        }
        self.is_current.store(false, Ordering::Relaxed);
        Err(KeysUnavailable)
    }

    /// Whether the last refresh succeeded.
    pub fn is_current(&self) -> bool {
        self.is_current.load(Ordering::Relaxed)
    }

    /// Refreshes the keys. Keeps the known ones on an error.
    ///
    /// # Errors
    ///
    /// Database errors.
    pub async fn refresh(&self) -> Result<(), StoreError> {
        let began = Instant::now();
        let result = self.store.keys().active().await;
        self.is_current.store(result.is_ok(), Ordering::Relaxed);
        let known = Known::new(result?, began);
        *self.known.write().unwrap_or_else(PoisonError::into_inner) = known;
        Ok(())
    }

    /// Keeps the cache current while this future is polled. It does not complete.
    pub async fn keep_current(&self) {
        let mut ticks = interval(KEY_REFRESH_INTERVAL);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut has_failed = false;
        loop {
            ticks.tick().await;
            // On an error they are saved later.
            let _ = self.save_tokens().await;
            match self.refresh().await {
                Ok(()) if has_failed => tracing::info!("API keys are up to date again"),
                Err(error) if !has_failed => {
                    let cause = std::error::Error::source(&error).map(tracing::field::display);
                    tracing::warn!(%error, cause, "API keys cannot be read: the known ones remain valid");
                }
                Ok(()) | Err(_) => {}
            }
            has_failed = !self.is_current();
        }
    }

    /// The cached key with this digest.
    fn recall(&self, digest: &Digest) -> Result<Option<ActiveKey>, KeysUnavailable> {
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        if known.read_at.elapsed() > KEY_LIFETIME_UNREFRESHED {
            return Err(KeysUnavailable);
        }
        // An unknown key is compared too, against a value that it cannot equal.
        let none = ActiveKey::default();
        let key = known.keys.get(&first_half(digest)).unwrap_or(&none);
        Ok(bool::from(key.digest.ct_eq(digest)).then(|| key.clone()))
    }
}

impl Known {
    fn new(keys: Vec<ActiveKey>, read_at: Instant) -> Self {
        let mut known = Self {
            keys: HashMap::with_capacity(keys.len()),
            terms: HashMap::with_capacity(keys.len()),
            tokens: HashMap::with_capacity(keys.len()),
            read_at,
        };
        for key in keys {
            known.terms.insert(key.id, Arc::clone(&key.terms));
            known.tokens.insert(key.id, key.tokens);
            known.keys.insert(first_half(&key.digest), key);
        }
        known
    }
}

impl ActiveKey {
    /// The key's ID, unless expired.
    fn unexpired(&self) -> Option<Ulid> {
        let is_over = |at| at <= OffsetDateTime::now_utc();
        (!self.terms.expires_at.is_some_and(is_over)).then_some(self.id)
    }
}

fn lock<T>(mutex: &std::sync::Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn first_half(digest: &Digest) -> [u8; 16] {
    digest.first_chunk().copied().unwrap_or_default()
}
