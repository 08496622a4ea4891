//! Line breaks and indentation between elements.

use crate::error::ToolError;
use crate::layout::{Indent, Layout};

/// Length of a line break and the indentation after it, in bytes.
pub(super) fn length(layout: Layout, depth: usize) -> usize {
    match layout {
        Layout::Pretty { indent } => width(indent).saturating_mul(depth).saturating_add(1),
        Layout::Minified => 0,
    }
}

/// Writes a line break and the indentation after it.
pub(super) fn push(layout: Layout, depth: usize, out: &mut String) {
    if let Layout::Pretty { indent } = layout {
        let blank = if indent == Indent::Tab { '\t' } else { ' ' };
        out.push('\n');
        out.extend(std::iter::repeat_n(blank, width(indent) * depth));
    }
}

fn width(indent: Indent) -> usize {
    match indent {
        Indent::Spaces(count) => count.into(),
        Indent::Tab => 1,
    }
}

/// Error for a result that has become too large.
pub(super) fn too_large(layout: Layout, bytes_max: usize) -> ToolError {
    ToolError::result_too_large(bytes_max).with_hint(match layout {
        Layout::Pretty { .. } => "use a smaller `indent`, minify, or send less at once",
        Layout::Minified => "send less at once",
    })
}
