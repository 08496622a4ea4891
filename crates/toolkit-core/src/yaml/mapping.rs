//! Mapping under construction: unique keys, and merge keys (`<<`).
//!
//! The merge key comes from YAML 1.1 (yaml.org/type/merge): a key of the mapping itself overrides a
//! merged one, and an earlier mapping in a list a later one. Merged members take the position of
//! the `<<`.

use std::collections::HashSet;

use super::tree::Tree;
use crate::echo::Echo;
use crate::error::ToolError;
use crate::node::Node;

type Member = (String, Node);

/// Key of a value.
pub(super) enum Key {
    Name(String),
    /// `<<`
    Merge,
}

#[derive(Default)]
pub(super) struct Mapping {
    members: Vec<Member>,
    /// Nodes of the keys of `members`.
    keys: Vec<usize>,
    /// The key whose value comes next, and its node.
    pending: Option<(usize, Key)>,
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
    pub(super) fn expects_key(&self) -> bool {
        self.pending.is_none()
    }

    pub(super) fn take_key(&mut self, index: usize, key: Key) {
        self.pending = Some((index, key));
    }

    pub(super) fn take_value(&mut self, value: Node, tree: &Tree<'_>) -> Result<(), ToolError> {
        match self.pending.take() {
            None => {}
            Some((index, Key::Name(name))) => {
                self.members.push((name, value));
                self.keys.push(index);
            }
            Some((index, Key::Merge)) => {
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
            }
        }
        Ok(())
    }

    pub(super) fn into_members(self, tree: &Tree<'_>) -> Result<Vec<Member>, ToolError> {
        if let Some((first, second)) = first_repeated(&self.members) {
            let (name, _) = &self.members[second];
            return Err(repeated(name, self.keys[first], self.keys[second], tree));
        }
        Ok(match self.merge {
            None => self.members,
            Some(merge) => merge.into(self.members),
        })
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

/// The first two members with the same name.
fn first_repeated(members: &[Member]) -> Option<(usize, usize)> {
    let mut sorted: Vec<(&str, usize)> = members
        .iter()
        .enumerate()
        .map(|(index, (name, _))| (name.as_str(), index))
        .collect();
    sorted.sort_unstable();
    let pairs = sorted.windows(2).filter_map(|pair| match pair {
        [(name, first), (same, second)] if name == same => Some((*first, *second)),
        _ => None,
    });
    pairs.min_by_key(|(_, second)| *second)
}

/// Error: a mapping repeats a key.
pub(super) fn repeated(name: &str, first: usize, second: usize, tree: &Tree<'_>) -> ToolError {
    let line = tree.vertices[first].place.line;
    let message = format!("repeats the key {} of line {line}", Echo(name));
    refused(second, tree, message)
}

fn refused(
    index: usize,
    tree: &Tree<'_>,
    message: impl Into<std::borrow::Cow<'static, str>>,
) -> ToolError {
    ToolError::new(message).at(tree.vertices[index].place.position())
}
