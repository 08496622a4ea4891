//! Line breaks and indentation between elements.

use crate::error::ToolError;
use crate::layout::{Layout, Options};

/// Writes a line break and the indentation after it, unless memory might not suffice for it:
/// indentation multiplies.
pub(super) fn push(options: Options, depth: usize, out: &mut String) -> Result<(), ToolError> {
    let Some((blank, count)) = options.layout.indentation() else {
        return Ok(());
    };
    if count * depth >= options.result_bytes.saturating_sub(out.len()) {
        return Err(too_large(options));
    }
    out.push('\n');
    out.extend(std::iter::repeat_n(char::from(blank), count * depth));
    Ok(())
}

/// Checks that a result is not too large.
pub(super) fn check_length(options: Options, out: &str) -> Result<(), ToolError> {
    if out.len() > options.result_bytes {
        return Err(too_large(options));
    }
    Ok(())
}

fn too_large(options: Options) -> ToolError {
    ToolError::result_too_large(options.result_bytes).with_hint(match options.layout {
        Layout::Pretty { .. } => "use a smaller `indent`, minify, or send less at once",
        Layout::Minified => "send less at once",
    })
}
