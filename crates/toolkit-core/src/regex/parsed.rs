//! Parsed pattern: its properties before it is compiled.

use std::collections::HashMap;
use std::sync::Arc;

use super::Flags;
use super::cost::Cost;
use super::errors::{self, refusal};
use super::linear::Linear;
use super::syntax::Tree;
use crate::error::{ErrorKind, ToolError};

/// Properties of a pattern before it is compiled.
#[derive(Debug)]
pub(super) struct Parsed {
    pub(super) source: String,
    pub(super) flags: Flags,
    pub(super) cost: Cost,
    /// Names of the whole match, which has none, and of the groups.
    pub(super) names: Arc<[Option<String>]>,
    /// Groups with each name.
    pub(super) named: HashMap<String, Vec<usize>>,
    /// Whether a group is referred to.
    #[cfg(feature = "tools")]
    pub(super) has_reference: bool,
    /// The whole pattern for the automaton, if it is linear.
    pub(super) linear: Option<Linear>,
}

impl Parsed {
    pub(super) fn new(pattern: &str, flags: Flags, bytes_max: usize) -> Result<Self, ToolError> {
        if pattern.len() > bytes_max {
            return Err(too_long(pattern, bytes_max));
        }
        errors::refuse_perl(pattern)?;
        let tree = Tree::parse(pattern, flags).map_err(|error| refusal(pattern, &error))?;
        let cost = Cost::of(pattern, &tree)?;
        if cfg!(panic = "abort") && !cost.is_linear {
            let message = "has look-around, a back-reference or the like";
            return Err(ToolError::new(message)
                .of(ErrorKind::Unsupported)
                .with_hint("where panics abort, its search could not be stopped"));
        }
        let linear = cost.is_linear.then(|| tree.linear());
        Ok(Self {
            source: pattern.to_owned(),
            flags,
            names: tree.names(cost.groups).into(),
            #[cfg(feature = "tools")]
            has_reference: !tree.referenced_groups.is_empty(),
            named: tree.names,
            linear: linear.and_then(|linear| Linear::read(&linear, tree.has_group_0)),
            cost,
        })
    }
}

/// Error: a pattern or a text is too long.
pub(super) fn too_long(text: &str, bytes_max: usize) -> ToolError {
    ToolError::new(format!("has {} bytes", text.len()))
        .of(ErrorKind::TooLarge)
        .with_hint(format!("at most {bytes_max} are accepted"))
}
