//! Flow style writer: from [`Tree`] to text, one line per document (YAML 1.2.2 §7).
//!
//! Anchors, aliases, tags and directives are kept. Comments are lost.

use super::errors;
use super::quote::{self, Context};
use super::tree::{Content, Document, Style, Tree, Vertex};
use crate::error::ToolError;

/// Writes all documents. `text` is the source of the tree, or empty.
pub(super) fn present(tree: &Tree<'_>, text: &str, bytes_max: usize) -> Result<String, ToolError> {
    let mut flow = Flow { tree, text, out: String::with_capacity(text.len()), open: Vec::new() };
    for (number, document) in tree.documents.iter().enumerate() {
        flow.begin_document(number, document);
        for index in document.root..tree.after(document.root) {
            flow.node(index);
        }
        flow.close(usize::MAX);
    }
    errors::check_size(&flow.out, bytes_max)?;
    Ok(flow.out)
}

struct Flow<'t, 'a> {
    tree: &'t Tree<'a>,
    text: &'t str,
    out: String,
    open: Vec<Open>,
}

/// An open collection.
struct Open {
    /// Index of its first node, and the one after its last.
    first: usize,
    end: usize,
    bracket: char,
    /// Whether the next node is a key. Always false in a sequence.
    is_key_next: bool,
}

impl Flow<'_, '_> {
    fn begin_document(&mut self, number: usize, document: &Document<'_>) {
        if number > 0 {
            self.out.push('\n');
        }
        if number > 0 && !document.directives.is_empty() {
            self.out.push_str("...\n");
        }
        for directive in &document.directives {
            self.out.extend([directive, "\n"]);
        }
        if number > 0 || !document.directives.is_empty() {
            self.out.push_str("--- ");
        }
    }

    fn node(&mut self, index: usize) {
        self.close(index);
        let mut is_key = false;
        if let Some(top) = self.open.last_mut() {
            is_key = top.is_key_next;
            let is_value = top.bracket == '}' && !is_key;
            top.is_key_next = is_value;
            if is_value {
                self.out.push_str(": ");
            } else if index > top.first {
                self.out.push(',');
            }
        }
        let vertex = &self.tree.vertices[index];
        if is_key && self.tree.is_filled(index) {
            self.out.push_str("? ");
        }
        let start = self.out.len();
        self.properties(vertex);
        match &vertex.content {
            Content::Sequence { end, .. } => self.open(index, *end, ['[', ']']),
            Content::Mapping { end } => self.open(index, *end, ['{', '}']),
            Content::Alias { target } => {
                self.out.extend(["*", self.tree.alias_name(*target)]);
            }
            Content::Scalar { text, style } => self.scalar(vertex, text, *style),
        }
        if is_key {
            self.end_key(vertex, start);
        }
    }

    fn scalar(&mut self, vertex: &Vertex<'_>, text: &str, style: Style) {
        if style == Style::Empty {
            // With a tag, an empty scalar means the same in quotes.
            let is_tagged = vertex.tag().is_some();
            self.out.push_str(if is_tagged { "''" } else { "null" });
            return;
        }
        let source = vertex.place.slice(self.text);
        quote::push_scalar(&mut self.out, text, style, source, Context::Flow);
    }

    fn properties(&mut self, vertex: &Vertex<'_>) {
        let Some(properties) = &vertex.properties else {
            return;
        };
        if let Some(anchor) = &properties.anchor {
            self.out.extend(["&", anchor, " "]);
        }
        if let Some(tag) = properties.tag {
            self.out.extend([tag.written, " "]);
        }
    }

    /// Marks a key with a `?` or a space where its colon alone would not suffice.
    fn end_key(&mut self, vertex: &Vertex<'_>, start: usize) {
        let is_long = !quote::is_simple_key(&self.out[start..]);
        match vertex.content {
            // A colon right after a name would be part of it.
            Content::Alias { .. } => self.out.push(' '),
            Content::Scalar { .. } if is_long => self.out.insert_str(start, "? "),
            _ => {}
        }
    }

    fn open(&mut self, index: usize, end: usize, brackets: [char; 2]) {
        let [opening, closing] = brackets;
        self.out.push(opening);
        self.open.push(Open {
            first: index + 1,
            end,
            bracket: closing,
            is_key_next: closing == '}',
        });
    }

    /// Closes the collections that do not contain a node.
    fn close(&mut self, index: usize) {
        while let Some(top) = self.open.pop_if(|top| top.end <= index) {
            self.out.push(top.bracket);
        }
    }
}
