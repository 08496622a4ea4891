//! API key cache: the active keys in memory, so that a request is authenticated without a query.
//!
//! The cache is refreshed every second, so a key revoked on one replica stops working on all. A
//! well-formed key that is not in it is looked up, once until the next refresh, so that a new key
//! works at once; the number of lookups between two refreshes is bounded. Without a lookup, and while
//! the database is unreachable, it is unknown whether such a key is active. The last known keys keep
//! working without the database, for a quarter of an hour.

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use subtle::ConstantTimeEq;
use time::OffsetDateTime;
use tokio::sync::Mutex;
use tokio::time::{Instant, MissedTickBehavior, interval, timeout};
use ulid::Ulid;

use super::api_key::{ApiKey, Digest};
use super::tokens::{DayTokens, Unsaved};
use super::{ActiveKey, KeyTerms};
use crate::Store;
use crate::error::StoreError;
use crate::limits::{
    KEY_LIFETIME_UNREFRESHED, KEY_LOOKUP_TIMEOUT, KEY_LOOKUPS_MAX, KEY_REFRESH_INTERVAL,
};

/// Whether a key is active cannot be found out now.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the active keys cannot be read")]
pub struct KeysUnavailable;

/// The active keys.
pub struct KeyCache {
    store: Store,
    known: RwLock<Known>,
    /// Lookups left until the next refresh; one is made at a time.
    look_ups: Mutex<u32>,
    /// Requests that are not in the database yet.
    used: std::sync::Mutex<HashMap<Ulid, i64>>,
    tokens: Unsaved,
    is_current: AtomicBool,
}

struct Known {
    /// By the first half of the digest. The second half is compared in constant time.
    keys: HashMap<[u8; 16], ActiveKey>,
    terms: HashMap<Ulid, Arc<KeyTerms>>,
    tokens: HashMap<Ulid, DayTokens>,
    /// Digests that were looked up since the last refresh, and are not those of active keys.
    unknown: HashSet<Digest>,
    read_at: Instant,
}

impl KeyCache {
    /// Reads the keys of a store; while it cannot be read, it is not known which are active.
    ///
    /// # Errors
    ///
    /// Database errors that do not [pass](StoreError::passes).
    pub async fn load(store: &Store) -> Result<Self, StoreError> {
        let cache = Self {
            store: store.clone(),
            known: RwLock::new(Known::new(Vec::new())),
            look_ups: Mutex::default(),
            used: std::sync::Mutex::default(),
            tokens: Unsaved::default(),
            is_current: AtomicBool::new(true),
        };
        match cache.refresh().await {
            Err(error) if !error.passes() => Err(error),
            _ => Ok(cache),
        }
    }

    /// Returns the id of the presented key, if it is active, and counts its use.
    ///
    /// Missing, malformed, unknown, expired and revoked keys are not distinguished.
    ///
    /// # Errors
    ///
    /// When the key is not in the cache and cannot be looked up.
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

    /// Tokens of language models that a key has used on a day.
    pub fn tokens(&self, id: Ulid, day: i64) -> u64 {
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        let saved = known.tokens.get(&id).copied().unwrap_or_default();
        let unsaved = self.tokens.of(id);
        saved.on(day).saturating_add(unsaved.on(day))
    }

    /// Counts tokens of language models that a key has used.
    pub fn spend(&self, id: Ulid, tokens: DayTokens) {
        self.tokens.add(id, tokens);
    }

    /// Adds the tokens since the last call to the database.
    async fn save_tokens(&self) -> Result<(), StoreError> {
        let spent = self.tokens.all();
        if spent.is_empty() {
            return Ok(());
        }
        self.store.keys().spend(spent.clone()).await?;
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        for (id, tokens) in &spent {
            let saved = known.tokens.entry(*id).or_default();
            let count = saved.on(tokens.day).saturating_add(tokens.count);
            *saved = DayTokens { day: tokens.day, count };
        }
        self.tokens.remove(&spent);
        Ok(())
    }

    /// The terms of the presented key if it is in the cache: without a query, and without counting
    /// its use.
    pub fn peek(&self, presented: &str) -> Option<Arc<KeyTerms>> {
        let key = ApiKey::parse(presented).ok()?;
        self.terms(self.recall(&key.digest()).ok()??)
    }

    /// Whether pages of this origin may use some key.
    pub fn has_site(&self, origin: &str) -> bool {
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        let mut all = known.terms.values().flat_map(|terms| &terms.sites);
        all.any(|site| site.eq_ignore_ascii_case(origin))
    }

    /// Adds the uses since the last call to the database.
    ///
    /// # Errors
    ///
    /// Database errors; the uses are kept for the next call.
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
        if let Ok(found) = self.recall(&digest) {
            return Ok(found);
        }
        let mut left = self.look_ups.lock().await;
        // Another request may have looked it up meanwhile.
        if let Ok(found) = self.recall(&digest) {
            return Ok(found);
        }
        // If the database is unreachable, waiting for it would be pointless.
        if !self.is_current() {
            return Err(KeysUnavailable);
        }
        *left = left.checked_sub(1).ok_or(KeysUnavailable)?;
        let look_up = self.store.keys().find(digest);
        let Ok(Ok(found)) = timeout(KEY_LOOKUP_TIMEOUT, look_up).await else {
            self.is_current.store(false, Ordering::Relaxed);
            return Err(KeysUnavailable);
        };
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        let Some(key) = found else {
            known.unknown.insert(digest);
            return Ok(None);
        };
        let id = unexpired(&key);
        known.insert(key);
        Ok(id)
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
        let result = self.store.keys().active().await;
        self.is_current.store(result.is_ok(), Ordering::Relaxed);
        let known = Known::new(result?);
        *self.look_ups.lock().await = KEY_LOOKUPS_MAX;
        *self.known.write().unwrap_or_else(PoisonError::into_inner) = known;
        Ok(())
    }

    /// Keeps the cache current for as long as this future is polled; it never ends.
    pub async fn keep_current(&self) {
        let mut ticks = interval(KEY_REFRESH_INTERVAL);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut has_failed = false;
        loop {
            ticks.tick().await;
            // On an error they are saved later.
            let _ = self.save_tokens().await;
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

    /// The id of a key, if it is in the cache whether there is one.
    fn recall(&self, digest: &Digest) -> Result<Option<Ulid>, KeysUnavailable> {
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        if known.read_at.elapsed() > KEY_LIFETIME_UNREFRESHED {
            return Err(KeysUnavailable);
        }
        // An unknown key is compared as well, with a value that it cannot equal.
        let none = ActiveKey::default();
        let key = known.keys.get(&first_half(digest)).unwrap_or(&none);
        if bool::from(key.digest.ct_eq(digest)) {
            return Ok(unexpired(key));
        }
        if known.unknown.contains(digest) {
            return Ok(None);
        }
        Err(KeysUnavailable)
    }
}

impl Known {
    fn new(keys: Vec<ActiveKey>) -> Self {
        let mut known = Self {
            keys: HashMap::with_capacity(keys.len()),
            terms: HashMap::with_capacity(keys.len()),
            tokens: HashMap::with_capacity(keys.len()),
            unknown: HashSet::new(),
            read_at: Instant::now(),
        };
        for key in keys {
            known.insert(key);
        }
        known
    }

    fn insert(&mut self, key: ActiveKey) {
        self.terms.insert(key.id, Arc::clone(&key.terms));
        self.tokens.insert(key.id, key.tokens);
        self.keys.insert(first_half(&key.digest), key);
    }
}

/// The id of a key, unless it has expired.
fn unexpired(key: &ActiveKey) -> Option<Ulid> {
    let is_over = |at| at <= OffsetDateTime::now_utc();
    (!key.terms.expires_at.is_some_and(is_over)).then_some(key.id)
}

fn lock<T>(mutex: &std::sync::Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn first_half(digest: &Digest) -> [u8; 16] {
    digest.first_chunk().copied().unwrap_or_default()
}
