//! What is said of a text that is refused.

use granit_parser::{ErrorKind, ScanError};

use super::defect;
use crate::error::{Position, ToolError};
use crate::limits::{NESTING_MAX, RESULT_BYTES_MAX, YAML_ALIASED_NODES_MAX};

/// Where the parser stopped.
pub(super) fn position(error: &ScanError) -> Position {
    Position::LineColumn {
        line: error.marker().line(),
        column: error.marker().col() + 1,
    }
}

/// Of what the parser refuses.
pub(super) fn of_syntax(error: &ScanError) -> ToolError {
    let refusal = match error.kind() {
        ErrorKind::RecursionLimitExceeded => of_nesting(),
        ErrorKind::UnknownAnchor => of_unknown_anchor(),
        kind => {
            let (defect, hint) = defect::describe(kind);
            let refusal = ToolError::new(format!("is not valid YAML: {defect}"));
            if hint.is_empty() {
                refusal
            } else {
                refusal.hint(hint)
            }
        }
    };
    refusal.at(position(error))
}

pub(super) fn of_nesting() -> ToolError {
    ToolError::new(format!("is nested deeper than {NESTING_MAX} levels"))
}

pub(super) fn of_unknown_anchor() -> ToolError {
    ToolError::new("has an alias whose anchor is not defined before it")
        .hint("quote a text that begins with `*`")
}

pub(super) fn of_cycle() -> ToolError {
    ToolError::new("has an alias inside the value that it stands for")
}

pub(super) fn of_expansion() -> ToolError {
    let nodes = YAML_ALIASED_NODES_MAX;
    let mebibytes = RESULT_BYTES_MAX >> 20;
    ToolError::new(format!(
        "has aliases that stand for over {nodes} values or {mebibytes} MiB of text in all"
    ))
}

/// Refuses a result that has become too large.
pub(super) fn check_size(result: &str) -> Result<(), ToolError> {
    if result.len() > RESULT_BYTES_MAX {
        return Err(of_size());
    }
    Ok(())
}

pub(super) fn of_size() -> ToolError {
    let mebibytes = RESULT_BYTES_MAX >> 20;
    ToolError::new(format!("gives a result of over {mebibytes} MiB")).hint("send less at once")
}
