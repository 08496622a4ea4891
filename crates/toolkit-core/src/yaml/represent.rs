//! From values to [`Tree`]: strings of no style yet, everything else plain.

use std::borrow::Cow;

use super::tree::{Content, Document, Place, Style, Tree, Vertex};
use crate::node::Node;

/// Represents one document for each value.
pub(super) fn represent(documents: &[Node]) -> Tree<'_> {
    let mut tree = Tree::default();
    for node in documents {
        tree.documents.push(Document {
            root: tree.vertices.len(),
            explicit: false,
            directives: Vec::new(),
            is_old: false,
            start: 0,
            end: 0,
        });
        represent_node(&mut tree, node);
    }
    tree
}

/// Walks down by recursion, as whatever a [`Node`] is dropped or compared with does.
fn represent_node<'a>(tree: &mut Tree<'a>, node: &'a Node) {
    match node {
        Node::Null => scalar(tree, "null", Style::Plain),
        Node::Bool(true) => scalar(tree, "true", Style::Plain),
        Node::Bool(false) => scalar(tree, "false", Style::Plain),
        Node::Number(digits) => scalar(tree, digits, Style::Plain),
        Node::Text(text) => scalar(tree, text, Style::Free),
        Node::Array(items) => {
            let index = push(
                tree,
                Content::Sequence {
                    end: 0,
                    is_flow: false,
                },
            );
            for item in items {
                represent_node(tree, item);
            }
            let end = tree.vertices.len();
            set_content(
                tree,
                index,
                Content::Sequence {
                    end,
                    is_flow: false,
                },
            );
        }
        Node::Object(members) => {
            let index = push(tree, Content::Mapping { end: 0 });
            for (name, value) in members {
                scalar(tree, name, Style::Free);
                represent_node(tree, value);
            }
            let end = tree.vertices.len();
            set_content(tree, index, Content::Mapping { end });
        }
    }
}

fn scalar<'a>(tree: &mut Tree<'a>, text: &'a str, style: Style) {
    let text = Cow::Borrowed(text);
    push(tree, Content::Scalar { text, style });
}

fn push<'a>(tree: &mut Tree<'a>, content: Content<'a>) -> usize {
    tree.vertices.push(Vertex {
        content,
        properties: 0,
        place: Place::default(),
    });
    tree.vertices.len() - 1
}

fn set_content<'a>(tree: &mut Tree<'a>, index: usize, content: Content<'a>) {
    if let Some(vertex) = tree.vertices.get_mut(index) {
        vertex.content = content;
    }
}
