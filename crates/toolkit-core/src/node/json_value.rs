//! Conversion from and to `serde_json::Value`.

use serde_json::{Map, Number, Value};

use super::Node;
use crate::error::{ErrorKind, ToolError};

impl From<Value> for Node {
    fn from(value: Value) -> Self {
        match value {
            Value::Null => Self::Null,
            Value::Bool(value) => Self::Bool(value),
            Value::Number(number) => super::Number::checked(number.to_string()).into(),
            Value::String(text) => Self::Text(text),
            Value::Array(items) => items.into(),
            Value::Object(members) => Self::Object(
                members
                    .into_iter()
                    .map(|(name, value)| (name, value.into()))
                    .collect(),
            ),
        }
    }
}

/// 64-bit integers stay exact, other numbers become the nearest double, and of several members with
/// the same name the last is kept.
impl TryFrom<&Node> for Value {
    type Error = ToolError;

    fn try_from(node: &Node) -> Result<Self, ToolError> {
        Ok(match node {
            Node::Null => Self::Null,
            Node::Bool(value) => (*value).into(),
            Node::Number(digits) => Self::Number(number(node).ok_or_else(|| {
                ToolError::new(format!(
                    "has a number beyond the range of a double: {digits}"
                ))
                .of(ErrorKind::Range)
            })?),
            Node::Text(text) => text.as_str().into(),
            Node::Array(items) => items
                .iter()
                .map(Self::try_from)
                .collect::<Result<Vec<_>, _>>()?
                .into(),
            Node::Object(members) => {
                let mut map = Map::with_capacity(members.len());
                for (name, value) in members {
                    map.insert(name.clone(), Self::try_from(value)?);
                }
                map.into()
            }
        })
    }
}

impl TryFrom<Node> for Value {
    type Error = ToolError;

    fn try_from(node: Node) -> Result<Self, ToolError> {
        Self::try_from(&node)
    }
}

fn number(node: &Node) -> Option<Number> {
    let integer = node
        .as_u64()
        .map(Number::from)
        .or_else(|| node.as_i64().map(Number::from));
    integer.or_else(|| Number::from_f64(node.as_f64()?))
}

#[cfg(test)]
mod tests {
    use serde::Deserialize as _;
    use serde_json::{Value, json};

    use super::Node;

    #[test]
    fn values_of_serde_json_come_back_as_they_were() {
        let value = json!({"b": [null, true, -1, 1.5, u64::MAX], "a": {"": "é"}});
        let node = Node::from(value.clone());
        assert_eq!(Value::try_from(&node).as_ref(), Ok(&value));
        assert_eq!(serde_json::to_value(&node).unwrap(), value);
        assert_eq!(Value::deserialize(&node).unwrap(), value);
        assert_eq!(Node::deserialize(&node).unwrap(), node);
    }

    fn beyond_double() -> Node {
        crate::Number::new("1e400").expect("it is a number").into()
    }

    #[test]
    fn a_number_beyond_a_double_is_no_null_in_another_format() {
        assert!(serde_json::to_string(&beyond_double()).is_err());
        assert!(f64::deserialize(&beyond_double()).is_err());
    }

    #[test]
    fn the_digits_of_a_number_are_a_number_also_with_arbitrary_precision() {
        let numbers: Node = serde_json::from_str("[1.5, 7, -2, 1e300]").unwrap();
        let numbers = numbers.as_array().unwrap().iter().map(Node::as_f64);
        let expected = [1.5, 7.0, -2.0, 1e300].map(Some);
        assert!(numbers.eq(expected));
    }

    #[test]
    fn a_number_beyond_a_double_is_refused() {
        let node = Node::Array(vec![beyond_double()]);
        let refused = Value::try_from(node).unwrap_err();
        assert_eq!(refused.kind(), crate::ErrorKind::Range);
    }
}
