//! Limits of a stream of documents.

use crate::limits::{RESULT_BYTES_MAX, YAML_ALIASED_NODES_MAX};

/// Limits on a stream and its expansion; `usize::MAX` means no limit.
///
/// Nesting is always bounded by [`NESTING_MAX`](crate::limits::NESTING_MAX), so that traversals
/// cannot overflow the stack.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Limits {
    /// Maximum length of a result, and of the expansion of all aliases, in bytes.
    pub result_bytes: usize,
    /// Maximum number of values that the aliases expand to.
    pub aliased_nodes: usize,
}

impl Limits {
    /// No limits: only for trusted input, as a few lines of aliases can expand to more values than
    /// fit in memory.
    pub const NONE: Self = Self {
        result_bytes: usize::MAX,
        aliased_nodes: usize::MAX,
    };

    /// Sets the maximum length of a result, and of the expansion of aliases, in bytes.
    #[must_use]
    pub const fn result_bytes(mut self, bytes: usize) -> Self {
        self.result_bytes = bytes;
        self
    }

    /// Sets the maximum number of values that aliases expand to.
    #[must_use]
    pub const fn aliased_nodes(mut self, nodes: usize) -> Self {
        self.aliased_nodes = nodes;
        self
    }
}

impl Default for Limits {
    /// [`RESULT_BYTES_MAX`] and [`YAML_ALIASED_NODES_MAX`].
    fn default() -> Self {
        Self {
            result_bytes: RESULT_BYTES_MAX,
            aliased_nodes: YAML_ALIASED_NODES_MAX,
        }
    }
}
