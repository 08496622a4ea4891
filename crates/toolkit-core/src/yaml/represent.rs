//! Representer: from values to [`Tree`].

use std::borrow::Cow;

use super::errors;
use super::tree::{Content, Document, Place, Style, Tree, Vertex};
use crate::error::ToolError;
use crate::limits::NESTING_MAX;
use crate::node::Node;

/// Creates one document for each value.
pub(super) fn represent(documents: &[Node]) -> Result<Tree<'_>, ToolError> {
    let mut tree = Tree::default();
    for node in documents {
        tree.documents.push(Document { root: tree.vertices.len(), ..Document::default() });
        represent_node(&mut tree, node, 0)?;
    }
    Ok(tree)
}

/// Recursive, like dropping and comparing a [`Node`].
fn represent_node<'a>(tree: &mut Tree<'a>, node: &'a Node, depth: usize) -> Result<(), ToolError> {
    let index = tree.vertices.len();
    match node {
        Node::Null => scalar(tree, "null", Style::Plain),
        Node::Bool(true) => scalar(tree, "true", Style::Plain),
        Node::Bool(false) => scalar(tree, "false", Style::Plain),
        Node::Number(number) => scalar(tree, number.as_str(), Style::Plain),
        Node::Text(text) => scalar(tree, text, Style::Free),
        Node::Array(_) | Node::Object(_) if depth == NESTING_MAX => {
            return Err(errors::of_nesting());
        }
        Node::Array(items) => {
            push(tree, Content::Sequence { end: 0, is_flow: false });
            for item in items {
                represent_node(tree, item, depth + 1)?;
            }
            tree.end_collection(index);
        }
        Node::Object(members) => {
            push(tree, Content::Mapping { end: 0 });
            for (name, value) in members {
                scalar(tree, name, Style::Free);
                represent_node(tree, value, depth + 1)?;
            }
            tree.end_collection(index);
        }
    }
    Ok(())
}

fn scalar<'a>(tree: &mut Tree<'a>, text: &'a str, style: Style) {
    let text = Cow::Borrowed(text);
    push(tree, Content::Scalar { text, style });
}

fn push<'a>(tree: &mut Tree<'a>, content: Content<'a>) {
    tree.vertices.push(Vertex { content, properties: None, place: Place::default() });
}
