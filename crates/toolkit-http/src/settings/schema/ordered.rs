//! A JSON value whose members keep the order of the struct they come from, which `serde_json::Value`
//! does not.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde::ser::Serialize;
use serde_json::Value;

/// A value with its members in order.
pub(super) enum Ordered {
    /// An object.
    Members(Vec<(String, Self)>),
    /// Anything else.
    Value(Value),
}

impl Ordered {
    /// Takes a struct apart.
    pub(super) fn of(value: &impl Serialize) -> Self {
        let text = serde_json::to_string(value).unwrap_or_default();
        serde_json::from_str(&text).unwrap_or(Self::Value(Value::Null))
    }

    /// The members of an object; none of anything else.
    pub(super) fn into_members(self) -> Vec<(String, Self)> {
        match self {
            Self::Members(members) => members,
            Self::Value(_) => Vec::new(),
        }
    }

    /// The value of anything but an object.
    pub(super) fn into_value(self) -> Value {
        match self {
            Self::Members(_) => Value::Null,
            Self::Value(value) => value,
        }
    }
}

impl<'de> Deserialize<'de> for Ordered {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(Build)
    }
}

struct Build;

impl<'de> Visitor<'de> for Build {
    type Value = Ordered;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Ordered, A::Error> {
        let mut members = Vec::new();
        while let Some(member) = map.next_entry()? {
            members.push(member);
        }
        Ok(Ordered::Members(members))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut sequence: A) -> Result<Ordered, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = sequence.next_element()? {
            items.push(item);
        }
        Ok(Ordered::Value(Value::Array(items)))
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Ordered, E> {
        Ok(Ordered::Value(value.into()))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Ordered, E> {
        Ok(Ordered::Value(value.into()))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Ordered, E> {
        Ok(Ordered::Value(value.into()))
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Ordered, E> {
        Ok(Ordered::Value(value.into()))
    }

    fn visit_unit<E: Error>(self) -> Result<Ordered, E> {
        Ok(Ordered::Value(Value::Null))
    }
}
