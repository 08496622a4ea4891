//! Percent-encoding (RFC 3986 §2) and the form encoding of URLs (WHATWG URL, §5).
//!
//! The [`Scope`] determines which characters are kept. All others become `%XX` for each byte of
//! their UTF-8, in upper case. Decoding the output of [`encode`] returns the input, in every scope.
//!
//! Decoding in [`Scope::Uri`] keeps escaped reserved characters, because `%2F` inside a path
//! segment does not mean the same as `/` (RFC 3986 §2.2). `+` is a space only in [`Scope::Form`].
//! Names and values of a form are not distinguished: the text is one of them.

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
    let mut encoded = String::with_capacity(text.len() + text.len() / 4);
    for byte in text.bytes() {
        if scope.keeps(byte) {
            encoded.push(byte.into());
        } else if byte == b' ' && scope == Scope::Form {
            encoded.push('+');
        } else {
            encoded.extend(['%', digit(byte >> 4), digit(byte & 0xF)]);
        }
    }
    encoded
}

/// The first escape in a text.
#[cfg(feature = "tools")]
pub(crate) fn first_escape(text: &str) -> Option<&str> {
    let mut signs = text.match_indices('%');
    signs.find_map(|(at, _)| {
        escaped(text.as_bytes().get(at + 1..)?)?;
        text.get(at..at + 3)
    })
}

#[expect(clippy::indexing_slicing, reason = "the callers pass four bits")]
fn digit(value: u8) -> char {
    char::from(b"0123456789ABCDEF"[usize::from(value)])
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
    let decoded = Decoded::of(text, scope, usize::MAX)?;
    let result = String::from_utf8(decoded.bytes).map_err(|error| {
        // The prefix that is UTF-8 again: it ends at the place in question.
        let valid = error.utf8_error().valid_up_to();
        let index = Decoded::of(text, scope, valid).map_or(0, |prefix| prefix.index);
        ToolError::new("decodes to bytes that are not UTF-8")
            .at(Position::offset(text, index))
            .with_hint("only escapes of UTF-8 text can be decoded")
    })?;
    if decoded.keeps_escapes {
        warnings.push(
            "Escapes of reserved characters were kept, since decoding them would change the \
             meaning of a URL; the scope `component` decodes them too.",
        );
    }
    Ok(result)
}

/// The decoded form of an encoded text, or of its start.
struct Decoded {
    bytes: Vec<u8>,
    /// Where the undecoded rest of the text begins.
    index: usize,
    keeps_escapes: bool,
}

impl Decoded {
    /// Decodes until there are `length` bytes.
    fn of(text: &str, scope: Scope, length: usize) -> Result<Self, ToolError> {
        let mut bytes = Vec::with_capacity(text.len());
        let mut keeps_escapes = false;
        let mut rest = text.as_bytes();
        while let [first, after @ ..] = rest
            && bytes.len() < length
        {
            rest = after;
            match first {
                b'+' if scope == Scope::Form => bytes.push(b' '),
                b'%' => {
                    let Some((byte, after)) = escaped(after) else {
                        return Err(bad_escape(text, text.len() - after.len() - 1));
                    };
                    if scope == Scope::Uri && is_reserved(byte) {
                        keeps_escapes = true;
                        bytes.push(b'%');
                    } else {
                        bytes.push(byte);
                        rest = after;
                    }
                }
                byte => bytes.push(*byte),
            }
        }
        Ok(Self { bytes, index: text.len() - rest.len(), keeps_escapes })
    }
}

/// The byte given by two hexadecimal digits, and the rest.
fn escaped(digits: &[u8]) -> Option<(u8, &[u8])> {
    let [high, low, after @ ..] = digits else {
        return None;
    };
    let high = char::from(*high).to_digit(16)?;
    let low = char::from(*low).to_digit(16)?;
    Some((u8::try_from(high << 4 | low).ok()?, after))
}

fn bad_escape(text: &str, index: usize) -> ToolError {
    let escape = text.get(index..).expect("the index is that of a `%`");
    let (length, hint) = if let Some(character) = code_units(escape) {
        let character = character.to_string();
        let written = encode(&character, Scope::Component);
        (6, format!("write `{written}` for the character {}", Echo(&character)))
    } else {
        let hint = "`%` needs two hexadecimal digits after it; a percent sign itself is `%25`";
        (3, hint.to_owned())
    };
    let shown: String = escape.chars().take(length).collect();
    ToolError::new(format!("has a bad escape {}", Echo(&shown)))
        .at(Position::offset(text, index))
        .with_hint(hint)
}

/// The character of an escape `%uXXXX` of JavaScript's `escape`, or of two for a surrogate pair.
fn code_units(escape: &str) -> Option<char> {
    let unit = |text: &str| {
        let digits = text.strip_prefix("%u")?.get(..4)?;
        let is_hex = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        u16::from_str_radix(digits, 16).ok().filter(|_| is_hex)
    };
    let second = escape.get(6..).and_then(unit);
    char::decode_utf16(std::iter::once(unit(escape)?).chain(second)).next()?.ok()
}
