//! YAML: check, parse to values, format, and write from values.
//!
//! Standard: YAML 1.2.2 with its core schema (§10.3), for text that is already Unicode, and the
//! merge key `<<` of YAML 1.1 (yaml.org/type/merge). So `no`, `on`, `12:30`, `0b101`, `1_000` and
//! `2001-12-14` are strings, `0o17` is 15 and `+12` is 12. There is one deviation: an integer with
//! leading zeros, such as `007`, is a string, with a warning.
//!
//! How a stream of documents and [`Node`]s correspond:
//!
//! | YAML | Node |
//! |---|---|
//! | a document; no document at all | one value; null |
//! | a scalar | null, a boolean, a number with its digits, or a string |
//! | a sequence, a mapping | an array, an object in the same order |
//! | an alias, a merge key | the value it refers to |
//! | a key that is a scalar but no string | its text |
//! | a key that is a collection; `.inf`, `.nan` | refused |
//! | a tag of the core schema | decides what a scalar is, or is refused |
//! | another tag, a comment | left out with a warning; under a tag a scalar is a string |
//!
//! Keys are unique. The number of nodes that the aliases of a stream expand to, and the resulting
//! depth, are known before anything is built, so a small text cannot become a large value.
//!
//! Strings are written so that YAML 1.1 and 1.2 parsers read the same strings: quoted where either
//! would not, and as a literal block if they have several lines. Numbers are written unchanged. A
//! YAML 1.1 parser reads `1e3`, without a point, as a string.
//!
//! Formatting keeps everything but white space: comments (in block style), anchors, tags,
//! directives, and each scalar as written, so the meaning stays the same for any parser, even with
//! another schema. It refuses documents without a meaning: a repeated key, and an alias that is
//! undefined, contains itself or expands to too much.

#![expect(
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "offsets come from the same text or list, and lie between its characters"
)]

mod ambiguous;
mod block;
mod block_scalar;
mod compose;
mod construct;
mod controls;
mod diagnose;
mod errors;
mod flow;
mod keys;
mod mapping;
mod notes;
mod number;
mod quote;
mod represent;
mod schema;
mod strict;
mod tree;
mod value;

use self::controls::with_controls;
use self::tree::Tree;
use crate::error::ToolError;
pub use crate::layout::{Indent, Layout, Options};
use crate::node::Node;
use crate::text::without_byte_order_mark;
use crate::warnings::{WarningKind, Warnings};

/// Range of indentations per level, in spaces. Other values are clamped.
const INDENT_MIN: usize = 1;
const INDENT_MAX: usize = 8;
/// Indentation if tabs are requested, which YAML does not allow.
const TAB_SPACES: usize = 2;

/// Checks that text is YAML, and that no mapping repeats a key.
///
/// ```
/// use toolkit_core::{Warnings, yaml};
///
/// assert!(yaml::check("a: [1, 2]", &mut Warnings::new()).is_ok());
/// assert!(yaml::check("a: [1, 2", &mut Warnings::new()).is_err());
/// ```
///
/// # Errors
///
/// Says what is not YAML or has no meaning, with its line and column.
pub fn check(text: &str, warnings: &mut Warnings) -> Result<(), ToolError> {
    let text = without_byte_order_mark(text, warnings);
    with_controls(text, |text| checked(text, warnings).map(drop), |(), _| ())
}

/// Parses text as one value: several documents become the items of one array, with a warning.
///
/// ```
/// use toolkit_core::{Node, Warnings, yaml};
///
/// let mut warnings = Warnings::new();
/// assert_eq!(yaml::parse("on", &mut warnings)?, Node::Text("on".to_owned()));
/// assert!(warnings.is_empty());
/// assert_eq!(yaml::parse("--- 1\n--- 2", &mut warnings)?.as_array().map(<[Node]>::len), Some(2));
/// assert!(!warnings.is_empty());
/// # Ok::<(), toolkit_core::ToolError>(())
/// ```
///
/// # Errors
///
/// As [`parse_documents`].
pub fn parse(text: &str, warnings: &mut Warnings) -> Result<Node, ToolError> {
    let mut documents = parse_documents(text, warnings)?;
    if documents.len() > 1 {
        let count = documents.len();
        warnings.add(
            WarningKind::Changed,
            format!("The {count} documents became the items of one array."),
        );
        return Ok(Node::Array(documents));
    }
    Ok(documents.pop().unwrap_or(Node::Null))
}

/// Parses a stream of documents, with one value for each.
///
/// ```
/// use toolkit_core::{Node, Warnings, yaml};
///
/// let mut warnings = Warnings::new();
/// let documents = yaml::parse_documents("on: 0o17 # fifteen\n---\n- no\n", &mut warnings)?;
/// let number = Node::from(15);
/// let object = Node::Object(vec![("on".to_owned(), number)]);
/// let array = Node::Array(vec![Node::Text("no".to_owned())]);
/// assert_eq!(documents, [object, array]);
/// assert_eq!(warnings.sentences(), ["Comments were left out."]);
///
/// let error = yaml::parse_documents("a: 1\na: 2\n", &mut warnings).unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "line 2, column 1: the input repeats the key `a` of line 1. Rename or remove one of them.",
/// );
/// # Ok::<(), toolkit_core::ToolError>(())
/// ```
///
/// # Errors
///
/// Says what is not YAML, what has no JSON equivalent, or what is too deep or too large after
/// expanding aliases, with its line and column.
pub fn parse_documents(text: &str, warnings: &mut Warnings) -> Result<Vec<Node>, ToolError> {
    let text = without_byte_order_mark(text, warnings);
    #[cfg(feature = "json")]
    if let Some(value) = as_json(text) {
        return Ok(vec![value]);
    }
    let work = |text: &str| {
        let tree = compose::compose(text, warnings)?;
        construct::construct(&tree, warnings)
    };
    let documents = with_controls(text, work, |documents: &mut Vec<Node>, substitutes| {
        for document in documents {
            substitutes.restore(document);
        }
    })?;
    if documents.is_empty() {
        return Ok(vec![Node::Null]);
    }
    Ok(documents)
}

/// The value of text that is JSON, which means the same as YAML and is read eight times as fast.
/// Everything that JSON refuses, including repeated names, is left to YAML.
#[cfg(feature = "json")]
fn as_json(text: &str) -> Option<Node> {
    let may_be_json = text.starts_with(['{', '[']);
    may_be_json.then(|| crate::json::parse(text, &mut Warnings::new()).ok())?
}

/// Writes a value as a document: in block style, or minified in flow style without a line break at
/// the end.
///
/// ```
/// use toolkit_core::{Layout, Node, yaml};
///
/// let text = |text: &str| Node::Text(text.to_owned());
/// let items = Node::Array(vec![text("no"), text("two\nlines\n")]);
/// let node = Node::Object(vec![("a".to_owned(), items)]);
/// let pretty = yaml::write(&node, Layout::spaces(2))?;
/// assert_eq!(pretty, "a:\n  - \"no\"\n  - |\n    two\n    lines\n");
/// assert_eq!(yaml::write(&node, Layout::Minified)?, "{a: [\"no\",\"two\\nlines\\n\"]}");
/// # Ok::<(), toolkit_core::ToolError>(())
/// ```
///
/// # Errors
///
/// Refuses values that nest too deeply, and a result longer than the options allow.
pub fn write(value: &Node, options: impl Into<Options>) -> Result<String, ToolError> {
    write_documents(std::slice::from_ref(value), options)
}

/// Writes values as documents, with `---` between them.
///
/// ```
/// use toolkit_core::{Layout, Node, yaml};
///
/// let documents = [Node::Null, Node::Bool(true)];
/// assert_eq!(yaml::write_documents(&documents, Layout::Minified)?, "null\n--- true");
/// # Ok::<(), toolkit_core::ToolError>(())
/// ```
///
/// # Errors
///
/// As [`write()`].
pub fn write_documents(
    documents: &[Node],
    options: impl Into<Options>,
) -> Result<String, ToolError> {
    let tree = represent::represent(documents)?;
    present(&tree, "", options.into())
}

/// Formats a stream of documents in another layout: in block style, one entry per line, or minified
/// in flow style, one document per line.
///
/// When minified, comments are left out with a warning, and directives remain on separate lines.
///
/// ```
/// use toolkit_core::{Layout, Warnings, yaml};
///
/// let mut warnings = Warnings::new();
/// let text = "base: &b {on: yes} # kept\nuse: [*b, 'x']\n";
/// assert_eq!(
///     yaml::format(text, Layout::spaces(2), &mut warnings)?,
///     "base: &b\n  on: yes # kept\nuse:\n  - *b\n  - 'x'\n",
/// );
/// assert_eq!(
///     yaml::format(text, Layout::Minified, &mut warnings)?,
///     "{base: &b {on: yes},use: [*b,'x']}",
/// );
/// # Ok::<(), toolkit_core::ToolError>(())
/// ```
///
/// # Errors
///
/// Says what is not YAML or has no meaning, with its line and column, or that the result is longer
/// than the options allow.
pub fn format(
    text: &str,
    options: impl Into<Options>,
    warnings: &mut Warnings,
) -> Result<String, ToolError> {
    let options = options.into();
    let text = without_byte_order_mark(text, warnings);
    let work = |text: &str| {
        let tree = checked(text, warnings)?;
        if options.layout == Layout::Minified && !tree.comments.is_empty() {
            warnings.add(WarningKind::Dropped, notes::COMMENTS);
        }
        present(&tree, text, options)
    };
    with_controls(text, work, |result, substitutes| substitutes.restore_text(result))
}

fn present(tree: &Tree<'_>, text: &str, options: Options) -> Result<String, ToolError> {
    let indent = match options.layout.indentation() {
        None => return flow::present(tree, text, options.result_bytes),
        Some((b'\t', _)) => TAB_SPACES,
        Some((_, count)) => count.clamp(INDENT_MIN, INDENT_MAX),
    };
    block::present(tree, text, indent, options.result_bytes)
}

/// Composes a stream for another layout: its keys are compared as YAML compares them.
fn checked<'a>(text: &'a str, warnings: &mut Warnings) -> Result<Tree<'a>, ToolError> {
    let tree = compose::compose(text, warnings)?;
    keys::check_unique(&tree)?;
    Ok(tree)
}
