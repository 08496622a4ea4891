//! serde `Serialize`, `Deserialize` and `Deserializer` for document values.

use std::fmt;

use serde::de::value::{Error, MapAccessDeserializer, MapDeserializer, SeqDeserializer};
use serde::de::{Deserialize, Deserializer, IntoDeserializer, MapAccess, SeqAccess, Visitor};
use serde::ser::{Serialize, SerializeMap, Serializer};

use super::{Node, Number};

/// A number becomes an integer if 64 bits hold it, and otherwise the nearest double, so not all
/// digits are kept.
impl Serialize for Node {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_unit(),
            Self::Bool(value) => serializer.serialize_bool(*value),
            Self::Number(number) => match (self.as_u64(), self.as_i64(), number.finite()) {
                (Some(number), _, _) => serializer.serialize_u64(number),
                (_, Some(number), _) => serializer.serialize_i64(number),
                (_, _, Some(number)) => serializer.serialize_f64(number),
                _ => Err(serde::ser::Error::custom(beyond_double(number))),
            },
            Self::Text(text) => serializer.serialize_str(text),
            Self::Array(items) => serializer.collect_seq(items),
            Self::Object(members) => {
                let mut map = serializer.serialize_map(Some(members.len()))?;
                for (name, value) in members {
                    map.serialize_entry(name, value)?;
                }
                map.end()
            }
        }
    }
}

/// Deserializes any type from a value, borrowing its strings.
///
/// ```
/// # #[cfg(feature = "yaml")] {
/// use serde::Deserialize;
/// use toolkit_core::{Warnings, yaml};
///
/// #[derive(Deserialize)]
/// struct Server {
///     port: u16,
/// }
///
/// let node = yaml::parse("port: 8080", &mut Warnings::new())?;
/// assert_eq!(Server::deserialize(&node)?.port, 8080);
/// # }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
impl<'de> Deserializer<'de> for &'de Node {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self {
            Node::Null => visitor.visit_unit(),
            Node::Bool(value) => visitor.visit_bool(*value),
            Node::Number(number) => match (self.as_u64(), self.as_i64(), number.finite()) {
                (Some(number), _, _) => visitor.visit_u64(number),
                (_, Some(number), _) => visitor.visit_i64(number),
                (_, _, Some(number)) => visitor.visit_f64(number),
                _ => Err(serde::de::Error::custom(beyond_double(number))),
            },
            Node::Text(text) => visitor.visit_borrowed_str(text),
            Node::Array(items) => visitor.visit_seq(SeqDeserializer::new(items.iter())),
            Node::Object(members) => visitor.visit_map(MapDeserializer::new(
                members.iter().map(|(name, value)| (name.as_str(), value)),
            )),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self {
            Node::Null => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        match self {
            Node::Text(text) => visitor.visit_enum(text.as_str().into_deserializer()),
            Node::Object(members) => {
                let members = members.iter().map(|(name, value)| (name.as_str(), value));
                visitor.visit_enum(MapAccessDeserializer::new(MapDeserializer::new(members)))
            }
            _ => self.deserialize_any(visitor),
        }
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit
        unit_struct seq tuple tuple_struct map struct identifier ignored_any
    }
}

impl<'de> IntoDeserializer<'de> for &'de Node {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

impl<'de> Deserialize<'de> for Node {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(NodeVisitor)
    }
}

struct NodeVisitor;

impl<'de> Visitor<'de> for NodeVisitor {
    type Value = Node;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value of JSON")
    }

    fn visit_unit<E>(self) -> Result<Node, E> {
        Ok(Node::Null)
    }

    fn visit_none<E>(self) -> Result<Node, E> {
        Ok(Node::Null)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Node, D::Error> {
        Node::deserialize(deserializer)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Node, E> {
        Ok(value.into())
    }

    fn visit_i64<E>(self, value: i64) -> Result<Node, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Node, E> {
        Ok(value.into())
    }

    fn visit_f64<E: serde::de::Error>(self, value: f64) -> Result<Node, E> {
        if value.is_finite() {
            return Ok(Number::checked(format!("{value:?}")).into());
        }
        Err(E::custom("JSON has no infinite numbers"))
    }

    fn visit_str<E>(self, value: &str) -> Result<Node, E> {
        Ok(value.into())
    }

    fn visit_string<E>(self, value: String) -> Result<Node, E> {
        Ok(value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Node, A::Error> {
        let mut read = Vec::new();
        while let Some(item) = items.next_element()? {
            read.push(item);
        }
        Ok(Node::Array(read))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Node, A::Error> {
        let mut read = Vec::new();
        while let Some(member) = members.next_entry()? {
            read.push(member);
        }
        if let [(name, Node::Text(digits))] = read.as_slice()
            && name == SERDE_JSON_NUMBER
            && let Some(number) = Number::new(digits.as_str())
        {
            return Ok(number.into());
        }
        Ok(Node::Object(read))
    }
}

/// Name under which `serde_json` passes the digits of a number, if its feature
/// `arbitrary_precision` is enabled anywhere in a build.
const SERDE_JSON_NUMBER: &str = "$serde_json::private::Number";

fn beyond_double(number: &Number) -> String {
    format!("a number beyond the range of a double: {number}")
}

#[cfg(feature = "serde_json")]
#[cfg(test)]
mod tests {
    use serde::Deserialize as _;
    use serde_json::{Value, json};

    use super::Node;

    #[test]
    fn values_of_serde_json_come_back_as_they_were() {
        let value = json!({"b": [null, true, -1, 1.5, u64::MAX], "a": {"": "é"}});
        let node = Node::deserialize(value.clone()).unwrap();
        assert_eq!(serde_json::to_value(&node).unwrap(), value);
        assert_eq!(Value::deserialize(&node).unwrap(), value);
        assert_eq!(Node::deserialize(&node).unwrap(), node);
    }

    #[test]
    fn a_number_beyond_a_double_is_no_null_in_another_format() {
        let node: Node = crate::Number::new("1e400").expect("it is a number").into();
        assert!(serde_json::to_string(&node).is_err());
        assert!(serde_json::to_value(&node).is_err());
        assert!(f64::deserialize(&node).is_err());
    }

    #[test]
    fn the_digits_of_a_number_are_a_number_also_with_arbitrary_precision() {
        let numbers: Node = serde_json::from_str("[1.5, 7, -2, 1e300]").unwrap();
        let numbers = numbers.as_array().unwrap().iter().map(Node::as_f64);
        let expected = [1.5, 7.0, -2.0, 1e300].map(Some);
        assert!(numbers.eq(expected));
    }
}
