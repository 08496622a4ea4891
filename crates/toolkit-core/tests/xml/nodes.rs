//! JSON text to values and back, in order: the notation of the tests.

use std::fmt;
use std::fmt::Write;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use toolkit_core::{Node, Number};

/// Parses JSON.
pub(crate) fn from_json(text: &str) -> Node {
    serde_json::from_str::<Wrapped>(text).unwrap().0
}

/// Writes JSON on one line, without white space.
pub(crate) fn to_json(node: &Node) -> String {
    let list = |items: Vec<String>| items.join(",");
    match node {
        Node::Null => "null".to_owned(),
        Node::Bool(value) => value.to_string(),
        Node::Number(number) => number.to_string(),
        Node::Text(text) => quoted(text),
        Node::Array(items) => format!("[{}]", list(items.iter().map(to_json).collect())),
        Node::Object(members) => {
            let member = |(name, value): &(String, Node)| {
                let mut member = quoted(name);
                write!(member, ":{}", to_json(value)).unwrap();
                member
            };
            format!("{{{}}}", list(members.iter().map(member).collect()))
        }
    }
}

fn quoted(text: &str) -> String {
    serde_json::to_string(text).unwrap()
}

struct Wrapped(Node);

impl<'de> Deserialize<'de> for Wrapped {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(NodeVisitor).map(Wrapped)
    }
}

struct NodeVisitor;

impl<'de> Visitor<'de> for NodeVisitor {
    type Value = Node;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<Node, E> {
        Ok(Node::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Node, E> {
        Ok(Node::Bool(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Node, E> {
        Ok(Number::new(value.to_string()).unwrap().into())
    }

    fn visit_i64<E>(self, value: i64) -> Result<Node, E> {
        Ok(Number::new(value.to_string()).unwrap().into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Node, E> {
        Ok(Number::new(value.to_string()).unwrap().into())
    }

    fn visit_str<E>(self, value: &str) -> Result<Node, E> {
        Ok(Node::Text(value.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Node, A::Error> {
        let mut items = Vec::new();
        while let Some(Wrapped(item)) = seq.next_element()? {
            items.push(item);
        }
        Ok(Node::Array(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Node, A::Error> {
        let mut members = Vec::new();
        while let Some((name, Wrapped(value))) = map.next_entry()? {
            members.push((name, value));
        }
        Ok(Node::Object(members))
    }
}
