//! Line breaks and indentation between elements.

use crate::error::ToolError;
use crate::layout::Layout;

/// Length of a line break and the indentation after it, in bytes.
pub(super) fn length(layout: Layout, depth: usize) -> usize {
    let width = |(_, count): (u8, usize)| count.saturating_mul(depth).saturating_add(1);
    layout.indentation().map_or(0, width)
}

/// Writes a line break and the indentation after it.
pub(super) fn push(layout: Layout, depth: usize, out: &mut String) {
    if let Some((blank, count)) = layout.indentation() {
        out.push('\n');
        out.extend(std::iter::repeat_n(char::from(blank), count * depth));
    }
}

/// Error for a result that has become too large.
pub(super) fn too_large(layout: Layout, bytes_max: usize) -> ToolError {
    ToolError::result_too_large(bytes_max).with_hint(match layout {
        Layout::Pretty { .. } => "use a smaller `indent`, minify, or send less at once",
        Layout::Minified => "send less at once",
    })
}
