//! Mapping under construction: unique keys, and merge keys (`<<`).
//!
//! The merge key comes from YAML 1.1 (yaml.org/type/merge): a key of the mapping itself overrides a
//! merged one, and an earlier mapping in a list a later one. Merged members take the position of
//! the `<<`.

use std::collections::{HashMap, HashSet};

use super::tree::Tree;
use crate::echo::Echo;
use crate::error::ToolError;
use crate::node::Node;

type Member = (String, Node);

#[derive(Default)]
pub(super) struct Mapping {
    members: Vec<Member>,
    /// Nodes of the keys of `members`.
    keys: Vec<usize>,
    merge: Option<Merge>,
}

/// Members merged by a `<<`.
struct Merge {
    /// Number of members before it.
    at: usize,
    key: usize,
    sources: Vec<Vec<Member>>,
}

impl Mapping {
    /// Adds a value, whose key is the node `index` with a name, or without one a merge key.
    pub(super) fn add(
        &mut self,
        index: usize,
        name: Option<String>,
        value: Node,
        tree: &Tree<'_>,
    ) -> Result<(), ToolError> {
        let Some(name) = name else {
            return self.merge(index, value, tree);
        };
        self.members.push((name, value));
        self.keys.push(index);
        Ok(())
    }

    fn merge(&mut self, index: usize, value: Node, tree: &Tree<'_>) -> Result<(), ToolError> {
        if let Some(first) = &self.merge {
            return Err(repeated("<<", first.key, index, tree)
                .with_hint("merge several mappings with `<<: [*a, *b]`"));
        }
        self.merge = Some(Merge {
            at: self.members.len(),
            key: index,
            sources: sources(value).ok_or_else(|| {
                refused(index, tree, "has a `<<` whose value is not a mapping")
                    .with_hint("give it a mapping, or a list of mappings")
            })?,
        });
        Ok(())
    }

    pub(super) fn into_node(self, tree: &Tree<'_>) -> Result<Node, ToolError> {
        let mut known = HashMap::new();
        for ((name, _), &key) in self.members.iter().zip(&self.keys) {
            if let Some(first) = known.insert(name, key) {
                return Err(repeated(name, first, key, tree));
            }
        }
        Ok(Node::Object(match self.merge {
            None => self.members,
            Some(merge) => merge.into(self.members),
        }))
    }
}

impl Merge {
    /// Adds the members whose keys are new.
    fn into(self, members: Vec<Member>) -> Vec<Member> {
        let mut known: HashSet<String> = members.iter().map(|(name, _)| name.clone()).collect();
        let mut merged = members;
        let after = merged.split_off(self.at);
        let sources = self.sources.into_iter().flatten();
        merged.extend(sources.filter(|(name, _)| known.insert(name.clone())));
        merged.extend(after);
        merged
    }
}

fn sources(value: Node) -> Option<Vec<Vec<Member>>> {
    let mapping = |node| match node {
        Node::Object(members) => Some(members),
        _ => None,
    };
    match value {
        Node::Array(items) => items.into_iter().map(mapping).collect(),
        single => mapping(single).map(|members| vec![members]),
    }
}

/// Error: a mapping repeats a key.
pub(super) fn repeated(name: &str, first: usize, second: usize, tree: &Tree<'_>) -> ToolError {
    let line = tree.vertices[first].place.line;
    let message = format!("repeats the key {} of line {line}", Echo(name));
    refused(second, tree, message).with_hint("rename or remove one of them")
}

fn refused(
    index: usize,
    tree: &Tree<'_>,
    message: impl Into<std::borrow::Cow<'static, str>>,
) -> ToolError {
    ToolError::new(message).at(tree.vertices[index].place.position())
}
