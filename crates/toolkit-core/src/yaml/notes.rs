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
        self.0
            .get_or_insert_with(|| format!("first {} at {}", Echo(text), place.position()));
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
            (
                self.key,
                WarningKind::Changed,
                "Keys that are not strings became strings",
            ),
            (
                self.padded,
                WarningKind::Changed,
                "Numbers with leading zeros were read as strings",
            ),
        ] {
            if let Some(first) = first {
                warnings.add(kind, format!("{sentence} ({first})."));
            }
        }
    }
}
