//! The value of a document between two formats.

/// A value of JSON, YAML or XML on its way to another format.
///
/// Numbers keep their digits as JSON text and objects keep the order of their members, so that a
/// conversion changes neither. Readers bound the nesting by
/// [`NESTING_MAX`](crate::limits::NESTING_MAX), so that a walk, and the drop, stay on the stack.
#[derive(Debug, Clone, PartialEq)]
pub enum Node {
    /// No value.
    Null,
    /// A truth value.
    Bool(bool),
    /// The number as JSON text: `-0`, `1.10` and thirty digits stay as they are.
    Number(String),
    /// A text.
    Text(String),
    /// Values in order.
    Array(Vec<Self>),
    /// Members in order; the readers refuse or warn about repeated names.
    Object(Vec<(String, Self)>),
}
