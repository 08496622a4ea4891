//! YAML errors: refusals, and the parser's reasons in words for people who do not know its grammar.

use granit_parser::{ErrorKind as Reason, ScanError};

use crate::echo::Echo;
use crate::error::{ByteCount, ErrorKind, Position, ToolError};
use crate::limits::{NESTING_MAX, RESULT_BYTES_MAX, YAML_ALIASED_NODES_MAX};

/// Position at which the parser stopped.
pub(super) fn position(error: &ScanError) -> Position {
    Position::LineColumn { line: error.marker().line(), column: error.marker().col() + 1 }
}

/// Error for a syntax error of the parser.
pub(super) fn of_syntax(error: &ScanError) -> ToolError {
    let refusal = match error.kind() {
        Reason::RecursionLimitExceeded => of_nesting(),
        Reason::UnknownAnchor => of_unknown_anchor(),
        kind => {
            let (defect, hint) = describe(kind);
            ToolError::new(format!("is not valid YAML: {defect}")).with_hint(hint)
        }
    };
    refusal.at(position(error))
}

pub(super) fn of_nesting() -> ToolError {
    ToolError::new(format!("is nested deeper than {NESTING_MAX} levels"))
        .of(ErrorKind::TooLarge)
        .with_hint("send an inner part alone")
}

pub(super) fn of_unknown_anchor() -> ToolError {
    ToolError::new("has an alias whose anchor is not defined before it")
        .with_hint("quote a text that begins with `*`")
}

pub(super) fn of_cycle() -> ToolError {
    ToolError::new("has an alias inside the value that it refers to")
        .of(ErrorKind::Unsupported)
        .with_hint("write the value without it")
}

pub(super) fn of_expansion() -> ToolError {
    let size = ByteCount(RESULT_BYTES_MAX);
    ToolError::new(format!(
        "has aliases that expand to over {YAML_ALIASED_NODES_MAX} values or {size} of text in all"
    ))
    .of(ErrorKind::TooLarge)
    .with_hint("use fewer aliases, or send less at once")
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

/// Error for a character that is not allowed where it is.
pub(super) fn of_character(character: char) -> ToolError {
    let mut bytes = [0; 4];
    let shown = Echo(character.encode_utf8(&mut bytes));
    ToolError::new(format!("is not valid YAML: the character {shown} cannot stand here"))
        .with_hint("remove it, or write it as an escape between double quotes")
}

pub(super) fn of_tab() -> ToolError {
    ToolError::new("is not valid YAML: a tab indents").with_hint("use spaces")
}

pub(super) fn of_nested_key() -> ToolError {
    let (defect, hint) = NESTED_KEY;
    ToolError::new(format!("is not valid YAML: {defect}")).with_hint(hint)
}

/// Error for text between quotes, which open at a position, that is not indented.
pub(super) fn of_quote_line(opener: Position) -> ToolError {
    let defect = "the quote that opens here has a line that is not indented deeper than its block";
    ToolError::new(format!("is not valid YAML: {defect}"))
        .at(opener)
        .with_hint("indent that line, or close the quote before it")
}

/// Error for a template of Helm, Jinja and the like, which is not YAML yet.
pub(super) fn of_template() -> ToolError {
    ToolError::new("has a template (`{{`, `{%`)").with_hint("render it first, or quote it")
}

/// Whether the parser objects to a tab.
pub(super) fn is_tab(kind: &Reason) -> bool {
    matches!(
        kind,
        Reason::TabNotAllowed
            | Reason::TabInBlockIndentation
            | Reason::TabInIndentation
            | Reason::TabInPlainScalar
            | Reason::TabAtBlockScalarStart
    )
}

type Words = (&'static str, &'static str);

const NESTED_KEY: Words = (
    "a mapping cannot begin here",
    "quote a text with a colon and a space, or begin the mapping in a line of its own",
);

/// Describes what is wrong, and how to correct it.
fn describe(kind: &Reason) -> Words {
    let words = of_structure(kind).or_else(|| of_scalar(kind));
    words.unwrap_or(("something is of another form than YAML 1.2 allows", "quote the text"))
}

/// Mappings, sequences, documents and directives.
fn of_structure(kind: &Reason) -> Option<Words> {
    Some(match kind {
        Reason::UnexpectedEofImplicitFlowMapping
        | Reason::UnexpectedEofBlockSequence
        | Reason::UnexpectedEofBlockMapping
        | Reason::UnexpectedEof
        | Reason::ExpectedNodeContent => (
            "a value is missing",
            "write it, remove what it belongs to, or quote a text of punctuation",
        ),
        Reason::ExpectedFlowSequenceSeparator | Reason::UnexpectedEofFlowSequence => {
            ("a comma or `]` is missing", "write it, or quote the text")
        }
        Reason::ExpectedFlowMappingSeparator | Reason::UnexpectedEofFlowMapping => {
            ("a comma or `}` is missing", "write it, or quote the text")
        }
        Reason::MisplacedFlowCollectionEnd => {
            ("a bracket closes what was not opened", "remove it, or quote the text")
        }
        Reason::ExpectedBlockMappingKey => (
            "a line does not belong to the mapping around it",
            "indent it like the other keys, or deeper than the key above",
        ),
        Reason::ExpectedBlockSequenceEntry => (
            "a line does not belong to the sequence around it",
            "indent it like the other keys of the item, or begin a new item with `- `",
        ),
        Reason::BlockSequenceEntryNotAllowed
        | Reason::BlockEntryInFlowCollection
        | Reason::InvalidBlockEntryWhitespace
        | Reason::PlainScalarStartsWithDashFlowIndicator => (
            "a sequence cannot begin here",
            "begin each item in a line of its own, or quote the text",
        ),
        Reason::MappingValueNotAllowed
        | Reason::MappingKeyNotAllowed
        | Reason::InvalidColonPlacement
        | Reason::FlowMappingValueAdjacentCollection
        | Reason::InvalidMappingValueWhitespace => NESTED_KEY,
        Reason::SimpleKeyExpected => (
            "expected `key: value`",
            "add `: ` after the key, or indent the line if it continues the value above",
        ),
        Reason::InvalidSimpleKey => {
            ("a key that is longer than a line or 1024 characters", "begin it with `? `")
        }
        Reason::InvalidIndentation | Reason::InvalidFlowScalarIndent => (
            "a line is not indented deeper than its block",
            "indent it, or close the quote or bracket before it",
        ),
        Reason::ExpectedDocumentStart => (
            "a document ends and the next has no `---`",
            "begin it with `---`, or make the text one value",
        ),
        Reason::InvalidDocumentEnd => ("a text in the line of `...`", "begin it in the next line"),
        Reason::MissingDocumentEndBeforeDirective => (
            "a directive inside a document",
            "end the document with `...`, or quote a text that begins with `%`",
        ),
        Reason::DuplicateVersionDirective
        | Reason::DuplicateTagDirective
        | Reason::UnsupportedYamlMajorVersion
        | Reason::MissingDirectiveName
        | Reason::InvalidDirectiveName
        | Reason::InvalidDirectiveTerminator
        | Reason::InvalidTagDirectiveTerminator
        | Reason::ExpectedTagDirectiveBang
        | Reason::MissingYamlVersion
        | Reason::MissingYamlVersionSeparator
        | Reason::YamlVersionTooLong => (
            "a directive of another form than `%YAML 1.2` or `%TAG !e! prefix`",
            "write it so and once, or quote a text that begins with `%`",
        ),
        _ => return None,
    })
}

/// Scalars, comments, tags and anchors.
fn of_scalar(kind: &Reason) -> Option<Words> {
    Some(match kind {
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
            "indent it, or close the quote before it",
        ),
        Reason::InvalidBlockScalarHeader | Reason::ZeroBlockScalarIndent => (
            "a text begins in the line of its `|` or `>`",
            "begin it in the next line, or quote it",
        ),
        Reason::InvalidBlockScalarIndent => (
            "a line of a block scalar is not indented like its first",
            "indent it as deep, or write the depth as in `|2`",
        ),
        Reason::CommentInterceptedScalar => (
            "a comment inside a text of several lines",
            "move the comment, or quote a text with a `#`",
        ),
        Reason::CommentNotSeparated | Reason::ExpectedWhitespace => (
            "a comment right after something else",
            "put a space before the `#`, or quote the text",
        ),
        Reason::BomInsideDocument => ("a byte order mark inside a document", "remove it"),
        Reason::UndeclaredTagHandle => (
            "a tag with a handle that is not declared",
            "declare it with a `%TAG` line before the document, or quote the text",
        ),
        Reason::ExpectedTagBang
        | Reason::InvalidGlobalTagCharacter
        | Reason::InvalidTagTerminator
        | Reason::MissingTagUri
        | Reason::UnclosedVerbatimTag
        | Reason::InvalidTagEscape
        | Reason::InvalidTagUtf8
        | Reason::InvalidTagUtf8LeadingByte
        | Reason::InvalidTagUtf8TrailingByte => (
            "a tag of another form than `!name` or `!<uri>` with a space after it",
            "write it so, or quote a text that begins with `!`",
        ),
        Reason::MissingAnchorOrAliasName => {
            ("an anchor or alias without a name", "quote a text that begins with `&` or `*`")
        }
        Reason::UnexpectedEndOfPlainScalar => ("a text of punctuation", "quote it"),
        _ => return None,
    })
}
