//! Rules of YAML 1.2.2 that the parser does not enforce.

use super::compose::Composer;
use super::errors;
use super::tree::{Content, Place, Style};
use crate::error::{Position, ToolError};

impl Composer<'_> {
    /// Refuses a block collection after a tab in its line, which would be its indentation (§6.1),
    /// and one after an empty key in the line of that key (§8.2.2).
    pub(super) fn check_start_of_block(&self, place: Place) -> Result<(), ToolError> {
        let start = place.start as usize;
        let before = &self.text[..start];
        let line = before.rfind('\n').map_or(0, |index| index + 1);
        if let Some(tab) = before[line..].find('\t') {
            return Err(errors::of_tab().at(Position::line_column(self.text, line + tab)));
        }
        let last = self.tree.vertices.last();
        let key = last.filter(|last| last.place.line == place.line);
        let key = key.filter(|key| key.style() == Some(Style::Empty));
        let is_after_key = key.is_some_and(|key| {
            let key = key.place.start as usize;
            let explicit = before[..key].trim_end().strip_suffix('?');
            before[key..].starts_with(':')
                && !explicit
                    .is_some_and(|rest| rest.is_empty() || rest.ends_with(char::is_whitespace))
        });
        if is_after_key {
            return Err(errors::of_nested_key().at(place.position()));
        }
        Ok(())
    }

    /// Refuses a line between quotes that is not indented deeper than the block around it (§7.3).
    pub(super) fn check_lines_of_quote(&self, style: Style, place: Place) -> Result<(), ToolError> {
        if !matches!(style, Style::SingleQuoted | Style::DoubleQuoted) {
            return Ok(());
        }
        let blocks = self.open.iter().rev().map(|open| &self.tree.vertices[open.vertex]);
        let mut blocks = blocks.filter(|block| block.place.start == block.place.end);
        let block = blocks.find(|block| match block.content {
            Content::Sequence { is_flow, .. } => !is_flow,
            _ => true,
        });
        let Some(block) = block else {
            return Ok(());
        };
        let lines = place.slice(self.text).lines().skip(1);
        for line in lines.filter(|line| !line.trim().is_empty()) {
            let blanks = line.len() - line.trim_start().len();
            if blanks <= block.place.column as usize {
                return Err(errors::of_quote_line(place.position()));
            }
        }
        Ok(())
    }

    /// Remembers the first `{{`, which is probably of a template.
    pub(super) fn note_template(&mut self, place: Place) {
        if self.tree.template.is_none() && self.text[place.start as usize..].starts_with("{{") {
            self.tree.template = Some(place);
        }
    }

    /// Refuses a collection right after an anchor (§6.9).
    pub(super) fn check_end_of_anchor(&self, anchor: Place) -> Result<(), ToolError> {
        if !self.text[anchor.end as usize..].starts_with(['[', '{']) {
            return Ok(());
        }
        let error = ToolError::new("is not valid YAML: an anchor right before a bracket");
        Err(error.at(anchor.position()).with_hint("put a space between them, or quote the text"))
    }
}
