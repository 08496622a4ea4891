//! Block style of nodes without entries: scalars, aliases and empty collections.

use super::{Block, Line, Spot};
use crate::error::ToolError;
use crate::yaml::block_scalar::BlockScalar;
use crate::yaml::errors;
use crate::yaml::quote::{self, Context};
use crate::yaml::tree::{Comment, Content, Style};

impl<'t> Block<'t, '_> {
    /// Writes a node without entries, and the comments between it and the preceding indicator.
    pub(super) fn leaf(
        &mut self,
        index: usize,
        spot: Spot,
        comments: &[Comment<'_>],
    ) -> Result<(), ToolError> {
        let style = self.tree.vertices[index].style();
        if style == Some(Style::Empty) {
            // Comments on separate lines come after an empty node, and so before the next entry.
            let trailing = comments.iter().take_while(|comment| comment.trailing).count();
            self.comments -= comments.len() - trailing;
            for comment in comments.iter().take(trailing) {
                self.comment(comment);
            }
            return Ok(());
        }
        let mut trailing = comments;
        if comments.iter().any(|comment| !comment.trailing) {
            for comment in comments {
                self.comment_after_indicator(comment, spot.column);
            }
            self.new_line(spot.column);
            trailing = &[];
        }
        if let Some(scalar) = self.as_block_scalar(index, spot) {
            return self.block_scalar(&scalar, spot, trailing);
        }
        self.flat_leaf(index);
        for comment in trailing {
            self.comment(comment);
        }
        Ok(())
    }

    /// Writes a node without entries on one line.
    pub(super) fn flat_leaf(&mut self, index: usize) {
        let vertex = &self.tree.vertices[index];
        let (text, style) = match &vertex.content {
            Content::Sequence { .. } => return self.word("[]"),
            Content::Mapping { .. } => return self.word("{}"),
            Content::Alias { target } => {
                self.word("*");
                return self.out.push_str(self.tree.alias_name(*target));
            }
            Content::Scalar { text, style } => (text, *style),
        };
        if style != Style::Empty {
            let source = vertex.place.slice(self.text);
            self.gap();
            quote::push_scalar(&mut self.out, text, style, source, Context::Block);
        }
    }

    /// Lines of a scalar that is, or should be, a block scalar.
    pub(super) fn as_block_scalar(&self, index: usize, spot: Spot) -> Option<BlockScalar<'t>> {
        let vertex = &self.tree.vertices[index];
        let Content::Scalar { text, style } = &vertex.content else {
            return None;
        };
        let scalar = match style {
            Style::Folded => {
                let source = vertex.place.slice(self.text);
                let folded = BlockScalar::folded(text, source, vertex.place.column as usize);
                folded.or_else(|| BlockScalar::literal(text))
            }
            Style::Literal => BlockScalar::literal(text),
            Style::Free if text.contains('\n') => {
                BlockScalar::literal(text).filter(|scalar| !scalar.hides_space())
            }
            _ => None,
        };
        // Parsers disagree on the depth of a root's lines with an indentation indicator.
        scalar.filter(|scalar| spot.parent.is_some() || !scalar.is_indented())
    }

    fn block_scalar(
        &mut self,
        scalar: &BlockScalar<'_>,
        spot: Spot,
        trailing: &[Comment<'_>],
    ) -> Result<(), ToolError> {
        let column = spot.parent.map_or(self.indent, |_| spot.column);
        let indentation = column.saturating_mul(scalar.lines.len());
        if indentation.saturating_add(self.out.len()) > self.bytes_max {
            return Err(errors::of_size(self.bytes_max));
        }
        self.gap();
        self.out.push(scalar.sign);
        if scalar.is_indented() {
            let depth = column - spot.parent.unwrap_or_default();
            self.out.push_str(&depth.to_string());
        }
        self.out.push_str(scalar.chomping());
        for comment in trailing {
            self.comment(comment);
        }
        for line in &scalar.lines {
            self.new_line(if line.is_empty() { 0 } else { column });
            self.out.push_str(line);
        }
        let empty_lines = scalar.breaks.saturating_sub(1);
        self.out.extend(std::iter::repeat_n('\n', empty_lines));
        self.line = if scalar.ends_blank() { Line::BlankEnd } else { Line::BlockScalar };
        Ok(())
    }
}
