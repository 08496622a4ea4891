//! XML: check, parse to values, format, and write from values.
//!
//! Standards: XML 1.0 (fifth edition) and Namespaces in XML 1.0 (third edition), for a document
//! already decoded to Unicode. Well-formedness is checked completely: names, characters,
//! references, attributes, prefixes, the declaration and the order of parts. One pass scans and
//! checks. Its results are slices of the document, so unchanged parts are written back as they
//! were.
//!
//! Left out on purpose: nothing is fetched, so a DOCTYPE is kept with its DTD's identifiers, but
//! the DTD is not read, and an entity that it may declare is refused. An internal subset that
//! declares entities or attribute lists is refused too. `xsi:schemaLocation`, `XInclude` and
//! `xml-stylesheet` are ordinary markup. Validity is not checked.
//!
//! How a document and a [`Node`] correspond:
//!
//! | XML | Node |
//! |---|---|
//! | the document | an object with one member, the root element |
//! | an element with only text | a string |
//! | an element with nothing in it | null |
//! | any other element | an object, its members in document order |
//! | an attribute | a member `@name` with a string |
//! | text beside attributes or children | the member `#text`, a string |
//! | repeated siblings | one member, an array |
//! | CDATA | text |
//! | white space between tags, comments, instructions, the DOCTYPE | nothing, but for `xml:space="preserve"` |
//! | a prefix, a namespace declaration | kept as written |
//!
//! Numbers and booleans become text, so they come back as strings. An array of one item comes back
//! as the item.

#![expect(
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "offsets come from the same text or list, and lie between its characters"
)]

mod character;
mod cursor;
mod doctype;
mod errors;
mod escape;
mod format;
mod from_node;
mod line_break;
mod markup;
mod name;
mod names;
mod namespace;
mod prolog;
mod reader;
mod reference;
mod tag;
mod to_node;

pub use self::names::{decode_names, encode_names};
use crate::error::ToolError;
pub use crate::layout::{Indent, Layout, Options};
use crate::node::Node;
use crate::text::without_byte_order_mark;
use crate::warnings::Warnings;

/// Checks that a document is well-formed.
///
/// ```
/// use toolkit_core::{Warnings, xml};
///
/// let mut warnings = Warnings::new();
/// assert!(xml::check("<a><b/></a>", &mut warnings).is_ok());
///
/// let error = xml::check("<a><b></a>", &mut warnings).unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "line 1, column 7: the input is not well-formed XML: `</a>` does not match `<b>`. \
///      Close `<b>`, opened at line 1, column 4, with `</b>`.",
/// );
/// ```
///
/// # Errors
///
/// Says what is not well-formed, at which line and column, and how to correct it.
pub fn check(text: &str, warnings: &mut Warnings) -> Result<(), ToolError> {
    let source = without_byte_order_mark(text, warnings);
    reader::check(source, warnings).map_err(|fault| fault.tell(source))
}

/// Parses a document as an object with one member, the root element.
///
/// ```
/// use toolkit_core::{Node, Warnings, xml};
///
/// let node = xml::parse("<a b='1'>text</a>", &mut Warnings::new())?;
/// let member = |name: &str, text: &str| (name.to_owned(), Node::Text(text.to_owned()));
/// let root = Node::Object(vec![member("@b", "1"), member("#text", "text")]);
/// assert_eq!(node, Node::Object(vec![("a".to_owned(), root)]));
/// # Ok::<(), toolkit_core::ToolError>(())
/// ```
///
/// # Errors
///
/// Says what is not well-formed, and where.
pub fn parse(text: &str, warnings: &mut Warnings) -> Result<Node, ToolError> {
    let source = without_byte_order_mark(text, warnings);
    to_node::document(source, warnings)
}

/// Writes a value as a document.
///
/// An object with one member becomes that root element. Anything else is wrapped in `<root>`.
///
/// ```
/// use toolkit_core::{Node, Warnings, xml};
///
/// let items = vec![Node::from(1), Node::Null];
/// let mut warnings = Warnings::new();
/// let text = xml::write(&Node::Array(items), xml::Layout::Minified, &mut warnings)?;
/// assert_eq!(text, "<root><item>1</item><item/></root>");
/// assert!(!warnings.is_empty());
/// # Ok::<(), toolkit_core::ToolError>(())
/// ```
///
/// # Errors
///
/// Names the key that is not an XML name, for which there is [`encode_names`], or the member with a
/// character that XML forbids. Also refuses a result longer than the options allow.
pub fn write(
    node: &Node,
    options: impl Into<Options>,
    warnings: &mut Warnings,
) -> Result<String, ToolError> {
    from_node::document(node, None, options.into(), warnings)
}

/// Writes a value that comes from JSON text, whose places its refusals name.
#[cfg(feature = "tools")]
pub(crate) fn write_from(
    source: &str,
    node: &Node,
    options: Options,
    warnings: &mut Warnings,
) -> Result<String, ToolError> {
    from_node::document(node, Some(source), options, warnings)
}

/// Formats a document in another layout.
///
/// Text does not change, neither in mixed content nor under `xml:space="preserve"`, and no white
/// space is added to an empty element. Minifying removes all white space that is not text.
///
/// ```
/// use toolkit_core::{Layout, Warnings, xml};
///
/// let text = "<a><b  c='1' /><d>mixed <e/></d></a>";
/// let pretty = xml::format(text, Layout::spaces(2), &mut Warnings::new())?;
/// assert_eq!(pretty, "<a>\n  <b c='1'/>\n  <d>mixed <e/></d>\n</a>");
/// let minified = xml::format(&pretty, Layout::Minified, &mut Warnings::new())?;
/// assert_eq!(minified, "<a><b c='1'/><d>mixed <e/></d></a>");
/// # Ok::<(), toolkit_core::ToolError>(())
/// ```
///
/// # Errors
///
/// Says what is not well-formed, and where. Also refuses a result longer than the options allow.
pub fn format(
    text: &str,
    options: impl Into<Options>,
    warnings: &mut Warnings,
) -> Result<String, ToolError> {
    let source = without_byte_order_mark(text, warnings);
    format::reformat(source, options.into(), warnings)
}
