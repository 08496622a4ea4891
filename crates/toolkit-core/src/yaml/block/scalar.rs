//! Nodes that hold nothing, in block style: scalars, aliases and empty collections.

use super::{Block, Line, Spot};
use crate::error::ToolError;
use crate::limits::RESULT_BYTES_MAX;
use crate::yaml::lines::Lines;
use crate::yaml::quote::{self, Context};
use crate::yaml::refusal;
use crate::yaml::tree::{Comment, Content, Style};

impl<'t> Block<'t, '_> {
    /// Writes a node that holds nothing, and the comments between it and the indicator before it.
    pub(super) fn leaf(
        &mut self,
        index: usize,
        spot: Spot,
        comments: &[Comment<'_>],
    ) -> Result<(), ToolError> {
        let Some(vertex) = self.tree.vertices.get(index) else {
            return Ok(());
        };
        if matches!(
            vertex.content,
            Content::Scalar {
                style: Style::Empty,
                ..
            }
        ) {
            // Whatever has a line of its own comes after nothing, and so before the next entry.
            let trailing = comments
                .iter()
                .take_while(|comment| comment.trailing)
                .count();
            self.comments -= comments.len() - trailing;
            for comment in comments.iter().take(trailing) {
                self.comment(comment);
            }
            return Ok(());
        }
        let mut trailing = comments;
        if comments.iter().any(|comment| !comment.trailing) {
            for comment in comments {
                self.comment_behind_indicator(comment, spot.column);
            }
            self.new_line(spot.column);
            trailing = &[];
        }
        if let Some(lines) = self.lines(index, spot) {
            return self.block_scalar(&lines, spot, trailing);
        }
        self.flat_leaf(index);
        for comment in trailing {
            self.comment(comment);
        }
        Ok(())
    }

    /// Writes a node that holds nothing in one line.
    pub(super) fn flat_leaf(&mut self, index: usize) {
        let Some(vertex) = self.tree.vertices.get(index) else {
            return;
        };
        let (text, style) = match &vertex.content {
            Content::Sequence { .. } => return self.word("[]"),
            Content::Mapping { .. } => return self.word("{}"),
            Content::Alias { target } => {
                self.word("*");
                self.out
                    .push_str(self.tree.alias_name(*target).unwrap_or_default());
                return;
            }
            Content::Scalar {
                style: Style::Empty,
                ..
            } => return,
            Content::Scalar { text, style } => (text, *style),
        };
        self.gap();
        quote::push_scalar(
            &mut self.out,
            text,
            style,
            vertex.place.slice(self.text),
            Context::Block,
        );
    }

    /// The lines of a scalar that is, or should be, a block scalar.
    pub(super) fn lines(&self, index: usize, spot: Spot) -> Option<Lines<'t>> {
        let vertex = self.tree.vertices.get(index)?;
        let Content::Scalar { text, style } = &vertex.content else {
            return None;
        };
        let lines = match style {
            Style::Folded => {
                let source = vertex.place.slice(self.text);
                let folded = Lines::folded(text, source, vertex.place.column as usize);
                folded.or_else(|| Lines::literal(text))
            }
            Style::Literal => Lines::literal(text),
            Style::Free if text.contains('\n') => {
                Lines::literal(text).filter(|lines| !lines.hide_space())
            }
            _ => None,
        };
        // Readers differ in how deep the lines of a root are when that is said.
        lines.filter(|lines| spot.parent.is_some() || !lines.is_indented())
    }

    fn block_scalar(
        &mut self,
        lines: &Lines<'_>,
        spot: Spot,
        trailing: &[Comment<'_>],
    ) -> Result<(), ToolError> {
        let column = if spot.parent.is_none() {
            self.indent
        } else {
            spot.column
        };
        let indentation = column.saturating_mul(lines.lines.len());
        if indentation.saturating_add(self.out.len()) > RESULT_BYTES_MAX {
            return Err(refusal::of_size());
        }
        self.gap();
        self.out.push(lines.sign);
        if lines.is_indented() {
            let depth = column - spot.parent.unwrap_or_default();
            self.out.push_str(&depth.to_string());
        }
        self.out.push_str(lines.chomping());
        for comment in trailing {
            self.comment(comment);
        }
        for line in &lines.lines {
            self.new_line(if line.is_empty() { 0 } else { column });
            self.out.push_str(line);
        }
        self.out
            .extend(std::iter::repeat_n('\n', lines.breaks.saturating_sub(1)));
        let ends_blank = lines
            .lines
            .last()
            .is_some_and(|line| line.trim().is_empty());
        self.line = if lines.breaks > 1 || ends_blank {
            Line::BlankEnd
        } else {
            Line::BlockScalar
        };
        Ok(())
    }
}
