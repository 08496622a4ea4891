//! Block style writer: from [`Tree`] to text, one entry per line (YAML 1.2.2 §8).
//!
//! Kept as written: comments, anchors, tags, directives, quotes, blank lines between entries.
//! Indentation is new, flow collections become block ones, and a scalar is on one line unless it is
//! a block scalar.

mod comments;
mod scalar;

use super::errors;
use super::quote;
use super::tree::{Content, Document, Style, Tree};
use crate::error::ToolError;

/// Width of the indicator of an item (`- `) or an explicit key (`? `), which is also the
/// indentation of content that begins on the same line.
const INDICATOR_COLUMNS: usize = 2;

/// Writes all documents. `text` is the source of the tree, or empty.
pub(super) fn present(
    tree: &Tree<'_>,
    text: &str,
    indent: usize,
    bytes_max: usize,
) -> Result<String, ToolError> {
    let mut block = Block {
        tree,
        text,
        indent,
        bytes_max,
        out: String::with_capacity(text.len() + text.len() / 4),
        open: Vec::new(),
        closed: Vec::new(),
        comments: 0,
        line: Line::Fresh,
        source_line: 0,
    };
    for (number, document) in tree.documents.iter().enumerate() {
        block.document(number, document)?;
    }
    block.remaining_comments(usize::MAX, 0);
    if !block.out.is_empty() {
        block.out.push('\n');
    }
    errors::check_size(&block.out, bytes_max)?;
    Ok(block.out)
}

struct Block<'t, 'a> {
    tree: &'t Tree<'a>,
    text: &'t str,
    indent: usize,
    bytes_max: usize,
    /// Ends without a line break: each line writes the one before it.
    out: String,
    /// The collections around the current node, outermost first.
    open: Vec<Open>,
    /// Collections that ended before the current node, innermost first.
    closed: Vec<Open>,
    /// Number of comments written.
    comments: usize,
    line: Line,
    /// Line of the source that was written last.
    source_line: u32,
}

#[derive(Debug, Clone, Copy)]
struct Open {
    /// Index of its first node, and the one after its last.
    first: usize,
    end: usize,
    /// Column of its entries.
    column: usize,
    /// Column of its entries in the source.
    source_column: u32,
    /// Whether its first entry continues the line of the indicator before it.
    continues_line: bool,
    turn: Turn,
}

/// Position of the next node in a collection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Turn {
    Item,
    Key,
    /// After a key and its colon, on the same line.
    Value,
    /// After a key that began with `?`.
    ExplicitValue,
}

/// State of the line that is being written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Line {
    /// Only indentation.
    Fresh,
    Content,
    Comment,
    /// The last line of a block scalar, which nothing can follow.
    BlockScalar,
    /// The same, and it is blank: another blank line could be read as content too.
    BlankEnd,
}

/// Position of a node after an indicator.
#[derive(Debug, Clone, Copy)]
struct Spot {
    /// Column of the node, if it does not begin on the same line, or of its entries.
    column: usize,
    /// Column of the entries that it belongs to. `None` for a root.
    parent: Option<usize>,
    /// Whether entries can begin on the line of the indicator.
    compact: bool,
}

impl<'a> Block<'_, 'a> {
    fn document(&mut self, number: usize, document: &Document<'a>) -> Result<(), ToolError> {
        let root = document.root;
        let end = self.tree.after(root);
        if number > 0 && !document.directives.is_empty() {
            self.new_line(0);
            self.word("...");
        }
        self.remaining_comments(document.start, 0);
        for directive in &document.directives {
            self.new_line(0);
            self.word(directive);
        }
        if number > 0 || document.explicit || self.needs_marker(root) {
            self.new_line(0);
            self.word("---");
        }
        for index in root..end {
            self.node(index)?;
            errors::check_size(&self.out, self.bytes_max)?;
        }
        self.close(end);
        self.remaining_comments(document.end, 0);
        Ok(())
    }

    /// Whether a `---` is needed to separate a root from its entries, or to show that it is there.
    fn needs_marker(&self, root: usize) -> bool {
        let root = &self.tree.vertices[root];
        root.properties.is_some() || root.style() == Some(Style::Empty)
    }

    fn node(&mut self, index: usize) -> Result<(), ToolError> {
        self.close(index);
        let Some(top) = self.open.last_mut() else {
            return self.root(index);
        };
        let Open { column, turn, .. } = *top;
        top.turn = match turn {
            Turn::Item => Turn::Item,
            Turn::Key => Turn::Value,
            Turn::Value | Turn::ExplicitValue => Turn::Key,
        };
        let follows_key = turn == Turn::Value;
        let width = if follows_key { self.indent } else { INDICATOR_COLUMNS };
        let spot = Spot { column: column + width, parent: Some(column), compact: !follows_key };
        match turn {
            Turn::Item => {
                self.begin_entry(index, turn);
                self.word("-");
            }
            Turn::Key => {
                self.begin_entry(index, turn);
                if self.simple_key(index, spot) {
                    return Ok(());
                }
                if let Some(top) = self.open.last_mut() {
                    top.turn = Turn::ExplicitValue;
                }
                self.word("?");
            }
            Turn::Value => {}
            Turn::ExplicitValue => {
                self.comments_before(index, turn, column);
                self.new_line(column);
                self.word(":");
            }
        }
        self.content(index, spot)
    }

    fn root(&mut self, index: usize) -> Result<(), ToolError> {
        let is_marked = self.line == Line::Content;
        if !is_marked && !self.tree.is_filled(index) {
            self.new_line(0);
        }
        let spot = Spot { column: 0, parent: None, compact: false };
        self.content(index, spot)
    }

    /// Moves to where an entry begins, writing the comments before it.
    fn begin_entry(&mut self, index: usize, turn: Turn) {
        let Some(top) = self.open.last_mut() else {
            return;
        };
        let Open { first, column, continues_line, .. } = *top;
        top.continues_line = false;
        let has_comments = self.comments_before(index, turn, column);
        if continues_line && !has_comments {
            return;
        }
        if index > first || self.line == Line::Comment {
            self.blank_line_above_entry(index);
        }
        self.new_line(column);
    }

    /// Writes the content after an indicator: a scalar, or the beginning of a collection.
    fn content(&mut self, index: usize, spot: Spot) -> Result<(), ToolError> {
        let has_properties = self.properties(index);
        let comments = self.take_comments(index);
        if !self.tree.is_filled(index) {
            return self.leaf(index, spot, comments);
        }
        for comment in comments {
            self.comment_after_indicator(comment, spot.column);
        }
        let vertex = &self.tree.vertices[index];
        self.open.push(Open {
            first: index + 1,
            end: self.tree.after(index),
            column: spot.column,
            source_column: vertex.place.column,
            continues_line: spot.compact && !has_properties && comments.is_empty(),
            turn: match vertex.content {
                Content::Mapping { .. } => Turn::Key,
                _ => Turn::Item,
            },
        });
        Ok(())
    }

    /// Writes anchor and tag, if there are any.
    fn properties(&mut self, index: usize) -> bool {
        let Some(properties) = &self.tree.vertices[index].properties else {
            return false;
        };
        if let Some(anchor) = &properties.anchor {
            self.word("&");
            self.out.push_str(anchor);
        }
        if let Some(tag) = properties.tag {
            self.word(tag.written);
        }
        true
    }

    /// Writes a key and its colon, if they fit on a line as YAML requires.
    fn simple_key(&mut self, index: usize, spot: Spot) -> bool {
        let vertex = &self.tree.vertices[index];
        let is_block_scalar = matches!(vertex.style(), Some(Style::Literal | Style::Folded))
            && self.as_block_scalar(index, spot).is_some();
        if self.tree.is_filled(index) || is_block_scalar {
            return false;
        }
        let (start, line) = (self.out.len(), self.line);
        let has_properties = self.properties(index);
        let is_empty = vertex.style() == Some(Style::Empty);
        if is_empty && !has_properties {
            self.word("null");
        } else {
            self.flat_leaf(index);
        }
        if !quote::is_simple_key(&self.out[start..]) {
            self.out.truncate(start);
            self.line = line;
            return false;
        }
        // A colon right after an anchor, a tag or an alias would be read as part of it.
        let ends_with_name = is_empty && has_properties || vertex.is_alias();
        self.out.push_str(if ends_with_name { " :" } else { ":" });
        true
    }

    /// Ends the collections that do not contain a node.
    fn close(&mut self, index: usize) {
        self.closed.clear();
        while let Some(top) = self.open.pop_if(|top| top.end <= index) {
            self.closed.push(top);
        }
    }

    fn new_line(&mut self, column: usize) {
        if !self.out.is_empty() {
            self.out.push('\n');
        }
        self.out.extend(std::iter::repeat_n(' ', column));
        self.line = Line::Fresh;
    }

    /// Writes a word on the line, after a space unless it is the first.
    fn word(&mut self, word: &str) {
        self.gap();
        self.out.push_str(word);
    }

    fn gap(&mut self) {
        if self.line != Line::Fresh {
            self.out.push(' ');
        }
        self.line = Line::Content;
    }
}
