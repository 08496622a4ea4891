//! JSON (RFC 8259): check, parse, format and write.
//!
//! [`format()`] and [`check`] scan text once, from left to right, without building a tree. Their
//! output is lossless: numbers keep their digits, strings their escapes and members their order,
//! and repeated names are kept. [`parse`] and [`write`](fn@write) convert to and from other
//! formats.
//!
//! The grammar is strict: no comments, no trailing commas, no `NaN`, no JSON5. RFC 8259 §9 leaves
//! some points to the implementation. Arrays and objects nest at most
//! [`NESTING_MAX`](crate::limits::NESTING_MAX) deep. Numbers and strings have any length. A byte
//! order mark at the start is dropped with a warning (§8.1). Repeated names (§4) and escaped lone
//! surrogates (§8.2) are kept with a warning, but refused when converting to a value.

mod cursor;
mod diagnose;
mod duplicate_keys;
mod findings;
mod first_few;
mod format;
mod parser;
mod read;
mod token;
mod write;

use self::format::Formatter;
use self::parser::parse_events;
use self::read::Reader;
use self::write::Writer;
use crate::error::ToolError;
pub use crate::json_string::append as append_string;
pub use crate::layout::{Indent, Layout};
use crate::limits::RESULT_BYTES_MAX;
use crate::node::Node;
use crate::text::without_byte_order_mark;
use crate::warnings::Warnings;

/// Options of [`format()`]. A [`Layout`] alone implies the defaults of the others.
///
/// ```
/// use toolkit_core::json::{self, Format, Layout};
/// use toolkit_core::Warnings;
///
/// let sorted = Format::new(Layout::Minified).sort_keys(true).result_bytes(usize::MAX);
/// let text = json::format(r#"{"b": 1, "a": 2}"#, sorted, &mut Warnings::new())?;
/// assert_eq!(text, r#"{"a":2,"b":1}"#);
/// # Ok::<(), toolkit_core::ToolError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Format {
    layout: Layout,
    sort_keys: bool,
    result_bytes: usize,
}

impl Format {
    /// Creates options with a layout, and the default limit on the result.
    pub const fn new(layout: Layout) -> Self {
        Self { layout, sort_keys: false, result_bytes: RESULT_BYTES_MAX }
    }

    /// Sets whether the members of every object are sorted by the code points of their names.
    #[must_use]
    pub const fn sort_keys(mut self, sort_keys: bool) -> Self {
        self.sort_keys = sort_keys;
        self
    }

    /// Sets the maximum length of a result, in bytes. `usize::MAX` means no limit.
    #[must_use]
    pub const fn result_bytes(mut self, bytes: usize) -> Self {
        self.result_bytes = bytes;
        self
    }
}

impl From<Layout> for Format {
    fn from(layout: Layout) -> Self {
        Self::new(layout)
    }
}

#[cfg(any(feature = "xml", feature = "yaml"))]
impl From<crate::layout::Options> for Format {
    fn from(options: crate::layout::Options) -> Self {
        Self::new(options.layout).result_bytes(options.result_bytes)
    }
}

/// Formats text in another layout, token by token.
///
/// ```
/// use toolkit_core::json::{self, Layout};
/// use toolkit_core::Warnings;
///
/// let text = r#"{"b": 1.0, "a": [1E400, "\u00e9"], "e": {}}"#;
/// let mut warnings = Warnings::new();
/// let minified = json::format(text, Layout::Minified, &mut warnings)?;
/// assert_eq!(minified, r#"{"b":1.0,"a":[1E400,"\u00e9"],"e":{}}"#);
/// assert!(warnings.is_empty());
/// # Ok::<(), toolkit_core::ToolError>(())
/// ```
///
/// # Errors
///
/// Says where the text is not JSON and what is wrong there, or that the result would be too large.
pub fn format(
    text: &str,
    format: impl Into<Format>,
    warnings: &mut Warnings,
) -> Result<String, ToolError> {
    format_as::<false>(text, format.into(), warnings).map(utf8)
}

/// Validates text.
///
/// ```
/// use toolkit_core::{Warnings, json};
///
/// let refused = json::check("[1, 2,]", &mut Warnings::new()).unwrap_err();
/// assert_eq!(
///     refused.to_string(),
///     "line 1, column 6: the input is not valid JSON: a trailing comma. \
///      Remove the comma before `]`.",
/// );
/// ```
///
/// # Errors
///
/// Says where the text is not JSON, and what is wrong there.
pub fn check(text: &str, warnings: &mut Warnings) -> Result<(), ToolError> {
    let text = without_byte_order_mark(text, warnings);
    parse_events(text, &mut ())?.warn(warnings);
    Ok(())
}

/// Parses text as a value, for conversion to another format.
///
/// ```
/// use toolkit_core::{Node, Warnings, json};
///
/// let value = json::parse("[1.10, null]", &mut Warnings::new())?;
/// assert_eq!(value.pointer("/0").and_then(Node::as_number), Some("1.10"));
/// # Ok::<(), toolkit_core::ToolError>(())
/// ```
///
/// # Errors
///
/// Says where the text is not JSON and what is wrong there, where a name is repeated in an object,
/// or where an escape is a lone surrogate.
pub fn parse(text: &str, warnings: &mut Warnings) -> Result<Node, ToolError> {
    let text = without_byte_order_mark(text, warnings);
    let mut reader = Reader::default();
    parse_events(text, &mut reader)?.refuse()?;
    Ok(reader.root)
}

/// Writes a value as text, with only the necessary escapes.
///
/// ```
/// use toolkit_core::{Node, json};
///
/// let value = Node::Object(vec![("é".into(), Node::Text("\"/\n".into()))]);
/// assert_eq!(json::write(&value, json::Layout::Minified)?, r#"{"é":"\"/\n"}"#);
///
/// let sorted = json::Format::new(json::Layout::Minified).sort_keys(true);
/// let value = Node::Object(vec![("b".into(), Node::Null), ("a".into(), Node::Null)]);
/// assert_eq!(json::write(&value, sorted)?, r#"{"a":null,"b":null}"#);
/// # Ok::<(), toolkit_core::ToolError>(())
/// ```
///
/// # Errors
///
/// Says that the value is nested deeper than [`NESTING_MAX`](crate::limits::NESTING_MAX) levels, or
/// that the text is larger than [`RESULT_BYTES_MAX`], or than the options allow.
pub fn write(value: &Node, format: impl Into<Format>) -> Result<String, ToolError> {
    write_as::<false>(value, format.into()).map(utf8)
}

/// Like [`format()`], as a JSON string if `QUOTED`.
pub(crate) fn format_as<const QUOTED: bool>(
    text: &str,
    format: Format,
    warnings: &mut Warnings,
) -> Result<Vec<u8>, ToolError> {
    let text = without_byte_order_mark(text, warnings);
    // Two spaces per level lengthen a typical document by half.
    let capacity = match format.layout {
        Layout::Pretty { .. } => text.len() * 2,
        Layout::Minified => text.len(),
    };
    let mut out = Formatter::<QUOTED>::new(format.layout, capacity, format.result_bytes);
    let findings = if format.sort_keys {
        let mut reader = Reader::as_written();
        let findings = parse_events(text, &mut reader)?;
        Writer::as_written(&mut out).write(&reader.root)?;
        findings
    } else {
        parse_events(text, &mut out)?
    };
    let written = out.finish()?;
    findings.warn(warnings);
    Ok(written)
}

/// Like [`write`](fn@write), as a JSON string if `QUOTED`.
pub(crate) fn write_as<const QUOTED: bool>(
    value: &Node,
    format: Format,
) -> Result<Vec<u8>, ToolError> {
    let mut out = Formatter::<QUOTED>::new(format.layout, 1 << 10, format.result_bytes);
    Writer::new(&mut out, format.sort_keys).write(value)?;
    out.finish()
}

fn utf8(written: Vec<u8>) -> String {
    String::from_utf8(written).expect("tokens of text are text")
}
