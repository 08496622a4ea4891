//! Syntax tree of a pattern, as fancy-regex compiles it.

use std::collections::{HashMap, HashSet};

use fancy_regex::{Expr, internal};

use super::Flags;

/// A syntax tree, and the information needed to interpret it.
#[derive(Debug)]
pub(super) struct Tree {
    /// The whole pattern.
    pub(super) root: Expr,
    /// Groups with back-references, which the machine must step through.
    pub(super) referenced_groups: HashSet<usize>,
    /// Groups with each name.
    pub(super) names: HashMap<String, Vec<usize>>,
    /// Whether the first group is the match itself: with a look-ahead at the end, or `\K`, an
    /// automaton can run the whole pattern, and reports the match as a separate group.
    pub(super) has_group_0: bool,
}

impl Tree {
    /// Parses a pattern.
    ///
    /// # Errors
    ///
    /// The error of fancy-regex, with its position in the pattern.
    pub(super) fn parse(pattern: &str, flags: Flags) -> Result<Self, fancy_regex::Error> {
        let prefix = prefix(flags);
        let mut tree =
            Expr::parse_tree(&format!("{prefix}{pattern}")).map_err(|error| match error {
                fancy_regex::Error::ParseError(place, error) => {
                    fancy_regex::Error::ParseError(place.saturating_sub(prefix.len()), error)
                }
                other => other,
            })?;
        let has_group_0 = internal::optimize(&mut tree, internal::OptimizeOptions::default());
        Ok(Self {
            root: tree.expr,
            referenced_groups: tree.backrefs.iter().collect(),
            names: tree.named_groups,
            has_group_0,
        })
    }

    /// Names of the whole match, which has none, and of `groups` groups.
    pub(super) fn names(&self, groups: usize) -> Vec<Option<String>> {
        let mut names = vec![None; 1 + groups];
        for (name, named) in &self.names {
            for &index in named {
                if let Some(slot) = names.get_mut(index) {
                    *slot = Some(name.clone());
                }
            }
        }
        names
    }

    /// The pattern in the automaton's syntax. All of it must be linear.
    pub(super) fn linear(&self) -> String {
        let mut linear = String::new();
        self.root.to_str(&mut linear, 0);
        linear
    }
}

/// The flags in inline form: the parser accepts no others under a stable name.
fn prefix(flags: Flags) -> String {
    let inline: String =
        ['i', 'm', 's', 'x'].into_iter().filter(|letter| flags.has(*letter)).collect();
    if inline.is_empty() {
        return inline;
    }
    format!("(?{inline})")
}
