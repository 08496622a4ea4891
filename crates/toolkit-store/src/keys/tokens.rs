//! Tokens of language models that keys have used on a day (UTC).
//!
//! They are counted in the process at once, and added to the database within seconds; other
//! replicas know of them after their next refresh.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde::Serialize;
use time::OffsetDateTime;
use ulid::Ulid;

const SECONDS_OF_DAY: i64 = 86_400;

/// Tokens on one day.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct DayTokens {
    /// The day, in days since 1970 (UTC).
    pub day: i64,
    /// Their number.
    pub count: u64,
}

impl DayTokens {
    /// The day of a time.
    pub fn day_of(time: OffsetDateTime) -> i64 {
        time.unix_timestamp().div_euclid(SECONDS_OF_DAY)
    }

    /// The number of tokens on a day.
    pub fn on(self, day: i64) -> u64 {
        if self.day == day { self.count } else { 0 }
    }

    /// Adds tokens; those of an earlier day no longer count.
    fn add(&mut self, more: Self) {
        *self = Self { day: more.day, count: self.on(more.day).saturating_add(more.count) };
    }
}

/// Tokens that are not in the database yet.
#[derive(Default)]
pub(super) struct Unsaved(Mutex<HashMap<Ulid, DayTokens>>);

impl Unsaved {
    pub(super) fn add(&self, id: Ulid, tokens: DayTokens) {
        self.lock().entry(id).or_default().add(tokens);
    }

    pub(super) fn of(&self, id: Ulid) -> DayTokens {
        self.lock().get(&id).copied().unwrap_or_default()
    }

    pub(super) fn all(&self) -> Vec<(Ulid, DayTokens)> {
        let unsaved = self.lock();
        unsaved.iter().map(|(id, tokens)| (*id, *tokens)).collect()
    }

    /// Removes tokens that were saved.
    pub(super) fn remove(&self, saved: &[(Ulid, DayTokens)]) {
        let mut unsaved = self.lock();
        for (id, saved) in saved {
            if let Some(tokens) = unsaved.get_mut(id).filter(|left| left.day == saved.day) {
                tokens.count = tokens.count.saturating_sub(saved.count);
            }
        }
        unsaved.retain(|_, tokens| tokens.count > 0);
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Ulid, DayTokens>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
