//! YAML: read as the values of JSON, written from them, and laid out anew.
//!
//! Standard: YAML 1.2.2 with its core schema (§10.3), for a text that is Unicode already, and the
//! merge key `<<` of YAML 1.1 (yaml.org/type/merge). So `no`, `on`, `12:30`, `0b101`, `1_000` and
//! `2001-12-14` are strings, `0o17` is 15 and `+12` is 12. One thing is read otherwise: a whole number
//! with leading zeros, such as `007`, is a string, and a warning says so.
//!
//! How a stream of documents and [`Node`]s correspond:
//!
//! | YAML | Node |
//! |---|---|
//! | a document; no document at all | one value; null |
//! | a scalar | null, a boolean, a number with its digits, or a string |
//! | a sequence, a mapping | an array, an object in the same order |
//! | an alias, a merge key | what it stands for |
//! | a key that is a scalar but no string | its text |
//! | a key that is a collection; `.inf`, `.nan` | refused |
//! | a tag of the core schema | decides what a scalar is, or is refused |
//! | another tag, a comment | left out with a warning; under a tag a scalar is a string |
//!
//! Keys are unique. What the aliases of a stream stand for in all, and how deep it is behind them, is
//! known before anything is built, so that a small text cannot become a large value.
//!
//! Strings are written so that readers of YAML 1.1 and of 1.2 take them for the same strings: quoted
//! where either would not, and as a literal block where they have several lines. Numbers are
//! written as they are; a reader of YAML 1.1 takes `1e3`, without a point, for a string.
//!
//! A layout of YAML as YAML keeps everything but white space: comments (in block style), anchors,
//! tags, directives, and each scalar as it was written, so that it means the same to any reader, also
//! to one with another schema. It refuses what has no meaning: a key that stands twice, an alias
//! of nothing, of itself or of too much.

mod ambiguous;
mod block;
mod block_scalar;
mod compose;
mod construct;
mod defect;
mod flow;
mod keys;
mod mapping;
mod notes;
mod number;
mod quote;
mod refusal;
mod represent;
mod schema;
mod tree;

use self::tree::Tree;
use crate::error::ToolError;
use crate::node::Node;
use crate::warnings::Warnings;

/// The indentations that [`write()`] and [`pretty`] take; others are taken as the nearest of them.
const INDENT_MIN: usize = 1;
const INDENT_MAX: usize = 8;

/// Reads a stream of documents: one value for each.
///
/// ```
/// use toolkit_core::{Node, Warnings, yaml};
///
/// let mut warnings = Warnings::new();
/// let documents = yaml::parse("on: 0o17 # fifteen\n---\n- no\n", &mut warnings)?;
/// let number = Node::Number("15".to_owned());
/// let object = Node::Object(vec![("on".to_owned(), number)]);
/// let array = Node::Array(vec![Node::Text("no".to_owned())]);
/// assert_eq!(documents, [object, array]);
/// assert_eq!(warnings.sentences(), ["Comments were left out."]);
///
/// let error = yaml::parse("a: 1\na: 2\n", &mut warnings).unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "The input repeats the key `a` of line 1 at line 2, column 1.",
/// );
/// # Ok::<(), toolkit_core::ToolError>(())
/// ```
///
/// # Errors
///
/// Says what is not YAML, what has no counterpart among the values of JSON, or what is too deep or too
/// much behind aliases, with its line and column.
pub fn parse(text: &str, warnings: &mut Warnings) -> Result<Vec<Node>, ToolError> {
    let text = without_byte_order_mark(text, warnings);
    let tree = compose::compose(text, warnings)?;
    let documents = construct::construct(&tree, warnings)?;
    if documents.is_empty() {
        return Ok(vec![Node::Null]);
    }
    Ok(documents)
}

/// Writes values as documents in block style, with `---` between them.
///
/// `indent` is the number of spaces for each level, from 1 to 8.
///
/// ```
/// use toolkit_core::{Node, yaml};
///
/// let text = |text: &str| Node::Text(text.to_owned());
/// let items = Node::Array(vec![text("no"), text("two\nlines\n")]);
/// let node = Node::Object(vec![("a".to_owned(), items)]);
/// assert_eq!(yaml::write(&[node], 2)?, "a:\n  - \"no\"\n  - |\n    two\n    lines\n");
/// # Ok::<(), toolkit_core::ToolError>(())
/// ```
///
/// # Errors
///
/// Refuses values that nest too deep, and a result of over
/// [`RESULT_BYTES_MAX`](crate::limits::RESULT_BYTES_MAX).
pub fn write(documents: &[Node], indent: usize) -> Result<String, ToolError> {
    let tree = represent::represent(documents)?;
    block::present(&tree, "", indent.clamp(INDENT_MIN, INDENT_MAX))
}

/// Writes values as documents in flow style, one line each, without a break behind the last.
///
/// ```
/// use toolkit_core::{Node, yaml};
///
/// let items = Node::Array(vec![Node::Null, Node::Text("null".to_owned())]);
/// let node = Node::Object(vec![("a".to_owned(), items)]);
/// assert_eq!(yaml::write_minified(&[node, Node::Bool(true)])?, "{a: [null,\"null\"]}\n--- true");
/// # Ok::<(), toolkit_core::ToolError>(())
/// ```
///
/// # Errors
///
/// Refuses values that nest too deep, and a result of over
/// [`RESULT_BYTES_MAX`](crate::limits::RESULT_BYTES_MAX).
pub fn write_minified(documents: &[Node]) -> Result<String, ToolError> {
    let tree = represent::represent(documents)?;
    flow::present(&tree, "")
}

/// Lays a stream of documents out in block style, one entry a line.
///
/// `indent` is the number of spaces for each level, from 1 to 8.
///
/// ```
/// use toolkit_core::{Warnings, yaml};
///
/// let text = "base: &b {on: yes} # kept\nuse: [*b, 'x']\n";
/// assert_eq!(
///     yaml::pretty(text, 2, &mut Warnings::new())?,
///     "base: &b\n  on: yes # kept\nuse:\n  - *b\n  - 'x'\n",
/// );
/// # Ok::<(), toolkit_core::ToolError>(())
/// ```
///
/// # Errors
///
/// Says what is not YAML or has no meaning, with its line and column, or that the result is over
/// [`RESULT_BYTES_MAX`](crate::limits::RESULT_BYTES_MAX).
pub fn pretty(text: &str, indent: usize, warnings: &mut Warnings) -> Result<String, ToolError> {
    let text = without_byte_order_mark(text, warnings);
    let tree = checked(text, warnings)?;
    block::present(&tree, text, indent.clamp(INDENT_MIN, INDENT_MAX))
}

/// Lays a stream of documents out in flow style, one line each, without a break behind the last.
///
/// Comments are left out with a warning; directives keep lines of their own.
///
/// ```
/// use toolkit_core::{Warnings, yaml};
///
/// let text = "base: &b\n  on: yes\nuse:\n  - *b\n---\nnext\n";
/// assert_eq!(
///     yaml::minify(text, &mut Warnings::new())?,
///     "{base: &b {on: yes},use: [*b]}\n--- next",
/// );
/// # Ok::<(), toolkit_core::ToolError>(())
/// ```
///
/// # Errors
///
/// Says what is not YAML or has no meaning, with its line and column.
pub fn minify(text: &str, warnings: &mut Warnings) -> Result<String, ToolError> {
    let text = without_byte_order_mark(text, warnings);
    let tree = checked(text, warnings)?;
    if !tree.comments.is_empty() {
        warnings.push(notes::COMMENTS);
    }
    flow::present(&tree, text)
}

/// Composes a stream for another layout: its keys are compared as YAML compares them.
fn checked<'a>(text: &'a str, warnings: &mut Warnings) -> Result<Tree<'a>, ToolError> {
    let tree = compose::compose(text, warnings)?;
    keys::check_unique(&tree)?;
    Ok(tree)
}

fn without_byte_order_mark<'a>(text: &'a str, warnings: &mut Warnings) -> &'a str {
    let Some(text) = text.strip_prefix('\u{FEFF}') else {
        return text;
    };
    warnings.push("The byte order mark at the start was dropped.");
    text
}
