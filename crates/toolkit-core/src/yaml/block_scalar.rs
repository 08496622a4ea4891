//! Block scalars (YAML 1.2.2 §8.1).

use super::quote::needs_escape;

/// Lines of a string that every parser reads back unchanged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct BlockScalar<'a> {
    /// `|` or `>`.
    pub(super) sign: char,
    /// Lines without indentation. The last one is not empty.
    pub(super) lines: Vec<&'a str>,
    /// Number of line breaks after the last line.
    pub(super) breaks: usize,
}

impl<'a> BlockScalar<'a> {
    /// Literal style: each line unchanged.
    pub(super) fn literal(text: &'a str) -> Option<Self> {
        let is_safe = |character| matches!(character, '\n' | '\t') || !needs_escape(character);
        let content = text.trim_end_matches('\n');
        let scalar = Self {
            sign: '|',
            lines: content.split('\n').collect(),
            breaks: text.len() - content.len(),
        };
        (text.chars().all(is_safe) && scalar.begins_well()).then_some(scalar)
    }

    /// Folded style, with the author's folding: `source` begins after the indentation of its first
    /// line, which is that of all lines.
    pub(super) fn folded(text: &'a str, source: &'a str, indentation: usize) -> Option<Self> {
        let unindented = |line: &'a str| {
            let spaces = line.bytes().take(indentation).take_while(|&byte| byte == b' ');
            &line[spaces.count()..]
        };
        // Text before the first line of content is not in `source`. Each line break there is one in
        // `text`.
        let content = text.trim_start_matches('\n');
        if content.is_empty() {
            return None;
        }
        let leading = text.len() - content.len();
        let mut source_lines = source.lines();
        let first = source_lines.next()?;
        let mut lines = vec![""; leading];
        lines.push(first);
        lines.extend(source_lines.map(unindented));
        while lines.pop_if(|line| line.is_empty()).is_some() {}
        // A carriage return alone is a break as well, which no line shows.
        let is_whole = lines.iter().all(|line| !line.contains('\r'));
        let scalar =
            Self { sign: '>', lines, breaks: text.len() - text.trim_end_matches('\n').len() };
        (is_whole && scalar.begins_well()).then_some(scalar)
    }

    /// Whether the first non-empty line shows the indentation of the lines.
    fn begins_well(&self) -> bool {
        let first = self.first().unwrap_or_default();
        first.bytes().any(|byte| byte != b' ') && !first.starts_with('\t')
    }

    fn first(&self) -> Option<&'a str> {
        self.lines.iter().find(|line| !line.is_empty()).copied()
    }

    /// Whether an indentation indicator is required, since the first line begins with a space.
    pub(super) fn is_indented(&self) -> bool {
        self.first().is_some_and(|line| line.starts_with(' '))
    }

    /// Whether a line ends with invisible spaces or tabs.
    pub(super) fn hides_space(&self) -> bool {
        self.lines.iter().any(|line| line.ends_with([' ', '\t']))
    }

    /// Whether a blank line after it would look like part of it, or be part of it.
    pub(super) fn ends_blank(&self) -> bool {
        self.breaks > 1 || self.lines.last().is_some_and(|line| line.trim().is_empty())
    }

    /// Chomping indicator: empty for one final line break, `-` for none, `+` for more.
    pub(super) fn chomping(&self) -> &'static str {
        match self.breaks {
            0 => "-",
            1 => "",
            _ => "+",
        }
    }
}
