//! JSON (RFC 8259): checked, laid out anew, read and written.
//!
//! [`format()`] and [`validate`] go over a text once, from left to right, and build no tree of it.
//! What they write is lossless: numbers keep their digits and strings their escapes, members keep
//! their order and repeated names stay. [`parse`] and [`write`](fn@write) stand between JSON and
//! other formats.
//!
//! The grammar is taken strictly: no comments, no trailing commas, no `NaN`, nothing of JSON5. What
//! RFC 8259 leaves to an implementation (§9) is settled so: arrays and objects nest at most
//! [`NESTING_MAX`](crate::limits::NESTING_MAX) deep; numbers and strings are of any length; a byte
//! order mark at the start is dropped with a warning (§8.1); repeated names (§4) and escapes of half
//! a surrogate pair (§8.2) are kept with a warning, and refused where they would become a value.

mod cursor;
mod defect;
mod escape;
mod layout;
mod names;
mod notes;
mod page;
mod places;
mod read;
mod scan;
mod sort;
mod walk;
mod write;

pub use self::layout::Layout;
use self::layout::Source;
use self::notes::Notes;
use self::read::Reader;
use self::sort::Tokens;
use self::walk::{Sink, walk};
use crate::error::ToolError;
use crate::limits::RESULT_BYTES_MAX;
use crate::node::Node;
use crate::warnings::Warnings;

/// How a text is laid out anew.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Format {
    /// The white space between the tokens.
    pub layout: Layout,
    /// Whether the members of every object are sorted by the code points of their names.
    pub sort_keys: bool,
    /// Bytes of the result above which it is refused.
    pub result_bytes_max: usize,
}

impl Format {
    /// A layout for the text as it is, with the usual bound on the result.
    pub const fn new(layout: Layout) -> Self {
        Self {
            layout,
            sort_keys: false,
            result_bytes_max: RESULT_BYTES_MAX,
        }
    }
}

/// Lays a text out anew, token by token.
///
/// ```
/// use toolkit_core::json::{self, Format, Layout};
/// use toolkit_core::Warnings;
///
/// let text = r#"{"b": 1.0, "a": [1E400, "\u00e9"], "e": {}}"#;
/// let mut warnings = Warnings::new();
/// let minified = json::format(text, Format::new(Layout::Minified), &mut warnings)?;
/// assert_eq!(minified, r#"{"b":1.0,"a":[1E400,"\u00e9"],"e":{}}"#);
/// assert!(warnings.is_empty());
/// # Ok::<(), toolkit_core::ToolError>(())
/// ```
///
/// # Errors
///
/// Says where the text is not JSON and what is wrong there, or that the result would be too large.
pub fn format(text: &str, format: Format, warnings: &mut Warnings) -> Result<String, ToolError> {
    let text = without_byte_order_mark(text, warnings);
    let (result, notes) = if format.sort_keys {
        let mut tokens = Tokens::of(text)?;
        let notes = walk(text, &mut tokens)?;
        let (result, ()) = format.layout.write(&tokens, format.result_bytes_max)?;
        (result, notes)
    } else {
        format.layout.write(Text(text), format.result_bytes_max)?
    };
    notes.warn(warnings);
    Ok(result)
}

/// Checks a text, and returns it without its byte order mark.
///
/// ```
/// use toolkit_core::{Warnings, json};
///
/// let refused = json::validate("[1, 2,]", &mut Warnings::new()).unwrap_err();
/// assert_eq!(
///     refused.to_string(),
///     "The input is not valid JSON: a trailing comma at line 1, column 6; \
///      remove the comma before `]`.",
/// );
/// ```
///
/// # Errors
///
/// Says where the text is not JSON, and what is wrong there.
pub fn validate<'a>(text: &'a str, warnings: &mut Warnings) -> Result<&'a str, ToolError> {
    let text = without_byte_order_mark(text, warnings);
    walk(text, &mut ())?.warn(warnings);
    Ok(text)
}

/// Reads a text as a value on its way to another format.
///
/// ```
/// use toolkit_core::{Node, Warnings, json};
///
/// let value = json::parse("[1.10, null]", &mut Warnings::new())?;
/// assert_eq!(value, Node::Array(vec![Node::Number("1.10".into()), Node::Null]));
/// # Ok::<(), toolkit_core::ToolError>(())
/// ```
///
/// # Errors
///
/// Says where the text is not JSON and what is wrong there, where a name stands twice in an object,
/// or where an escape is half of a surrogate pair.
pub fn parse(text: &str, warnings: &mut Warnings) -> Result<Node, ToolError> {
    let text = without_byte_order_mark(text, warnings);
    let mut reader = Reader::new(text);
    walk(text, &mut reader)?.refuse()?;
    Ok(reader.finish())
}

/// Writes a value as a text, with no more escapes than it must have.
///
/// ```
/// use toolkit_core::{Node, json};
///
/// let value = Node::Object(vec![("é".into(), Node::Text("\"/\n".into()))]);
/// assert_eq!(json::write(&value, json::Layout::Minified)?, r#"{"é":"\"/\n"}"#);
/// # Ok::<(), toolkit_core::ToolError>(())
/// ```
///
/// # Errors
///
/// Says that the text is larger than [`RESULT_BYTES_MAX`].
pub fn write(value: &Node, layout: Layout) -> Result<String, ToolError> {
    let (text, ()) = layout.write(value, RESULT_BYTES_MAX)?;
    Ok(text)
}

/// A text as the source of its own tokens.
struct Text<'a>(&'a str);

impl<'a> Source for Text<'a> {
    type Learnt = Notes<'a>;

    fn bytes(&self) -> usize {
        self.0.len()
    }

    fn write(self, sink: &mut impl Sink) -> Result<Notes<'a>, ToolError> {
        walk(self.0, sink)
    }
}

fn without_byte_order_mark<'a>(text: &'a str, warnings: &mut Warnings) -> &'a str {
    let Some(text) = text.strip_prefix('\u{FEFF}') else {
        return text;
    };
    warnings.push("The byte order mark at the start was dropped.");
    text
}
