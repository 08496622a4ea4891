//! Record identifiers: ULIDs with the time of the operation.

use serde::Serializer;
use time::OffsetDateTime;
use ulid::Ulid;

use crate::database::milliseconds;

pub(crate) fn new_id(now: OffsetDateTime) -> Ulid {
    Ulid::from_parts(
        u64::try_from(milliseconds(now)).unwrap_or_default(),
        rand::random(),
    )
}

/// Formats an identifier as its 26 characters.
pub(crate) fn serialize<S: Serializer>(id: &Ulid, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(id)
}
