//! Percent-encoding (RFC 3986 §2) and the form encoding of URLs (WHATWG URL, §5).
//!
//! The [`Scope`] determines which characters are kept; all others become `%XX` for each byte of
//! their UTF-8, in upper case. Decoding the output of [`encode`] returns the input, in every scope.
//!
//! Decoding in [`Scope::Uri`] leaves an escaped reserved character as it is, because `%2F` inside a
//! path segment does not mean the same as `/` (RFC 3986 §2.2). `+` is a space only in
//! [`Scope::Form`]. Names and values of a form are not distinguished: the text is one of them.

use crate::choice::choice;
use crate::echo::Echo;
use crate::error::{Position, ToolError};
use crate::warnings::Warnings;

choice! {
    /// Context of the text, which determines the characters that are kept.
    pub enum Scope {
        /// Part of a URL: only unreserved characters are kept (RFC 3986 §2.3).
        Component = "component",
        /// Whole URL: reserved characters are kept too (RFC 3986 §2.2).
        Uri = "uri",
        /// Name or value of a form: letters, digits and `*-._` are kept, a space becomes `+`.
        Form = "form",
    }
}

impl Scope {
    fn keeps(self, byte: u8) -> bool {
        match self {
            Self::Component => is_unreserved(byte),
            Self::Uri => is_unreserved(byte) || is_reserved(byte),
            Self::Form => byte.is_ascii_alphanumeric() || b"*-._".contains(&byte),
        }
    }
}

fn is_unreserved(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-._~".contains(&byte)
}

fn is_reserved(byte: u8) -> bool {
    b":/?#[]@!$&'()*+,;=".contains(&byte)
}

/// Percent-encodes text.
///
/// ```
/// use toolkit_core::percent::{Scope, encode};
///
/// assert_eq!(encode("a b&ü", Scope::Component), "a%20b%26%C3%BC");
/// assert_eq!(encode("a b&ü", Scope::Uri), "a%20b&%C3%BC");
/// assert_eq!(encode("a b&ü", Scope::Form), "a+b%26%C3%BC");
/// ```
pub fn encode(text: &str, scope: Scope) -> String {
    const DIGITS: [char; 16] = [
        '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'A', 'B', 'C', 'D', 'E', 'F',
    ];
    let digit = |value: u8| DIGITS.get(usize::from(value)).copied().unwrap_or('0');
    let mut encoded = String::with_capacity(text.len() + text.len() / 4);
    let mut rest = text;
    while let Some((kept, tail)) = split_at_first(rest, |byte| !scope.keeps(byte)) {
        encoded.push_str(kept);
        let mut characters = tail.chars();
        let Some(character) = characters.next() else {
            break;
        };
        rest = characters.as_str();
        if character == ' ' && scope == Scope::Form {
            encoded.push('+');
            continue;
        }
        for &byte in character.encode_utf8(&mut [0; 4]).as_bytes() {
            encoded.push('%');
            encoded.push(digit(byte >> 4));
            encoded.push(digit(byte & 0xF));
        }
    }
    encoded.push_str(rest);
    encoded
}

/// Splits text before the first byte that satisfies `is_sought`.
fn split_at_first(text: &str, is_sought: impl Fn(u8) -> bool) -> Option<(&str, &str)> {
    let index = text.bytes().position(is_sought)?;
    text.split_at_checked(index)
}

/// Decodes percent-encoded text. Characters that an encoder would have escaped are accepted.
///
/// ```
/// use toolkit_core::{Warnings, percent::{Scope, decode}};
///
/// let mut warnings = Warnings::new();
/// assert_eq!(decode("a+b%2Fc", Scope::Component, &mut warnings)?, "a+b/c");
/// assert_eq!(decode("a+b%2Fc", Scope::Form, &mut warnings)?, "a b/c");
/// assert!(warnings.is_empty());
/// assert_eq!(decode("%41%2Fc", Scope::Uri, &mut warnings)?, "A%2Fc");
/// assert!(!warnings.is_empty());
/// # Ok::<(), toolkit_core::ToolError>(())
/// ```
///
/// # Errors
///
/// Says where a `%` is not followed by two hexadecimal digits, or where the bytes are not UTF-8.
pub fn decode(text: &str, scope: Scope, warnings: &mut Warnings) -> Result<String, ToolError> {
    let mut decoded = Vec::with_capacity(text.len());
    let mut keeps_escapes = false;
    for piece in Pieces::of(text, scope) {
        match piece {
            Piece::Plain(plain) => decoded.extend_from_slice(plain),
            Piece::Space => decoded.push(b' '),
            Piece::Kept(written) => {
                keeps_escapes = true;
                decoded.extend_from_slice(written);
            }
            Piece::Escape(byte) => decoded.push(byte),
            Piece::Bad(index) => return Err(bad_escape(text, index)),
        }
    }
    let decoded = String::from_utf8(decoded)
        .map_err(|error| not_utf8(text, scope, error.utf8_error().valid_up_to()))?;
    if keeps_escapes {
        warnings.push(
            "Escapes of reserved characters were kept, since decoding them would change the \
             meaning of a URL; the scope `component` decodes them too.",
        );
    }
    Ok(decoded)
}

/// Part of an encoded text.
enum Piece<'a> {
    /// Literal bytes.
    Plain(&'a [u8]),
    /// A `+` in a form.
    Space,
    /// Byte of an escape.
    Escape(u8),
    /// An escape that is kept as written.
    Kept(&'a [u8]),
    /// A `%` without two digits at this index; the iteration ends.
    Bad(usize),
}

/// Iterator over the parts of an encoded text.
struct Pieces<'a> {
    length: usize,
    rest: &'a [u8],
    scope: Scope,
}

impl<'a> Pieces<'a> {
    fn of(text: &'a str, scope: Scope) -> Self {
        Self {
            length: text.len(),
            rest: text.as_bytes(),
            scope,
        }
    }

    fn keeps_escape_of(&self, byte: u8) -> bool {
        self.scope == Scope::Uri && is_reserved(byte)
    }
}

impl<'a> Iterator for Pieces<'a> {
    type Item = Piece<'a>;

    fn next(&mut self) -> Option<Piece<'a>> {
        let is_form = self.scope == Scope::Form;
        let is_special = |byte: u8| byte == b'%' || byte == b'+' && is_form;
        let (piece, rest): (_, &[u8]) = match self.rest {
            [] => return None,
            [b'+', rest @ ..] if is_form => (Piece::Space, rest),
            [b'%', rest @ ..] => match (escaped(rest), self.rest.split_at_checked(3)) {
                (Some(byte), Some((written, rest))) if self.keeps_escape_of(byte) => {
                    (Piece::Kept(written), rest)
                }
                (Some(byte), Some((_, rest))) => (Piece::Escape(byte), rest),
                _ => (Piece::Bad(self.length - self.rest.len()), &[]),
            },
            all => {
                let end = all.iter().position(|&byte| is_special(byte));
                let (plain, rest) = all.split_at(end.unwrap_or(all.len()));
                (Piece::Plain(plain), rest)
            }
        };
        self.rest = rest;
        Some(piece)
    }
}

/// The byte given by two hexadecimal digits.
fn escaped(digits: &[u8]) -> Option<u8> {
    let [high, low, ..] = digits else {
        return None;
    };
    let high = char::from(*high).to_digit(16)?;
    let low = char::from(*low).to_digit(16)?;
    u8::try_from(high << 4 | low).ok()
}

fn bad_escape(text: &str, index: usize) -> ToolError {
    let rest = text.get(index..).unwrap_or_default();
    let shown: String = rest.chars().take(3).collect();
    ToolError::new(format!("has a bad escape {}", Echo(&shown)))
        .at(Position::offset(text, index))
        .with_hint("`%` needs two hexadecimal digits after it; a percent sign itself is `%25`")
}

/// Finds the escape that produced the byte at an index of the decoded text.
fn not_utf8(text: &str, scope: Scope, decoded_index: usize) -> ToolError {
    let (mut index, mut length) = (0, 0);
    for piece in Pieces::of(text, scope) {
        let (read, gave) = match piece {
            Piece::Plain(bytes) | Piece::Kept(bytes) => (bytes.len(), bytes.len()),
            Piece::Escape(_) => (3, 1),
            Piece::Space | Piece::Bad(_) => (1, 1),
        };
        if length + gave > decoded_index {
            break;
        }
        index += read;
        length += gave;
    }
    ToolError::new("decodes to bytes that are not UTF-8")
        .at(Position::offset(text, index))
        .with_hint("only escapes of UTF-8 text can be decoded")
}
