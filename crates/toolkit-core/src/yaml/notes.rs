//! Conversion warnings: changes and omissions, each with its first position.

use super::diagnose::colon_without_space;
use super::schema;
use super::tree::{Content, Place, Style, Tree};
use super::value::Value;
use crate::around;
use crate::echo::Echo;
use crate::error::Position;
use crate::warnings::{WarningKind, Warnings};

/// Warning about comments that cannot be kept.
pub(super) const COMMENTS: &str = "Comments were left out.";

/// Warns about valid YAML that probably means something else.
pub(super) fn of_tree(tree: &Tree<'_>, source: &str, warnings: &mut Warnings) {
    if let Some(template) = tree.template {
        let place = template.position();
        warnings.push(format!(
            "`{{{{` at {place} was read as a mapping inside a mapping; render a template first, or \
             quote it."
        ));
    }
    let mut scalars = tree.vertices.iter().filter_map(|vertex| match &vertex.content {
        Content::Scalar { text, style: Style::Plain } => Some((text, vertex.place)),
        _ => None,
    });
    // A character that looks like a space is text, so it changes keys and values.
    if let Some((name, at)) =
        scalars.find_map(|(text, place)| Some((around::odd_space(text)?, place.position())))
    {
        warnings.push(match at {
            Position::LineColumn { line, column } if is_first(source, line, column) => {
                format!("Line {line} begins with {name}, which does not indent.")
            }
            _ => format!("The text at {at} has {name}, which does not separate."),
        });
    }
    let [root] = tree.vertices.as_slice() else {
        return;
    };
    let Content::Scalar { text, style: Style::Plain } = &root.content else {
        return;
    };
    let has_lines = root.place.slice(source).contains('\n');
    let is_meant_otherwise =
        has_lines || text.starts_with('-') || colon_without_space(text).is_some();
    if is_meant_otherwise && matches!(schema::plain(text), Value::Text(_)) {
        warnings.push(
            "The whole text is one string; an item needs a space after its `-`, a key one after \
             its colon.",
        );
    }
}

/// Whether there are only spaces before a column of a line.
fn is_first(source: &str, line: usize, column: usize) -> bool {
    let line = source.lines().nth(line - 1).unwrap_or_default();
    line.chars().take(column - 1).all(|character| character == ' ')
}

#[derive(Default)]
pub(super) struct Notes {
    pub(super) comments: bool,
    /// A document declares an older version.
    pub(super) version: bool,
    /// An integer with leading zeros was read as a string.
    pub(super) padded: Note,
    /// A key is not a string in YAML.
    pub(super) key: Note,
    /// A tag is not one of the core schema.
    pub(super) tag: Note,
}

/// Something that was changed or left out, for the first time.
#[derive(Default)]
pub(super) struct Note(Option<String>);

impl Note {
    pub(super) fn set(&mut self, text: &str, place: Place) {
        self.0.get_or_insert_with(|| format!("first {} at {}", Echo(text), place.position()));
    }
}

impl Notes {
    pub(super) fn tell(self, warnings: &mut Warnings) {
        if self.version {
            warnings.add(
                WarningKind::Assumed,
                "The text asks for an older YAML and was read as YAML 1.2.",
            );
        }
        if self.comments {
            warnings.add(WarningKind::Dropped, COMMENTS);
        }
        for (Note(first), kind, sentence) in [
            (self.tag, WarningKind::Dropped, "Tags were left out"),
            (self.key, WarningKind::Changed, "Keys that are not strings became strings"),
            (self.padded, WarningKind::Changed, "Numbers with leading zeros were read as strings"),
        ] {
            if let Some(first) = first {
                warnings.add(kind, format!("{sentence} ({first})."));
            }
        }
    }
}
