//! Time-ordered identifiers: version 7 UUIDs (RFC 9562 §5.7) and ULIDs.

use std::sync::{Mutex, PoisonError};

use time::OffsetDateTime;
use ulid::Ulid;
use uuid::Uuid;

use super::random::Random;

/// Bits of a version 7 UUID after its 48-bit time: 12 of `rand_a` and 62 of `rand_b`.
const V7_RANDOM_BITS: u32 = 74;
/// Bits of a ULID after its 48-bit time.
const ULID_RANDOM_BITS: u32 = 80;

/// State of time-ordered identifiers: the last ones generated.
///
/// One `Sequence` serves a whole process: its identifiers strictly increase across calls and
/// threads, even within a millisecond and when the clock steps back.
#[derive(Debug, Default)]
pub struct Sequence {
    last: Mutex<Last>,
}

/// Time and random bits as one integer each, so that a carry moves on to the next millisecond.
#[derive(Debug, Default)]
struct Last {
    uuid_v7: u128,
    ulid: u128,
}

impl Sequence {
    /// Creates a sequence.
    pub fn new() -> Self {
        Self::default()
    }

    /// Generates `count` version 7 UUIDs.
    ///
    /// Within a millisecond the random part grows by a random step of up to 32 bits (RFC 9562 §6.2,
    /// method 2), so one identifier does not reveal the next.
    ///
    /// ```
    /// use time::OffsetDateTime;
    /// use toolkit_core::ids::Sequence;
    ///
    /// let sequence = Sequence::new();
    /// let mut random = |bytes: &mut [u8]| bytes.fill(7);
    /// let uuids = sequence.uuids_v7(OffsetDateTime::UNIX_EPOCH, &mut random, 2);
    /// assert!(uuids[0] < uuids[1]);
    /// ```
    pub fn uuids_v7(
        &self,
        now: OffsetDateTime,
        random: &mut dyn Random,
        count: usize,
    ) -> Vec<Uuid> {
        let mut last = self.lock();
        let first = First::new(now, V7_RANDOM_BITS, random);
        let numbers = (0..count).map(|_| {
            let mut step = [0; 4];
            random.fill(&mut step);
            let step = u128::from(u32::from_be_bytes(step)) + 1;
            last.uuid_v7 = first.or_after(last.uuid_v7, step);
            uuid_v7(last.uuid_v7)
        });
        numbers.collect()
    }

    /// Generates `count` ULIDs. Within a millisecond each is its predecessor plus one, as the ULID
    /// specification requires.
    ///
    /// ```
    /// use time::OffsetDateTime;
    /// use toolkit_core::ids::Sequence;
    ///
    /// let mut random = |bytes: &mut [u8]| bytes.fill(7);
    /// let ulids = Sequence::new().ulids(OffsetDateTime::UNIX_EPOCH, &mut random, 2);
    /// assert_eq!(ulids[1].0, ulids[0].0 + 1);
    /// ```
    pub fn ulids(&self, now: OffsetDateTime, random: &mut dyn Random, count: usize) -> Vec<Ulid> {
        let mut last = self.lock();
        let first = First::new(now, ULID_RANDOM_BITS, random);
        let numbers = (0..count).map(|_| {
            last.ulid = first.or_after(last.ulid, 1);
            Ulid(last.ulid)
        });
        numbers.collect()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Last> {
        // The integers are valid even if a thread panicked while it held the lock.
        self.last.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The first integer of a millisecond.
struct First {
    number: u128,
    random_bits: u32,
}

impl First {
    fn new(now: OffsetDateTime, random_bits: u32, random: &mut dyn Random) -> Self {
        let mut bytes = [0; 16];
        random.fill(&mut bytes[6..]);
        let random = u128::from_be_bytes(bytes);
        let mask = (1 << random_bits) - 1;
        Self { number: unix_milliseconds(now) << random_bits | random & mask, random_bits }
    }

    /// This integer if the last one is of an earlier millisecond, otherwise the last one plus
    /// `step`.
    fn or_after(&self, last: u128, step: u128) -> u128 {
        if self.number >> self.random_bits > last >> self.random_bits {
            self.number
        } else {
            last + step
        }
    }
}

/// Milliseconds since 1970 in the identifiers' 48 bits. An earlier time is 0.
fn unix_milliseconds(now: OffsetDateTime) -> u128 {
    let milliseconds = now.unix_timestamp_nanos() / 1_000_000;
    u128::try_from(milliseconds).unwrap_or(0) & ((1 << 48) - 1)
}

/// Inserts version and variant between the bits of an integer: 48 of time, 12, and 62.
fn uuid_v7(number: u128) -> Uuid {
    let high = number >> 62;
    let time = high >> 12;
    let rand_a = high & 0xFFF;
    let rand_b = number & ((1 << 62) - 1);
    Uuid::from_u128(time << 80 | 0x7 << 76 | rand_a << 64 | 0b10 << 62 | rand_b)
}

#[cfg(test)]
mod tests {
    use time::{Duration, OffsetDateTime, macros::datetime};

    use super::{Sequence, uuid_v7};

    const NOW: OffsetDateTime = datetime!(2022-02-22 19:22:22 UTC);

    fn all_ones(bytes: &mut [u8]) {
        bytes.fill(0xFF);
    }

    #[test]
    fn version_and_variant_are_placed_as_in_rfc_9562_a_6() {
        let number = 0x017F_22E2_79B0 << 74 | 0xCC3 << 62 | 0x18C4_DC0C_0C07_398F;
        assert_eq!(uuid_v7(number).to_string(), "017f22e2-79b0-7cc3-98c4-dc0c0c07398f");
    }

    #[test]
    fn the_random_bits_overflow_into_the_next_millisecond() {
        let sequence = Sequence::new();
        let ulids = sequence.ulids(NOW, &mut all_ones, 2);
        assert_eq!(ulids[0].timestamp_ms() + 1, ulids[1].timestamp_ms());
        assert_eq!(ulids[1].random(), 0);

        let v7 = sequence.uuids_v7(NOW, &mut all_ones, 2);
        assert!(v7[0] < v7[1]);
        assert_eq!(v7[1].get_version_num(), 7);
    }

    #[test]
    fn a_clock_that_steps_back_does_not_change_the_order() {
        let sequence = Sequence::new();
        let mut last = None;
        for now in [NOW, NOW - Duration::HOUR, OffsetDateTime::UNIX_EPOCH - Duration::DAY, NOW] {
            let uuids = sequence.uuids_v7(now, &mut all_ones, 3);
            assert!(uuids.is_sorted() && last < Some(uuids[0]));
            last = uuids.last().copied();
        }
    }

    #[test]
    fn a_later_millisecond_restarts_the_sequence() {
        let sequence = Sequence::new();
        sequence.ulids(NOW, &mut all_ones, 1);
        let later = sequence.ulids(NOW + Duration::MILLISECOND * 2, &mut all_ones, 1);
        assert_eq!(later[0].random(), (1 << 80) - 1);
    }
}
