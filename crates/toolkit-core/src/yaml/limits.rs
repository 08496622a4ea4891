//! Limits of a stream of documents.

use crate::limits::{RESULT_BYTES_MAX, YAML_ALIASED_NODES_MAX};

/// What a stream may stand for and become; `usize::MAX` stands for any number.
///
/// Nesting is always bounded by [`NESTING_MAX`](crate::limits::NESTING_MAX), which keeps every walk
/// on the stack.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Limits {
    /// Bytes of a result, and of what the aliases of a stream stand for in all.
    pub result_bytes: usize,
    /// Values that the aliases of a stream stand for in all.
    pub aliased_nodes: usize,
}

impl Limits {
    /// No bound at all: only for texts whose author is trusted, as a few lines of aliases can stand
    /// for more values than there is memory.
    pub const NONE: Self = Self {
        result_bytes: usize::MAX,
        aliased_nodes: usize::MAX,
    };

    /// Sets the bytes of a result, and of what aliases stand for.
    #[must_use]
    pub const fn result_bytes(mut self, bytes: usize) -> Self {
        self.result_bytes = bytes;
        self
    }

    /// Sets the values that aliases stand for.
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
