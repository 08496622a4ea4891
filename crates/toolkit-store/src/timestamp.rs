//! Timestamps in exports: RFC 3339 in UTC.

use serde::ser::Error;
use serde::{Serialize, Serializer};
use time::format_description::well_known::Rfc3339;
use time::{OffsetDateTime, UtcOffset};

pub(crate) fn serialize<S: Serializer>(
    time: &OffsetDateTime,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let text = time
        .to_offset(UtcOffset::UTC)
        .format(&Rfc3339)
        .map_err(Error::custom)?;
    text.serialize(serializer)
}

pub(crate) mod option {
    use super::{OffsetDateTime, Serialize, Serializer};

    #[derive(Serialize)]
    struct Present(#[serde(with = "super")] OffsetDateTime);

    #[expect(clippy::ref_option, reason = "the signature that serde calls")]
    pub(crate) fn serialize<S: Serializer>(
        time: &Option<OffsetDateTime>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        time.map(Present).serialize(serializer)
    }
}
