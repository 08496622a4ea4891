//! What is said of a text that is refused.

use granit_parser::{ErrorKind, ScanError};

use crate::error::{Position, ToolError};
use crate::limits::{NESTING_MAX, RESULT_BYTES_MAX, YAML_ALIASED_NODES_MAX};

/// Where the parser stopped.
pub(super) fn position(error: &ScanError) -> Position {
    Position::LineColumn {
        line: error.marker().line(),
        column: error.marker().col() + 1,
    }
}

/// The parser's reason, in its words where they serve.
pub(super) fn of_syntax(error: &ScanError) -> ToolError {
    let refusal = match error.kind() {
        ErrorKind::RecursionLimitExceeded => of_nesting(),
        ErrorKind::UnknownAnchor => of_unknown_anchor(),
        kind => with_hint(
            ToolError::new(format!("is not valid YAML: {}", error.info())),
            kind,
        ),
    };
    refusal.at(position(error))
}

fn with_hint(refusal: ToolError, kind: &ErrorKind) -> ToolError {
    let hint = match kind {
        ErrorKind::TabNotAllowed
        | ErrorKind::TabInBlockIndentation
        | ErrorKind::TabInIndentation
        | ErrorKind::TabInPlainScalar
        | ErrorKind::TabAtBlockScalarStart => "use spaces in place of tabs",
        ErrorKind::MappingValueNotAllowed => "quote a text that contains a colon and a space",
        ErrorKind::SimpleKeyExpected => "a line beside `key: value` lines needs a colon too",
        ErrorKind::UnexpectedCharacter { .. } => {
            "quote a text that begins with it, or write it as an escape between double quotes"
        }
        ErrorKind::UnknownQuotedScalarEscape => "double the backslash, or use single quotes",
        ErrorKind::UndeclaredTagHandle => "declare it with a %TAG line before the document",
        ErrorKind::CommentNotSeparated => "put a space before the `#`, or quote the text",
        _ => return refusal,
    };
    refusal.hint(hint)
}

pub(super) fn of_nesting() -> ToolError {
    ToolError::new(format!("is nested deeper than {NESTING_MAX} levels"))
}

pub(super) fn of_unknown_anchor() -> ToolError {
    ToolError::new("has an alias whose anchor is not defined before it")
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

pub(super) fn of_size() -> ToolError {
    let mebibytes = RESULT_BYTES_MAX >> 20;
    ToolError::new(format!("gives a result of over {mebibytes} MiB")).hint("send less at once")
}
