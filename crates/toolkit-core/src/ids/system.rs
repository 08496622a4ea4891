//! One-call identifiers, with the clock and the randomness of the operating system.

use std::sync::{Arc, LazyLock};

use time::OffsetDateTime;
use ulid::Ulid;
use uuid::Uuid;

use super::nanoid::{Alphabet, NANOID_SIZE, nanoids};
use super::random::Random;
use super::sequence::Sequence;
use super::uuid_v4::uuids_v4;

/// The one sequence of the process, so that its identifiers keep increasing.
pub(crate) static SEQUENCE: LazyLock<Arc<Sequence>> = LazyLock::new(Arc::default);

/// The random bytes of the operating system, which are cryptographically secure.
///
/// # Panics
///
/// Where the operating system has no randomness to give.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct OsRandom;

impl Random for OsRandom {
    fn fill(&mut self, bytes: &mut [u8]) {
        getrandom::fill(bytes).expect("the operating system gives random bytes");
    }
}

/// A random UUID (version 4).
///
/// ```
/// assert_ne!(toolkit_core::ids::uuid_v4(), toolkit_core::ids::uuid_v4());
/// ```
pub fn uuid_v4() -> Uuid {
    first(uuids_v4(&mut OsRandom, 1))
}

/// A UUID that sorts by time (version 7), above all that this process made before.
///
/// ```
/// assert!(toolkit_core::ids::uuid_v7() < toolkit_core::ids::uuid_v7());
/// ```
pub fn uuid_v7() -> Uuid {
    first(SEQUENCE.uuids_v7(OffsetDateTime::now_utc(), &mut OsRandom, 1))
}

/// A ULID, above all that this process made before.
///
/// ```
/// assert!(toolkit_core::ids::ulid() < toolkit_core::ids::ulid());
/// ```
pub fn ulid() -> Ulid {
    first(SEQUENCE.ulids(OffsetDateTime::now_utc(), &mut OsRandom, 1))
}

/// A `NanoID` of 21 characters.
///
/// ```
/// assert_eq!(toolkit_core::ids::nanoid().len(), 21);
/// ```
pub fn nanoid() -> String {
    first(nanoids(&mut OsRandom, &Alphabet::default(), NANOID_SIZE, 1))
}

/// The one identifier that was asked for.
fn first<T: Default>(identifiers: Vec<T>) -> T {
    identifiers.into_iter().next().unwrap_or_default()
}
