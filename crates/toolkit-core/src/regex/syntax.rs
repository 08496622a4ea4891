//! Syntax tree of a pattern, as fancy-regex compiles it.

use std::collections::{HashMap, HashSet};

use fancy_regex::{Expr, internal};

use super::Flags;

/// A syntax tree, and what is needed to read it.
#[derive(Debug)]
pub(super) struct Tree {
    /// The whole pattern.
    pub(super) root: Expr,
    /// Groups that are compared with later, so that the machine must step through them.
    pub(super) referenced_groups: HashSet<usize>,
    names: HashMap<String, Vec<usize>>,
    /// Whether the first group is the match itself: with a look-ahead at the end, or `\K`, an
    /// automaton can run the whole pattern, and tells the match by a group of its own.
    pub(super) has_group_0: bool,
}

impl Tree {
    /// Reads a pattern.
    ///
    /// # Errors
    ///
    /// Gives the error of fancy-regex, with its place in the pattern.
    pub(super) fn parse(pattern: &str, flags: Flags) -> Result<Self, fancy_regex::Error> {
        let prefix = prefix(flags);
        let mut tree =
            Expr::parse_tree(&format!("{prefix}{pattern}")).map_err(|error| match error {
                fancy_regex::Error::ParseError(place, error) => {
                    fancy_regex::Error::ParseError(place.saturating_sub(prefix.len()), error)
                }
                other => other,
            })?;
        let has_group_0 = internal::optimize.rewrite(&mut tree);
        Ok(Self {
            root: tree.expr,
            referenced_groups: tree.backrefs.iter().collect(),
            names: tree.named_groups,
            has_group_0,
        })
    }

    /// The names of the whole match, which has none, and of so many groups.
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

    /// The pattern as the automaton reads it; all of it must be linear.
    pub(super) fn linear(&self) -> String {
        let mut linear = String::new();
        self.root.to_str(&mut linear, 0);
        linear
    }
}

/// The optimiser of fancy-regex, which is not part of its stable interface: it takes a tree, and
/// from 0.20.2 on also options. Naming neither type keeps every 0.20 usable.
trait Optimizer<Parsed, Arguments> {
    /// Rewrites a tree, and says whether it has a group 0 of its own now.
    fn rewrite(self, parsed: &mut Parsed) -> bool;
}

impl<Parsed, F> Optimizer<Parsed, (Parsed,)> for F
where
    F: Fn(&mut Parsed) -> bool,
{
    fn rewrite(self, parsed: &mut Parsed) -> bool {
        self(parsed)
    }
}

impl<Parsed, Options, F> Optimizer<Parsed, (Parsed, Options)> for F
where
    F: Fn(&mut Parsed, Options) -> bool,
    Options: Default,
{
    fn rewrite(self, parsed: &mut Parsed) -> bool {
        self(parsed, Options::default())
    }
}

/// The flags as they stand in a pattern: the parser takes no others by a stable name.
fn prefix(flags: Flags) -> String {
    let inline: String = ['i', 'm', 's', 'x']
        .into_iter()
        .filter(|letter| flags.has(*letter))
        .collect();
    if inline.is_empty() {
        return inline;
    }
    format!("(?{inline})")
}
