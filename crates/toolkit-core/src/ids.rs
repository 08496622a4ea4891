//! Identifiers: UUID (RFC 9562), ULID (the ULID specification) and NanoID.
//!
//! Time and randomness come from the caller; [`Sequence`] keeps the time-ordered kinds increasing.

use std::sync::{Mutex, PoisonError};

use time::OffsetDateTime;
use ulid::Ulid;
use uuid::Uuid;

use crate::context::Random;

/// Bits of a version 7 UUID behind its 48-bit time: 12 of `rand_a` and 62 of `rand_b`.
const V7_RANDOM_BITS: u32 = 74;
/// Bits of a ULID behind its 48-bit time.
const ULID_RANDOM_BITS: u32 = 80;

/// The last time-ordered identifiers that were given out.
///
/// One `Sequence` serves a whole process: what it gives out strictly increases, across calls and
/// threads, also within a millisecond and when the clock steps back.
#[derive(Debug, Default)]
pub struct Sequence {
    last: Mutex<Last>,
}

/// Time and random bits as one number each, so that a carry moves on to the next millisecond.
#[derive(Debug, Default)]
struct Last {
    uuid_v7: u128,
    ulid: u128,
}

impl Sequence {
    /// Starts a sequence.
    pub fn new() -> Self {
        Self::default()
    }

    /// Gives `count` version 7 UUIDs (RFC 9562 §5.7).
    ///
    /// Within a millisecond the random part grows by a random step (§6.2, method 2), so that one
    /// identifier does not tell the next.
    pub fn uuids_v7(
        &self,
        now: OffsetDateTime,
        random: &mut dyn Random,
        count: usize,
    ) -> Vec<Uuid> {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        let mut next = || {
            let mut step = [0; 4];
            random.fill(&mut step);
            let step = u128::from(u32::from_be_bytes(step)) + 1;
            last.uuid_v7 = following(last.uuid_v7, now, V7_RANDOM_BITS, random, step);
            uuid_v7(last.uuid_v7)
        };
        (0..count).map(|_| next()).collect()
    }

    /// Gives `count` ULIDs; within a millisecond each is its predecessor plus one.
    pub fn ulids(&self, now: OffsetDateTime, random: &mut dyn Random, count: usize) -> Vec<Ulid> {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        let mut next = || {
            last.ulid = following(last.ulid, now, ULID_RANDOM_BITS, random, 1);
            Ulid(last.ulid)
        };
        (0..count).map(|_| next()).collect()
    }
}

/// The next number: of a new millisecond with fresh random bits, or `step` above the last one.
fn following(
    last: u128,
    now: OffsetDateTime,
    random_bits: u32,
    random: &mut dyn Random,
    step: u128,
) -> u128 {
    let milliseconds = unix_milliseconds(now);
    if milliseconds <= last >> random_bits {
        return last + step;
    }
    let mut bytes = [0; 16];
    random.fill(&mut bytes[..10]);
    let fresh = u128::from_be_bytes(bytes) >> 48;
    milliseconds << random_bits | fresh & ((1 << random_bits) - 1)
}

/// Milliseconds since 1970 in the 48 bits that identifiers have for them; an earlier time is 0.
fn unix_milliseconds(now: OffsetDateTime) -> u128 {
    let milliseconds = now.unix_timestamp_nanos() / 1_000_000;
    u128::try_from(milliseconds).unwrap_or(0) & ((1 << 48) - 1)
}

/// Puts version and variant between the bits of a number: 48 of time, 12, and 62.
fn uuid_v7(number: u128) -> Uuid {
    let high = number >> 62;
    let time = high >> 12;
    let rand_a = high & 0xFFF;
    let rand_b = number & ((1 << 62) - 1);
    Uuid::from_u128(time << 80 | 0x7 << 76 | rand_a << 64 | 0b10 << 62 | rand_b)
}

/// Gives `count` random UUIDs (version 4, RFC 9562 §5.4).
pub fn uuids_v4(random: &mut dyn Random, count: usize) -> Vec<Uuid> {
    let mut bytes = vec![0; count * 16];
    random.fill(&mut bytes);
    let (chunks, _) = bytes.as_chunks::<16>();
    chunks
        .iter()
        .map(|chunk| uuid::Builder::from_random_bytes(*chunk).into_uuid())
        .collect()
}
