//! Byte order mark: recognized and removed at the start of a text.

use crate::warnings::{WarningKind, Warnings};

/// Removes the byte order mark at the start of a text, with a warning.
pub(crate) fn without_byte_order_mark<'a>(text: &'a str, warnings: &mut Warnings) -> &'a str {
    let Some(text) = text.strip_prefix('\u{FEFF}') else {
        return text;
    };
    warnings.add(WarningKind::Dropped, "The byte order mark at the start was dropped.");
    text
}
