//! Identifiers: UUID (RFC 9562), ULID (the ULID specification) and NanoID.
//!
//! Time and randomness come from the caller; a [`Sequence`] keeps the time-ordered kinds increasing.
//! Other versions of the UUID are left out: they tell the machine's address (1, 6), or name things
//! rather than number them (3, 5).

mod list;
mod nanoid;
mod sequence;

pub use self::list::Identifiers;
pub use self::nanoid::{Alphabet, NANOID_SIZE, nanoids};
pub use self::sequence::Sequence;
use crate::context::Random;
use uuid::Uuid;

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
