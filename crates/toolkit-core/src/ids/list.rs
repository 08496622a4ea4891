//! Identifier lists: a JSON array of strings, written without allocating each.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Serialize, Serializer};
use ulid::Ulid;
use uuid::Uuid;

/// Identifiers of one kind, in the order of their creation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Identifiers {
    /// UUIDs, in lower case with hyphens (RFC 9562 §4).
    Uuid(Vec<Uuid>),
    /// ULIDs, in upper case.
    Ulid(Vec<Ulid>),
    /// `NanoID`s.
    NanoId(Vec<String>),
}

impl Serialize for Identifiers {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Uuid(uuids) => serializer.collect_seq(uuids.iter().map(UuidText)),
            Self::Ulid(ulids) => serializer.collect_seq(ulids.iter().map(UlidText)),
            Self::NanoId(nanoids) => serializer.collect_seq(nanoids),
        }
    }
}

impl JsonSchema for Identifiers {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Identifiers".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "array",
            "items": {"type": "string"},
            "description": "The identifiers, in the order in which they were made.",
        })
    }
}

struct UuidText<'a>(&'a Uuid);

impl Serialize for UuidText<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut text = uuid::Uuid::encode_buffer();
        serializer.serialize_str(self.0.hyphenated().encode_lower(&mut text))
    }
}

struct UlidText<'a>(&'a Ulid);

impl Serialize for UlidText<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut text = [0; ulid::ULID_LEN];
        serializer.serialize_str(self.0.array_to_str(&mut text))
    }
}
