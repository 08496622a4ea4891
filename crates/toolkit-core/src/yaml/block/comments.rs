//! Comments and blank lines in block style.

use super::{Block, Line, Open, Turn};
use crate::yaml::tree::{Comment, Content, Place, Style};

impl<'t> Block<'t, '_> {
    /// Removes and returns the comments right before a node, which the caller then writes.
    pub(super) fn take_comments(&mut self, index: usize) -> &'t [Comment<'t>] {
        let rest = &self.tree.comments[self.comments..];
        let count = rest.partition_point(|comment| comment.before <= index);
        self.comments += count;
        &rest[..count]
    }

    /// Writes a comment between an indicator and its content.
    pub(super) fn comment_after_indicator(&mut self, comment: &Comment<'_>, column: usize) {
        if !comment.trailing || matches!(self.line, Line::BlockScalar | Line::BlankEnd) {
            if self.line == Line::Comment {
                self.blank_line_above(comment.place, comment.place.start as usize);
            }
            self.new_line(column);
        }
        self.comment(comment);
    }

    /// Writes the comments before a node's indicator. Returns whether there were any.
    ///
    /// Those after it are left. An entry begins at `column`.
    pub(super) fn comments_before(&mut self, index: usize, turn: Turn, column: usize) -> bool {
        let comments = self.take_comments(index);
        let count = self.count_before_indicator(index, turn, comments);
        self.comments -= comments.len() - count;
        for comment in comments.iter().take(count) {
            let is_first = self.open.last().is_some_and(|top| top.first == index);
            self.comment_between_entries(comment, column, is_first);
        }
        count > 0
    }

    /// Number of comments that precede not only a node but also its indicator.
    fn count_before_indicator(&self, index: usize, turn: Turn, comments: &[Comment<'_>]) -> usize {
        let Some(first) = comments.first() else {
            return 0;
        };
        let vertex = &self.tree.vertices[index];
        // If no line begins with the indicator, it comes first, or is absent.
        let (indicator, otherwise) = match turn {
            Turn::Item if self.has_dashes() => ('-', 0),
            Turn::Key if self.follows_question_mark(first) => ('?', 0),
            Turn::Key => ('?', comments.len()),
            Turn::ExplicitValue => (':', 0),
            Turn::Item | Turn::Value => return comments.len(),
        };
        // Only space, comments, properties and the indicator can be here. An empty value is
        // positioned at its colon.
        let start = first.place.start as usize;
        let end = vertex.place.start as usize + usize::from(turn == Turn::ExplicitValue);
        let between = self.text.get(start..end);
        let between = between.unwrap_or_default();
        let begins_with_indicator = |&(at, _): &(usize, &str)| {
            let line = &between[at + 1..];
            line.trim_start_matches(' ').starts_with(indicator)
        };
        let line = between.match_indices('\n').find(begins_with_indicator);
        line.map_or(otherwise, |(at, _)| {
            comments.partition_point(|comment| (comment.place.start as usize) < start + at)
        })
    }

    /// Whether only a `?` precedes a comment, perhaps with other indicators around it.
    fn follows_question_mark(&self, comment: &Comment<'_>) -> bool {
        let before = self.text.get(..comment.place.start as usize).unwrap_or_default();
        let line = before.trim_end().rsplit('\n').next().unwrap_or_default();
        line.ends_with('?') && line.bytes().all(|byte| b" -?:".contains(&byte))
    }

    /// Whether the innermost collection is a block sequence in the source.
    fn has_dashes(&self) -> bool {
        let collection = self.open.last();
        let content = collection.map(|collection| self.tree.content(collection.first - 1));
        matches!(content, Some(Content::Sequence { is_flow: false, .. }))
    }

    /// Writes the comments up to a byte of the source.
    pub(super) fn remaining_comments(&mut self, end: usize, column: usize) {
        while let Some(comment) = self.tree.comments.get(self.comments)
            && (comment.place.start as usize) < end
        {
            self.comments += 1;
            self.comment_between_entries(comment, column, false);
        }
        self.closed.clear();
    }

    /// A comment on a separate line is indented like the innermost collection that contained it.
    fn comment_between_entries(&mut self, comment: &Comment<'_>, column: usize, is_first: bool) {
        let can_trail = matches!(self.line, Line::Content | Line::Comment);
        if !(comment.trailing && can_trail) {
            let inside = |open: &&Open| open.source_column <= comment.place.column;
            let column = self.closed.iter().find(inside).map_or(column, |open| open.column);
            if !is_first || self.line == Line::Comment {
                self.blank_line_above(comment.place, comment.place.start as usize);
            }
            self.new_line(column);
        }
        self.comment(comment);
    }

    pub(super) fn comment(&mut self, comment: &Comment<'_>) {
        self.word(comment.text);
        self.line = Line::Comment;
    }

    /// Keeps one of the blank lines above an entry in the source, if the start of the entry is
    /// known.
    pub(super) fn blank_line_above_entry(&mut self, index: usize) {
        let vertex = &self.tree.vertices[index];
        if vertex.place.line == self.source_line {
            return;
        }
        let start = vertex.place.start as usize;
        let start = match &vertex.content {
            Content::Scalar { text, style: Style::Literal | Style::Folded } => {
                self.header(text, start).unwrap_or(start)
            }
            _ => start,
        };
        let before = self.text.get(..start).unwrap_or_default();
        let line = before.rsplit('\n').next().unwrap_or_default();
        if line.trim_start_matches(' ').starts_with('-') || !self.has_dashes() {
            self.blank_line_above(vertex.place, start);
        }
    }

    /// Byte offset in the line of a block scalar's `|` or `>`. Its content begins at `start`.
    fn header(&self, text: &str, start: usize) -> Option<usize> {
        let content = text.trim_start_matches('\n');
        if content.is_empty() {
            return None;
        }
        let empty_lines = text.len() - content.len();
        let before = self.text.get(..start)?;
        let breaks = before.bytes().enumerate().rev().filter(|&(_, byte)| byte == b'\n');
        breaks.map(|(at, _)| at).nth(empty_lines)
    }

    /// Keeps one of the blank lines above the line of a byte, once for each line.
    fn blank_line_above(&mut self, place: Place, start: usize) {
        let is_same_line = place.line == self.source_line;
        self.source_line = place.line;
        if is_same_line || self.out.is_empty() || self.line == Line::BlankEnd {
            return;
        }
        let before = self.text.get(..start).unwrap_or_default();
        let above = before.rfind('\n').and_then(|end| before.get(..end));
        let above = above.map(|above| above.trim_end_matches([' ', '\t', '\r']));
        if above.is_some_and(|above| above.ends_with('\n')) {
            self.out.push('\n');
        }
    }
}
