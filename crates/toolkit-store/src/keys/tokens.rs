//! Key tokens: language model tokens used by each key per day (UTC).
//!
//! They are counted in the process immediately and added to the database within seconds. Other
//! replicas see them after their next refresh. An estimate counts from the start of a call and is
//! corrected later, up or down.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use time::OffsetDateTime;
use ulid::Ulid;

const SECONDS_OF_DAY: i64 = 86_400;

/// Tokens on one day.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct DayTokens {
    /// The day, in days since 1970 (UTC).
    pub day: i64,
    /// Number of tokens.
    pub count: u64,
}

impl DayTokens {
    /// The day of a time.
    pub fn day_of(time: OffsetDateTime) -> i64 {
        time.unix_timestamp().div_euclid(SECONDS_OF_DAY)
    }

    /// The tokens on a day.
    pub fn on(self, day: i64) -> u64 {
        if self.day == day { self.count } else { 0 }
    }

    /// Changes the count of a day. Earlier days are dropped.
    pub(super) fn change(&mut self, day: i64, by: i64) {
        if day >= self.day {
            *self = Self { day, count: self.on(day).saturating_add_signed(by) };
        }
    }
}

/// Changes not yet in the database, by key and day.
#[derive(Default)]
pub(super) struct Unsaved(Mutex<HashMap<(Ulid, i64), i64>>);

impl Unsaved {
    pub(super) fn add(&self, id: Ulid, day: i64, by: i64) {
        let mut unsaved = self.lock();
        let sum = unsaved.entry((id, day)).or_default();
        *sum = sum.saturating_add(by);
        unsaved.retain(|_, by| *by != 0);
    }

    pub(super) fn of(&self, id: Ulid, day: i64) -> i64 {
        self.lock().get(&(id, day)).copied().unwrap_or_default()
    }

    pub(super) fn all(&self) -> Vec<(Ulid, i64, i64)> {
        self.lock().iter().map(|(&(id, day), &by)| (id, day, by)).collect()
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<(Ulid, i64), i64>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
