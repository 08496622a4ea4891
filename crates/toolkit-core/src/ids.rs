//! Identifiers: UUID (RFC 9562), ULID (the ULID specification) and NanoID.
//!
//! Time and randomness come from the caller. A [`Sequence`] keeps the time-ordered kinds
//! increasing. Other UUID versions are left out: they reveal the machine's address (1, 6), or are
//! derived from names (3, 5).

mod nanoid;
mod random;
mod sequence;
#[cfg(feature = "os")]
mod system;

pub use self::nanoid::{Alphabet, NANOID_SIZE, nanoids};
pub use self::random::{Random, uuids_v4};
pub use self::sequence::Sequence;
#[cfg(feature = "os")]
pub(crate) use self::system::SEQUENCE;
#[cfg(feature = "os")]
pub use self::system::{OsRandom, nanoid, ulid, uuid_v4, uuid_v7};
