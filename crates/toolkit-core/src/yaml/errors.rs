//! YAML errors: what is refused, and the parser's reasons in words for people who do not know its
//! grammar.

use std::borrow::Cow;

use granit_parser::{ErrorKind, ScanError};

use crate::echo::Echo;
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
            let (defect, hint) = describe(kind);
            let refusal = ToolError::new(format!("is not valid YAML: {defect}"));
            if hint.is_empty() {
                refusal
            } else {
                refusal.with_hint(hint)
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
        .with_hint("quote a text that begins with `*`")
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
    ToolError::result_too_large(RESULT_BYTES_MAX).with_hint("send less at once")
}

/// Says what is wrong, and what to do about it where that is not plain; the latter may be empty.
fn describe(kind: &ErrorKind) -> (Cow<'static, str>, &'static str) {
    if let Some((defect, hint)) = of_structure(kind).or_else(|| of_scalar(kind)) {
        return (defect.into(), hint);
    }
    let (defect, hint) = match kind {
        ErrorKind::UnclosedFlowCollection { open } => (format!("`{open}` is not closed"), ""),
        ErrorKind::MismatchedFlowCollectionEnd { open, close } => {
            (format!("`{open}` is closed by `{close}`"), "")
        }
        ErrorKind::UnexpectedCharacter { character } => (
            format!(
                "{} cannot stand here",
                Echo(character.encode_utf8(&mut [0; 4]))
            ),
            "put the text between quotes, and a control character as an escape",
        ),
        other => (other.to_string(), ""),
    };
    (defect.into(), hint)
}

type Words = (&'static str, &'static str);

/// Mappings, sequences and indentation.
fn of_structure(kind: &ErrorKind) -> Option<Words> {
    Some(match kind {
        ErrorKind::UnexpectedEofFlowSequence | ErrorKind::ExpectedFlowSequenceSeparator => {
            ("a comma or `]` is missing", "")
        }
        ErrorKind::UnexpectedEofFlowMapping | ErrorKind::ExpectedFlowMappingSeparator => {
            ("a comma or `}` is missing", "")
        }
        ErrorKind::UnexpectedEofImplicitFlowMapping
        | ErrorKind::UnexpectedEofBlockSequence
        | ErrorKind::UnexpectedEofBlockMapping
        | ErrorKind::UnexpectedEof
        | ErrorKind::ExpectedNodeContent => ("a value is missing", "put a text between quotes"),
        ErrorKind::MisplacedFlowCollectionEnd => ("a bracket closes what was not opened", ""),
        ErrorKind::ExpectedBlockMappingKey => (
            "a line does not belong to the mapping around it",
            "indent it like the other keys, or deeper than the key above",
        ),
        ErrorKind::ExpectedBlockSequenceEntry => (
            "a line does not belong to the sequence around it",
            "indent it like the other items, and begin it with `- `",
        ),
        ErrorKind::BlockSequenceEntryNotAllowed | ErrorKind::BlockEntryInFlowCollection => (
            "a sequence cannot begin here",
            "begin each item in a line of its own, or quote the text",
        ),
        ErrorKind::MappingValueNotAllowed | ErrorKind::MappingKeyNotAllowed => (
            "a mapping cannot begin here",
            "put a space after each colon, and quotes around a text with a colon and a space",
        ),
        ErrorKind::SimpleKeyExpected => (
            "a key without a colon",
            "put a colon and a space after it, or indent it as a part of the value above",
        ),
        ErrorKind::InvalidSimpleKey => (
            "a key that is longer than a line or 1024 characters",
            "begin it with `? `",
        ),
        ErrorKind::InvalidIndentation | ErrorKind::InvalidFlowScalarIndent => {
            ("a line is not indented deeper than its block", "")
        }
        ErrorKind::TabNotAllowed
        | ErrorKind::TabInBlockIndentation
        | ErrorKind::TabInIndentation
        | ErrorKind::TabInPlainScalar
        | ErrorKind::TabAtBlockScalarStart => ("a tab indents", "use spaces"),
        ErrorKind::ExpectedDocumentStart => (
            "a document ends and the next has no `---`",
            "begin it with `---`, or make the text one value",
        ),
        ErrorKind::MissingDocumentEndBeforeDirective => (
            "a directive inside a document",
            "end the document with `...`",
        ),
        _ => return None,
    })
}

/// Scalars, comments, tags and anchors.
fn of_scalar(kind: &ErrorKind) -> Option<Words> {
    Some(match kind {
        ErrorKind::UnclosedQuotedScalar => ("a quote is not closed", ""),
        ErrorKind::InvalidTrailingSingleQuotedScalar => (
            "a text goes on after its closing quote",
            "write a single quote inside single quotes twice",
        ),
        ErrorKind::InvalidTrailingDoubleQuotedScalar => (
            "a text goes on after its closing quote",
            "write a double quote inside double quotes as `\\\"`",
        ),
        ErrorKind::InvalidQuotedScalarIndent => (
            "a line between quotes is not indented deeper than its block",
            "",
        ),
        ErrorKind::DocumentIndicatorInQuotedScalar => (
            "a line between quotes begins with `---` or `...`",
            "indent it",
        ),
        ErrorKind::UnknownQuotedScalarEscape => (
            "a backslash between double quotes begins no escape",
            "double it, or use single quotes",
        ),
        ErrorKind::InvalidQuotedScalarHexEscape | ErrorKind::InvalidLowSurrogateHexEscape => {
            ("an escape has too few hexadecimal digits", "")
        }
        ErrorKind::MissingLowSurrogate
        | ErrorKind::InvalidLowSurrogate
        | ErrorKind::UnpairedLowSurrogate => ("an escape is half of a surrogate pair", ""),
        ErrorKind::InvalidUnicodeEscape => ("an escape stands for no character", ""),
        ErrorKind::InvalidBlockScalarHeader => (
            "a text begins in the line of its `|` or `>`",
            "begin it in the next line, or quote it",
        ),
        ErrorKind::InvalidBlockScalarIndent => (
            "a line of a block scalar is not indented like its first",
            "",
        ),
        ErrorKind::CommentInterceptedScalar => ("a comment inside a text of several lines", ""),
        ErrorKind::CommentNotSeparated => (
            "a comment right after something else",
            "put a space before the `#`, or quote the text",
        ),
        ErrorKind::UndeclaredTagHandle => (
            "a tag with a handle that is not declared",
            "declare it with a `%TAG` line before the document, or quote the text",
        ),
        ErrorKind::MissingAnchorOrAliasName => (
            "an anchor or alias without a name",
            "quote a text that begins with `&` or `*`",
        ),
        _ => return None,
    })
}
