//! Conversion warnings: changes and omissions, each with its first position.

use super::tree::Place;
use crate::echo::Echo;
use crate::warnings::{WarningKind, Warnings};

/// Warning about comments that cannot be kept.
pub(super) const COMMENTS: &str = "Comments were left out.";

#[derive(Default)]
pub(super) struct Notes {
    pub(super) comments: bool,
    /// A document declares an older version.
    pub(super) version: bool,
    padded: Option<String>,
    key: Option<String>,
    tag: Option<String>,
}

impl Notes {
    /// Records an integer with leading zeros that was read as a string.
    pub(super) fn padded(&mut self, text: &str, place: Place) {
        self.padded.get_or_insert_with(|| first(text, place));
    }

    /// Records a key that is not a string in YAML.
    pub(super) fn key(&mut self, name: &str, place: Place) {
        self.key.get_or_insert_with(|| first(name, place));
    }

    /// Records a tag that the core schema does not know.
    pub(super) fn tag(&mut self, written: &str, place: Place) {
        self.tag.get_or_insert_with(|| first(written, place));
    }

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
        if let Some(first) = self.tag {
            warnings.add(
                WarningKind::Dropped,
                format!("Tags were left out ({first})."),
            );
        }
        if let Some(first) = self.key {
            warnings.add(
                WarningKind::Changed,
                format!("Keys that are not strings became strings ({first})."),
            );
        }
        if let Some(first) = self.padded {
            warnings.add(
                WarningKind::Changed,
                format!("Numbers with leading zeros were read as strings ({first})."),
            );
        }
    }
}

fn first(text: &str, place: Place) -> String {
    format!("first {} at {}", Echo(text), place.position())
}
