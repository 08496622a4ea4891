//! One-call identifiers, using the clock and the randomness of the operating system.

use std::sync::{Arc, LazyLock};

use time::OffsetDateTime;
use ulid::Ulid;
use uuid::Uuid;

use super::nanoid::{Alphabet, NANOID_SIZE, nanoids};
use super::random::{Random, uuids_v4};
use super::sequence::Sequence;

/// The process's only sequence, so that its identifiers keep increasing.
pub(crate) static SEQUENCE: LazyLock<Arc<Sequence>> = LazyLock::new(Arc::default);

/// Random source of the operating system, which is cryptographically secure.
///
/// # Panics
///
/// When the operating system provides no randomness.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct OsRandom;

impl Random for OsRandom {
    fn fill(&mut self, bytes: &mut [u8]) {
        getrandom::fill(bytes).expect("the operating system gives random bytes");
    }
}

/// Generates a random UUID (version 4).
///
/// ```
/// assert_ne!(toolkit_core::ids::uuid_v4(), toolkit_core::ids::uuid_v4());
/// ```
pub fn uuid_v4() -> Uuid {
    uuids_v4(&mut OsRandom, 1).remove(0)
}

/// Generates a UUID that sorts by time (version 7), greater than all that this process made before.
///
/// ```
/// assert!(toolkit_core::ids::uuid_v7() < toolkit_core::ids::uuid_v7());
/// ```
pub fn uuid_v7() -> Uuid {
    let now = OffsetDateTime::now_utc();
    SEQUENCE.uuids_v7(now, &mut OsRandom, 1).remove(0)
}

/// Generates a ULID, greater than all that this process made before.
///
/// ```
/// assert!(toolkit_core::ids::ulid() < toolkit_core::ids::ulid());
/// ```
pub fn ulid() -> Ulid {
    let now = OffsetDateTime::now_utc();
    SEQUENCE.ulids(now, &mut OsRandom, 1).remove(0)
}

/// Generates a `NanoID` of 21 characters.
///
/// ```
/// assert_eq!(toolkit_core::ids::nanoid().len(), 21);
/// ```
pub fn nanoid() -> String {
    nanoids(&mut OsRandom, &Alphabet::default(), NANOID_SIZE, 1).remove(0)
}
