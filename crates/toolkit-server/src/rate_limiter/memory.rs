//! In-memory rate limiter with a bounded number of clients.
//!
//! An entry expires once the client's theoretical arrival time has passed, and no earlier: a full
//! table evicts no clients. While the table is full of unexpired entries, new clients are counted
//! by a hash of their address, in enough buckets that few share one. The request that finds a
//! cleanup due removes the expired entries. For a full table that takes two milliseconds, and it
//! needs no thread.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use super::rate::Rate;
use crate::accounts::ClientId;
use crate::limits;

/// Buckets for clients that don't fit in the table.
const OVERFLOW_PLACES: usize = 65_536;

/// Interval between cleanups, in nanoseconds.
const CLEANING_INTERVAL: u64 = 10_000_000_000;

/// The same for a full table.
const CLEANING_INTERVAL_FULL: u64 = 1_000_000_000;

/// The clients of one limit.
pub(super) struct Memory {
    rate: Rate,
    table: Mutex<Table>,
}

#[derive(Default)]
struct Table {
    /// Each client's theoretical arrival time, in nanoseconds.
    paid: HashMap<ClientId, u64>,
    /// The same for each bucket.
    overflow: Vec<u64>,
    hasher: RandomState,
    cleaned: u64,
}

impl Memory {
    pub(super) fn new(rate: Rate) -> Self {
        Self { rate, table: Mutex::default() }
    }

    /// Counts a client's request at `now`, measured from the limiter's start.
    pub(super) fn check(&self, client: ClientId, now: Duration) -> Result<(), Duration> {
        let now = u64::try_from(now.as_nanos()).unwrap_or(u64::MAX);
        // The numbers are valid even after a panic.
        let mut table = self.table.lock().unwrap_or_else(PoisonError::into_inner);
        table.clean(now);
        if let Some(paid) = table.place(client) {
            *paid = self.rate.times(client.shares()).check(*paid, now)?;
        }
        Ok(())
    }
}

impl Table {
    /// Returns the entry or bucket for a client.
    fn place(&mut self, client: ClientId) -> Option<&mut u64> {
        if self.paid.len() < limits::LIMITED_CLIENTS_MAX || self.paid.contains_key(&client) {
            return Some(self.paid.entry(client).or_default());
        }
        if self.overflow.is_empty() {
            self.overflow = vec![0; OVERFLOW_PLACES];
        }
        // The hash is keyed, so an attacker cannot aim at a bucket.
        let hash = usize::try_from(self.hasher.hash_one(client) >> 1).unwrap_or_default();
        self.overflow.get_mut(hash % OVERFLOW_PLACES)
    }

    /// Removes expired clients if a cleanup is due.
    fn clean(&mut self, now: u64) {
        let full = self.paid.len() >= limits::LIMITED_CLIENTS_MAX;
        let pause = if full { CLEANING_INTERVAL_FULL } else { CLEANING_INTERVAL };
        if now.saturating_sub(self.cleaned) < pause {
            return;
        }
        self.cleaned = now;
        self.paid.retain(|_, paid| *paid > now);
        if self.paid.len() < self.paid.capacity() / 4 {
            self.paid.shrink_to_fit();
        }
        if self.paid.len() < limits::LIMITED_CLIENTS_MAX
            && self.overflow.iter().all(|&paid| paid <= now)
        {
            self.overflow = Vec::new();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use super::*;

    impl Memory {
        fn clients(&self) -> usize {
            self.table.lock().unwrap().paid.len()
        }
    }

    fn client(number: u32) -> ClientId {
        ClientId::new(Ipv4Addr::from_bits(number).into())
    }

    fn memory(per_minute: u32, burst: u32) -> Memory {
        Memory::new(Rate::new(per_minute, burst).unwrap())
    }

    const START: Duration = Duration::from_secs(100);

    #[test]
    fn clients_are_counted_separately() {
        let memory = memory(60, 1);
        assert_eq!(memory.check(client(1), START), Ok(()));
        assert_eq!(memory.check(client(1), START), Err(Duration::from_secs(1)));
        assert_eq!(memory.check(client(2), START), Ok(()));
        assert_eq!(memory.check(client(1), START + Duration::from_secs(1)), Ok(()));
    }

    #[test]
    fn twice_as_many_clients_as_the_table_holds_use_no_more_memory() {
        let memory = memory(1, 5);
        let all = u32::try_from(2 * limits::LIMITED_CLIENTS_MAX).unwrap();
        let admitted = (0..all).filter(|&number| memory.check(client(number), START).is_ok());
        // Each sends one request, so each should be admitted. A few share a bucket with many
        // others.
        assert!(admitted.count() > 199_000);
        assert!(memory.clients() <= limits::LIMITED_CLIENTS_MAX);
    }

    #[test]
    fn a_full_table_evicts_nobody_and_admits_new_clients() {
        let memory = memory(1, 2);
        let exhausted = client(u32::MAX);
        while memory.check(exhausted, START).is_ok() {}
        for number in 0..150_000 {
            let _ = memory.check(client(number), START);
        }
        assert!(memory.check(exhausted, START + Duration::from_secs(30)).is_err());
        let new = (200_000..201_000).filter(|&number| memory.check(client(number), START).is_ok());
        assert!(new.count() > 500);
    }

    #[test]
    fn a_client_that_has_paid_is_forgotten() {
        let memory = memory(60, 1);
        for number in 0..50_000 {
            memory.check(client(number), START).unwrap();
        }
        let later = START + Duration::from_mins(1);
        for number in 0..2_000 {
            memory.check(client(number), later).unwrap();
        }
        assert!(memory.clients() <= 2_000, "{}", memory.clients());
        let capacity = memory.table.lock().unwrap().paid.capacity();
        assert!(capacity < 20_000, "{capacity}");
    }

    #[test]
    fn buckets_of_a_full_table_are_kept_until_all_of_them_are_paid_and_there_is_room() {
        let soon = CLEANING_INTERVAL;
        let emptied = |full: bool, unpaid: u64| {
            let mut table = Table::default();
            let clients = u32::try_from(limits::LIMITED_CLIENTS_MAX).unwrap();
            let numbers = if full { 0..clients } else { 1..clients };
            let lasting = numbers.map(|number| (client(number), u64::MAX));
            table.paid.extend(lasting);
            table.overflow = vec![0; OVERFLOW_PLACES];
            table.overflow[7] = unpaid;
            table.clean(soon);
            table.overflow.is_empty()
        };
        assert!(emptied(false, soon));
        assert!(!emptied(false, soon + 1));
        assert!(!emptied(true, soon));
        assert!(!emptied(true, soon + 1));
    }
}
