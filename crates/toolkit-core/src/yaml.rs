//! yaml

mod ambiguous;
mod block;
mod compose;
mod construct;
mod flow;
mod keys;
mod lines;
mod mapping;
mod notes;
mod number;
mod quote;
mod refusal;
mod represent;
mod schema;
mod tree;

use crate::error::ToolError;
use crate::node::Node;
use crate::warnings::Warnings;

/// Reads a stream of documents as values, for another format.
///
/// # Errors
///
/// x
pub fn parse(text: &str, warnings: &mut Warnings) -> Result<Vec<Node>, ToolError> {
    let tree = compose::compose(without_mark(text, warnings), warnings)?;
    let documents = construct::construct(&tree, warnings)?;
    Ok(if documents.is_empty() {
        vec![Node::Null]
    } else {
        documents
    })
}

/// Writes values as documents in block style.
///
/// # Errors
///
/// x
pub fn write(documents: &[Node], indent: usize) -> Result<String, ToolError> {
    block::present(&represent::represent(documents), "", indent.clamp(1, 8))
}

/// Writes values as documents in flow style, one line each.
///
/// # Errors
///
/// x
pub fn write_minified(documents: &[Node]) -> Result<String, ToolError> {
    flow::present(&represent::represent(documents), "")
}

/// Lays out.
///
/// # Errors
///
/// x
pub fn pretty(text: &str, indent: usize, warnings: &mut Warnings) -> Result<String, ToolError> {
    let text = without_mark(text, warnings);
    let tree = compose::compose(text, warnings)?;
    keys::check_unique(&tree)?;
    block::present(&tree, text, indent.clamp(1, 8))
}

/// Minifies
///
/// # Errors
///
/// x
pub fn minify(text: &str, warnings: &mut Warnings) -> Result<String, ToolError> {
    let text = without_mark(text, warnings);
    let tree = compose::compose(text, warnings)?;
    keys::check_unique(&tree)?;
    if !tree.comments.is_empty() {
        warnings.push("Comments were left out.");
    }
    flow::present(&tree, text)
}

fn without_mark<'a>(text: &'a str, warnings: &mut Warnings) -> &'a str {
    let Some(rest) = text.strip_prefix('\u{FEFF}') else {
        return text;
    };
    warnings.push("A byte order mark at the start was dropped.");
    rest
}
