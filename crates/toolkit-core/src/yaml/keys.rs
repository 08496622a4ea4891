//! Keys of a [`Tree`] that stand twice in one mapping.
//!
//! Scalars are the same when the schema gives them the same value: `0x1F` and `31` are, `1` and
//! `"1"` are not. Collections are the same when they hold the same in the same order; a mapping
//! written in another order is not found out.

use std::cmp::Ordering;

use super::mapping::repeated;
use super::number;
use super::schema::{self, Value};
use super::tree::{Content, Meaning, Tree};
use crate::error::ToolError;

/// Refuses a stream in which a mapping has the same key twice.
pub(super) fn check_unique(tree: &Tree<'_>) -> Result<(), ToolError> {
    let mut keys: Vec<usize> = Vec::new();
    for (index, vertex) in tree.vertices.iter().enumerate() {
        let Content::Mapping { end } = vertex.content else {
            continue;
        };
        keys.clear();
        keys.extend(tree.siblings(index + 1, end).step_by(2));
        keys.sort_unstable_by(|&one, &other| compare(tree, one, other).then(one.cmp(&other)));
        let same = keys.windows(2).filter_map(|pair| match *pair {
            [first, second] if compare(tree, first, second).is_eq() => Some((first, second)),
            _ => None,
        });
        if let Some((first, second)) = same.min_by_key(|&(_, second)| second) {
            let name = match tree
                .vertices
                .get(tree.resolved(second))
                .map(|key| &key.content)
            {
                Some(Content::Scalar { text, .. }) => text,
                _ => "…",
            };
            return Err(repeated(name, first, second, tree));
        }
    }
    Ok(())
}

/// What makes two nodes the same, apart from what they hold.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Identity<'t> {
    /// The value, and a tag that the schema does not know.
    Scalar(Option<Value<'t>>, Option<&'t str>),
    /// How many nodes are inside.
    Sequence(usize),
    Mapping(usize),
    Alias(usize),
}

/// Compares node by node, so that the first difference ends it.
fn compare(tree: &Tree<'_>, one: usize, other: usize) -> Ordering {
    let nodes = |key: usize| {
        let key = tree.resolved(key);
        (key..tree.after(key)).map(|index| identity(tree, index))
    };
    nodes(one).cmp(nodes(other))
}

fn identity<'t>(tree: &'t Tree<'_>, index: usize) -> Option<Identity<'t>> {
    let vertex = tree.vertices.get(index)?;
    Some(match &vertex.content {
        Content::Scalar { text, style } => {
            let tag = tree.tag(vertex);
            let value = schema::resolve(text, *style, tag.map(|tag| tag.meaning));
            let unknown = tag.filter(|tag| tag.meaning == Meaning::Other);
            Identity::Scalar(value.map(in_decimal), unknown.map(|tag| tag.written))
        }
        Content::Sequence { end, .. } => Identity::Sequence(end - index),
        Content::Mapping { end } => Identity::Mapping(end - index),
        Content::Alias { target } => Identity::Alias(*target),
    })
}

fn in_decimal(value: Value<'_>) -> Value<'_> {
    match value {
        Value::Radix(digits, bits) => match number::decimal(digits, bits) {
            Some(digits) => Value::Int(digits.into()),
            None => Value::Radix(digits, bits),
        },
        value => value,
    }
}
