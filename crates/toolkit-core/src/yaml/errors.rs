//! YAML errors: refusals, and the parser's reasons in words for people who do not know its grammar.

use std::borrow::Cow;

use granit_parser::{ErrorKind as Reason, ScanError};

use crate::echo::Echo;
use crate::error::{ByteCount, ErrorKind, Position, ToolError};
use crate::limits::{NESTING_MAX, RESULT_BYTES_MAX, YAML_ALIASED_NODES_MAX};

/// Position at which the parser stopped.
pub(super) fn position(error: &ScanError) -> Position {
    Position::LineColumn {
        line: error.marker().line(),
        column: error.marker().col() + 1,
    }
}

/// Error for a syntax error of the parser.
pub(super) fn of_syntax(error: &ScanError) -> ToolError {
    let refusal = match error.kind() {
        Reason::RecursionLimitExceeded => of_nesting(),
        Reason::UnknownAnchor => of_unknown_anchor(),
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
    ToolError::new(format!("is nested deeper than {NESTING_MAX} levels")).of(ErrorKind::TooLarge)
}

pub(super) fn of_unknown_anchor() -> ToolError {
    ToolError::new("has an alias whose anchor is not defined before it")
        .with_hint("quote a text that begins with `*`")
}

pub(super) fn of_cycle() -> ToolError {
    ToolError::new("has an alias inside the value that it refers to").of(ErrorKind::Unsupported)
}

pub(super) fn of_expansion() -> ToolError {
    let size = ByteCount(RESULT_BYTES_MAX);
    ToolError::new(format!(
        "has aliases that expand to over {YAML_ALIASED_NODES_MAX} values or {size} of text in all"
    ))
    .of(ErrorKind::TooLarge)
}

/// Error for a result that has become too large.
pub(super) fn check_size(result: &str, bytes_max: usize) -> Result<(), ToolError> {
    if result.len() > bytes_max {
        return Err(of_size(bytes_max));
    }
    Ok(())
}

pub(super) fn of_size(bytes_max: usize) -> ToolError {
    ToolError::result_too_large(bytes_max).with_hint("send less at once")
}

/// Describes what is wrong, and gives a hint if the correction is not obvious; the hint may be
/// empty.
fn describe(kind: &Reason) -> (Cow<'static, str>, &'static str) {
    if let Some((defect, hint)) = of_structure(kind).or_else(|| of_scalar(kind)) {
        return (defect.into(), hint);
    }
    let (defect, hint) = match kind {
        Reason::UnclosedFlowCollection { open } => (format!("`{open}` is not closed"), ""),
        Reason::MismatchedFlowCollectionEnd { open, close } => {
            (format!("`{open}` is closed by `{close}`"), "")
        }
        Reason::UnexpectedCharacter { character } => (
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
fn of_structure(kind: &Reason) -> Option<Words> {
    Some(match kind {
        Reason::UnexpectedEofFlowSequence | Reason::ExpectedFlowSequenceSeparator => {
            ("a comma or `]` is missing", "")
        }
        Reason::UnexpectedEofFlowMapping | Reason::ExpectedFlowMappingSeparator => {
            ("a comma or `}` is missing", "")
        }
        Reason::UnexpectedEofImplicitFlowMapping
        | Reason::UnexpectedEofBlockSequence
        | Reason::UnexpectedEofBlockMapping
        | Reason::UnexpectedEof
        | Reason::ExpectedNodeContent => ("a value is missing", "put a text between quotes"),
        Reason::MisplacedFlowCollectionEnd => ("a bracket closes what was not opened", ""),
        Reason::ExpectedBlockMappingKey => (
            "a line does not belong to the mapping around it",
            "indent it like the other keys, or deeper than the key above",
        ),
        Reason::ExpectedBlockSequenceEntry => (
            "a line does not belong to the sequence around it",
            "indent it like the other items, and begin it with `- `",
        ),
        Reason::BlockSequenceEntryNotAllowed | Reason::BlockEntryInFlowCollection => (
            "a sequence cannot begin here",
            "begin each item in a line of its own, or quote the text",
        ),
        Reason::MappingValueNotAllowed | Reason::MappingKeyNotAllowed => (
            "a mapping cannot begin here",
            "put a space after each colon, and quotes around a text with a colon and a space",
        ),
        Reason::SimpleKeyExpected => (
            "a key without a colon",
            "put a colon and a space after it, or indent it as a part of the value above",
        ),
        Reason::InvalidSimpleKey => (
            "a key that is longer than a line or 1024 characters",
            "begin it with `? `",
        ),
        Reason::InvalidIndentation | Reason::InvalidFlowScalarIndent => {
            ("a line is not indented deeper than its block", "")
        }
        Reason::TabNotAllowed
        | Reason::TabInBlockIndentation
        | Reason::TabInIndentation
        | Reason::TabInPlainScalar
        | Reason::TabAtBlockScalarStart => ("a tab indents", "use spaces"),
        Reason::ExpectedDocumentStart => (
            "a document ends and the next has no `---`",
            "begin it with `---`, or make the text one value",
        ),
        Reason::MissingDocumentEndBeforeDirective => (
            "a directive inside a document",
            "end the document with `...`",
        ),
        _ => return None,
    })
}

/// Scalars, comments, tags and anchors.
fn of_scalar(kind: &Reason) -> Option<Words> {
    Some(match kind {
        Reason::UnclosedQuotedScalar => ("a quote is not closed", ""),
        Reason::InvalidTrailingSingleQuotedScalar => (
            "a text goes on after its closing quote",
            "write a single quote inside single quotes twice",
        ),
        Reason::InvalidTrailingDoubleQuotedScalar => (
            "a text goes on after its closing quote",
            "write a double quote inside double quotes as `\\\"`",
        ),
        Reason::InvalidQuotedScalarIndent => (
            "a line between quotes is not indented deeper than its block",
            "",
        ),
        Reason::DocumentIndicatorInQuotedScalar => (
            "a line between quotes begins with `---` or `...`",
            "indent it",
        ),
        Reason::UnknownQuotedScalarEscape => (
            "a backslash between double quotes begins no escape",
            "double it, or use single quotes",
        ),
        Reason::InvalidQuotedScalarHexEscape | Reason::InvalidLowSurrogateHexEscape => {
            ("an escape has too few hexadecimal digits", "")
        }
        Reason::MissingLowSurrogate
        | Reason::InvalidLowSurrogate
        | Reason::UnpairedLowSurrogate => ("an escape is half of a surrogate pair", ""),
        Reason::InvalidUnicodeEscape => ("an escape does not denote a character", ""),
        Reason::InvalidBlockScalarHeader => (
            "a text begins in the line of its `|` or `>`",
            "begin it in the next line, or quote it",
        ),
        Reason::InvalidBlockScalarIndent => (
            "a line of a block scalar is not indented like its first",
            "",
        ),
        Reason::CommentInterceptedScalar => ("a comment inside a text of several lines", ""),
        Reason::CommentNotSeparated => (
            "a comment right after something else",
            "put a space before the `#`, or quote the text",
        ),
        Reason::UndeclaredTagHandle => (
            "a tag with a handle that is not declared",
            "declare it with a `%TAG` line before the document, or quote the text",
        ),
        Reason::MissingAnchorOrAliasName => (
            "an anchor or alias without a name",
            "quote a text that begins with `&` or `*`",
        ),
        _ => return None,
    })
}
