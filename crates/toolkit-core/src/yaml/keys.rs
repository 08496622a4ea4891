//! Duplicate keys of a mapping in a [`Tree`].
//!
//! Scalars are equal if the schema gives them the same value: `0x1F` and `31` are, `1` and `"1"`
//! are not. Collections are equal if they have the same content in the same order. A mapping
//! written in another order is not detected.

use std::cmp::Ordering;

use super::mapping::repeated;
use super::number;
use super::schema;
use super::tree::{Content, Meaning, Style, Tree};
use super::value::Value;
use crate::error::ToolError;

/// Refuses a stream in which a mapping repeats a key.
pub(super) fn check_unique(tree: &Tree<'_>) -> Result<(), ToolError> {
    let mut keys: Vec<Key<'_>> = Vec::new();
    for (index, vertex) in tree.vertices.iter().enumerate() {
        let Content::Mapping { end } = vertex.content else {
            continue;
        };
        keys.clear();
        keys.extend(
            tree.siblings(index + 1, end)
                .step_by(2)
                .map(|key| (identity(tree, tree.resolved(key)), key)),
        );
        keys.sort_unstable_by(|one, other| compare(tree, one, other).then(one.1.cmp(&other.1)));
        let same = keys.windows(2).filter_map(|pair| match pair {
            [first, second] if compare(tree, first, second).is_eq() => Some((first.1, second.1)),
            _ => None,
        });
        if let Some((first, second)) = same.min_by_key(|&(_, second)| second) {
            return Err(repeated(name(tree, second), first, second, tree));
        }
    }
    Ok(())
}

/// Name of a key in error messages.
fn name<'t>(tree: &'t Tree<'_>, key: usize) -> &'t str {
    match tree.content(tree.resolved(key)) {
        Content::Scalar { style, .. } if *style == Style::Empty => "null",
        Content::Scalar { text, .. } => text,
        _ => "…",
    }
}

/// A key, and its index.
type Key<'t> = (Identity<'t>, usize);

/// Identity of a node, apart from its content.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Identity<'t> {
    /// The value, and a tag that the schema does not know.
    Scalar(Option<Value<'t>>, Option<&'t str>),
    /// Number of nodes inside.
    Sequence(usize),
    Mapping(usize),
    Alias(usize),
}

/// Compares node by node, and stops at the first difference.
fn compare(tree: &Tree<'_>, one: &Key<'_>, other: &Key<'_>) -> Ordering {
    let inside = |&(_, key): &Key<'_>| {
        let key = tree.resolved(key);
        (key + 1..tree.after(key)).map(|index| identity(tree, index))
    };
    one.0.cmp(&other.0).then_with(|| inside(one).cmp(inside(other)))
}

fn identity<'t>(tree: &'t Tree<'_>, index: usize) -> Identity<'t> {
    let vertex = &tree.vertices[index];
    match &vertex.content {
        Content::Scalar { text, style } => {
            let tag = vertex.tag();
            let value = schema::resolve(text, *style, tag.map(|tag| tag.meaning));
            let unknown = tag.filter(|tag| tag.meaning == Meaning::Other);
            Identity::Scalar(value.map(in_decimal), unknown.map(|tag| tag.written))
        }
        Content::Sequence { end, .. } => Identity::Sequence(end - index),
        Content::Mapping { end } => Identity::Mapping(end - index),
        Content::Alias { target } => Identity::Alias(*target),
    }
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
