//! Base64 (RFC 4648 §4 and §5).
//!
//! [`encode`] writes the standard alphabet with padding and the URL-safe one without (RFC 7515 §2).
//! [`decode`] accepts either, but not a mix, and reports what it tolerated: white space, missing
//! padding, and wrappers: a `data:` URL (RFC 2397), the lines of a PEM block (RFC 7468), quotes,
//! `Basic` (RFC 7617). [`decode_exact`] tolerates none of these, but accepts text without any
//! padding.
//!
//! Always refused, with the position: a character outside the alphabet, misplaced or excess
//! padding, an impossible length, and non-zero trailing bits (§3.5), which would allow two
//! encodings of the same bytes. Line lengths are not checked.

mod wrapping;

#[cfg(feature = "tools")]
pub(crate) use self::wrapping::taken_off;
use base64_simd::{Base64, STANDARD, STANDARD_NO_PAD, URL_SAFE_NO_PAD};

use crate::echo::Echo;
use crate::error::{ErrorKind, Position, ToolError};
use crate::warnings::{WarningKind, Warnings};

/// Alphabet: the characters for the values 62 and 63.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Alphabet {
    /// `+` and `/` (RFC 4648 §4).
    #[default]
    Standard,
    /// `-` and `_`, which need no escapes in URLs and file names (RFC 4648 §5).
    Url,
}

impl Alphabet {
    fn encoder(self) -> Base64 {
        match self {
            Self::Standard => STANDARD,
            Self::Url => URL_SAFE_NO_PAD,
        }
    }

    /// Decodes characters without padding. `None` if any is not in this alphabet.
    fn decode(self, characters: &[u8]) -> Option<Vec<u8>> {
        let decoder = match self {
            Self::Standard => STANDARD_NO_PAD,
            Self::Url => URL_SAFE_NO_PAD,
        };
        decoder.decode_to_vec(characters).ok()
    }

    /// The alphabet that a character identifies. `None` for characters that are in both.
    fn of(byte: u8) -> Option<Self> {
        match byte {
            b'+' | b'/' => Some(Self::Standard),
            b'-' | b'_' => Some(Self::Url),
            _ => None,
        }
    }
}

/// Encodes bytes.
///
/// ```
/// use toolkit_core::base64::{Alphabet, encode};
///
/// assert_eq!(encode(b"a?>", Alphabet::Standard), "YT8+");
/// assert_eq!(encode(b"a?", Alphabet::Standard), "YT8=");
/// assert_eq!(encode(b"a?", Alphabet::Url), "YT8");
/// ```
pub fn encode(bytes: &[u8], alphabet: Alphabet) -> String {
    alphabet.encoder().encode_to_string(bytes)
}

/// Decodes Base64 as people paste it, in the given alphabet or, without one, in the detected one.
///
/// ```
/// use toolkit_core::{Warnings, base64::decode};
///
/// let mut warnings = Warnings::new();
/// assert_eq!(decode("data:;base64,aGVs\nbG8", None, &mut warnings)?, b"hello");
/// assert_eq!(warnings.sentences().len(), 3);
/// # Ok::<(), toolkit_core::ToolError>(())
/// ```
///
/// # Errors
///
/// Says what is not Base64, and where.
pub fn decode(
    text: &str,
    alphabet: Option<Alphabet>,
    warnings: &mut Warnings,
) -> Result<Vec<u8>, ToolError> {
    let data = wrapping::taken_off(text, warnings)?;
    if wrapping::is_hexadecimal(data) {
        return Err(ToolError::new("is hexadecimal digits, not Base64").of(ErrorKind::Unsupported));
    }
    let (read, spaces) = match read(data.as_bytes(), alphabet) {
        Err(_) if data.bytes().any(|byte| byte.is_ascii_whitespace() || byte == b'\\') => {
            (read_spaced(data, alphabet), true)
        }
        read => (read, false),
    };
    let decoded = read.map_err(|fault| {
        let index = wrapping::offset(text, data) + fault.index;
        Fault { index, ..fault }.telling_refusal(text)
    })?;
    if data.len() >= 16 && data.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        warnings.push("The text looks like hexadecimal digits; it was read as Base64.");
    }
    if spaces {
        warnings.add(WarningKind::Dropped, "White space in the Base64 text was dropped.");
    }
    if decoded.lacks_padding {
        warnings.add(
            WarningKind::Assumed,
            "Missing padding (`=`) was added at the end of the Base64 text.",
        );
    }
    Ok(decoded.bytes)
}

/// Decodes Base64 without white space in either alphabet, with complete padding or none.
///
/// The error repeats no part of the input, which may be a secret.
///
/// ```
/// use toolkit_core::base64::decode_exact;
///
/// assert_eq!(decode_exact("_-8")?, decode_exact("/+8=")?);
/// assert!(decode_exact("_+8=").is_err() && decode_exact("Dw=").is_err());
/// # Ok::<(), toolkit_core::ToolError>(())
/// ```
///
/// # Errors
///
/// Says what is not Base64, and where.
pub fn decode_exact(text: &str) -> Result<Vec<u8>, ToolError> {
    let decoded = read(text.as_bytes(), None).map_err(|fault| fault.refusal(text))?;
    if decoded.lacks_padding && text.ends_with('=') {
        let fault = Fault { defect: Defect::Padding, index: text.len() - 1 };
        return Err(fault.refusal(text));
    }
    Ok(decoded.bytes)
}

/// Decoded bytes, and properties of their encoding.
#[derive(Debug)]
pub(crate) struct Decoded {
    pub(crate) bytes: Vec<u8>,
    /// Whether padding that the alphabet requires was missing.
    pub(crate) lacks_padding: bool,
}

/// Reason why an input is not valid Base64.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Defect {
    /// A character in neither alphabet.
    Foreign,
    /// A character of the alphabet that was not requested.
    Excluded(Alphabet),
    /// A character of the other alphabet than the characters before it.
    Mixed,
    /// A `=` before other characters, or one too many.
    Padding,
    /// A single character left over.
    Length,
    /// Trailing bits that are not zero.
    TrailingBits,
}

/// A defect and the byte index at which it occurs.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Fault {
    pub(crate) defect: Defect,
    pub(crate) index: usize,
}

impl Defect {
    /// Describes the defect, to be read after "has".
    pub(crate) fn what(self) -> &'static str {
        match self {
            Self::Foreign => "a character that is not Base64",
            Self::Excluded(Alphabet::Standard) => "a `-` or `_`, which the standard alphabet lacks",
            Self::Excluded(Alphabet::Url) => "a `+` or `/`, which the URL-safe alphabet lacks",
            Self::Mixed => "characters of both the standard and the URL-safe alphabet",
            Self::Padding => "a misplaced `=`",
            Self::Length => "one character left over",
            Self::TrailingBits => "a last character whose unused bits are set",
        }
    }

    fn hint(self) -> &'static str {
        match self {
            Self::Foreign => "use letters, digits, `+` and `/`, or `-` and `_`",
            Self::Excluded(Alphabet::Standard) => {
                "the text is in the URL-safe alphabet, so decode that one or either"
            }
            Self::Excluded(Alphabet::Url) => {
                "the text is in the standard alphabet, so decode that one or either"
            }
            Self::Mixed => "use `+` and `/`, or `-` and `_`",
            Self::Padding => "padding is one or two `=` that fill up the last four characters",
            Self::Length => "no bytes encode to this length, so something is missing",
            Self::TrailingBits => "they must be zero, so the text was cut or altered",
        }
    }
}

impl Fault {
    fn refusal(self, text: &str) -> ToolError {
        ToolError::new(format!("has {}", self.defect.what()))
            .at(Position::offset(text, self.index))
            .with_hint(self.defect.hint())
    }

    /// The error with the offending character itself, which may be invisible or look like another.
    fn telling_refusal(self, text: &str) -> ToolError {
        let refusal = self.refusal(text);
        let character = text.get(self.index..).and_then(|rest| rest.chars().next());
        match (self.defect, character) {
            (Defect::Foreign, Some(character)) => {
                let shown = character.to_string();
                let what = wrapping::other_notation(text, self.index).unwrap_or_default();
                refusal.with_hint(format!("{} is in no alphabet of Base64{what}", Echo(&shown)))
            }
            _ => refusal,
        }
    }
}

/// Decodes characters of one alphabet with complete, incomplete or no padding.
pub(crate) fn read(data: &[u8], alphabet: Option<Alphabet>) -> Result<Decoded, Fault> {
    let end = data.iter().rposition(|&byte| byte != b'=').map_or(0, |last| last + 1);
    let (characters, padding) = data.split_at(end);
    let complete = characters.len().next_multiple_of(4) - characters.len();
    let candidates = match &alphabet {
        Some(wanted) => std::slice::from_ref(wanted),
        None => &[Alphabet::Standard, Alphabet::Url],
    };
    let decoded =
        candidates.iter().find_map(|&candidate| Some((candidate, candidate.decode(characters)?)));
    let Some((found, bytes)) = decoded else {
        return Err(diagnose(characters, alphabet));
    };
    if padding.len() > complete {
        return Err(Fault { defect: Defect::Padding, index: end + complete });
    }
    // The URL-safe alphabet may omit all padding, but not part of it.
    let wants_padding = found == Alphabet::Standard || !padding.is_empty();
    Ok(Decoded { bytes, lacks_padding: wants_padding && padding.len() < complete })
}

/// Finds the first defect of characters that cannot be decoded.
fn diagnose(characters: &[u8], alphabet: Option<Alphabet>) -> Fault {
    let mut seen = alphabet;
    for (index, &byte) in characters.iter().enumerate() {
        let of = Alphabet::of(byte);
        let defect = match (of, seen) {
            (Some(of), Some(seen)) if of != seen => match alphabet {
                Some(wanted) => Defect::Excluded(wanted),
                None => Defect::Mixed,
            },
            (None, _) if byte == b'=' => return after_padding(characters, index),
            (None, _) if !byte.is_ascii_alphanumeric() => Defect::Foreign,
            _ => {
                seen = seen.or(of);
                continue;
            }
        };
        return Fault { defect, index };
    }
    // Every character belongs to one alphabet, so only the end can be at fault.
    let defect = if characters.len() % 4 == 1 { Defect::Length } else { Defect::TrailingBits };
    Fault { defect, index: characters.len() - 1 }
}

/// The fault of a `=` before other characters: that of the first of them, if they are not Base64
/// and the padding is right.
fn after_padding(characters: &[u8], index: usize) -> Fault {
    let rest = characters.get(index..).unwrap_or_default();
    let count = rest.iter().take_while(|&&byte| byte == b'=').count();
    let is_digit = |byte: &u8| byte.is_ascii_alphanumeric() || Alphabet::of(*byte).is_some();
    let is_right = count <= index.next_multiple_of(4) - index && index % 4 != 1;
    if is_right && !rest.get(count).is_some_and(is_digit) {
        return Fault { defect: Defect::Foreign, index: index + count };
    }
    Fault { defect: Defect::Padding, index }
}

/// Decodes after removing white space, and line breaks written as `\n`. A fault's index still
/// counts them.
fn read_spaced(data: &str, alphabet: Option<Alphabet>) -> Result<Decoded, Fault> {
    let packed: Vec<u8> = kept(data).map(|(_, byte)| byte).collect();
    read(&packed, alphabet).map_err(|fault| {
        let index = kept(data).nth(fault.index);
        let index = index.map_or(data.len(), |(index, _)| index);
        Fault { index, ..fault }
    })
}

/// The bytes that are no white space, each with its index.
fn kept(data: &str) -> impl Iterator<Item = (usize, u8)> {
    let bytes = data.as_bytes();
    let is_escape =
        |index: usize| matches!(bytes.get(index..index + 2), Some([b'\\', b'n' | b'r']));
    data.bytes().enumerate().filter(move |&(index, byte)| {
        let is_second = index > 0 && is_escape(index - 1);
        !byte.is_ascii_whitespace() && !is_escape(index) && !is_second
    })
}

#[cfg(test)]
mod tests {
    use base64_simd::{STANDARD_NO_PAD, URL_SAFE_NO_PAD};
    use data_encoding::{BASE64, BASE64_NOPAD, BASE64URL_NOPAD};
    use proptest::prelude::*;

    use super::{Alphabet, decode, decode_exact, encode};
    use crate::warnings::Warnings;

    proptest! {
        #[test]
        fn both_encoders_write_the_same(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
            prop_assert_eq!(encode(&bytes, Alphabet::Standard), BASE64.encode(&bytes));
            prop_assert_eq!(encode(&bytes, Alphabet::Url), BASE64URL_NOPAD.encode(&bytes));
        }

        #[test]
        fn both_decoders_take_the_same_and_read_the_same(text in "[A-Za-z0-9+/_-]{0,150}[AQgwEIM=\n !é]?[A-Z4/_]{0,150}") {
            both_decoders_agree(text.as_bytes())?;
        }

        #[test]
        fn both_decoders_agree_on_all_bytes(
            bytes in prop::collection::vec(any::<u8>(), 0..120),
            defect in prop::option::of((0_usize..200, any::<u8>())),
        ) {
            for encoding in [BASE64_NOPAD, BASE64URL_NOPAD] {
                let mut text = encoding.encode(&bytes).into_bytes();
                if let Some((at, byte)) = defect
                    && let Some(slot) = text.get_mut(at)
                {
                    *slot = byte;
                }
                both_decoders_agree(&text)?;
            }
        }
    }

    /// A single character has few enough values to try all, and the last one decides on the
    /// trailing bits.
    #[test]
    fn both_decoders_agree_on_every_last_character() {
        for length in [0, 1, 2, 3, 28, 29, 30, 31, 61, 62] {
            for byte in 0..=u8::MAX {
                let mut text = vec![b'A'; length];
                text.push(byte);
                both_decoders_agree(&text).unwrap();
            }
        }
    }

    fn both_decoders_agree(text: &[u8]) -> Result<(), TestCaseError> {
        for (fast, exact) in [(STANDARD_NO_PAD, BASE64_NOPAD), (URL_SAFE_NO_PAD, BASE64URL_NOPAD)] {
            prop_assert_eq!(fast.decode_to_vec(text).ok(), exact.decode(text).ok());
        }
        Ok(())
    }

    fn refusal(text: &str, alphabet: Option<Alphabet>) -> String {
        decode(text, alphabet, &mut Warnings::new()).unwrap_err().to_string()
    }

    #[test]
    fn an_exact_refusal_repeats_nothing_of_the_text() {
        let refused = decode_exact("c2VjcmV0§").unwrap_err().to_string();
        assert_eq!(
            refused,
            "offset 8: the input has a character that is not Base64. Use letters, digits, `+` and `/`, or `-` and `_`."
        );
    }

    #[test]
    fn a_refusal_names_the_character_and_what_to_do() {
        assert_eq!(
            refusal("YW\u{200B}Jj", None),
            "offset 2: the input has a character that is not Base64. `\\u{200b}` is in no alphabet of Base64."
        );
        assert_eq!(
            refusal("YT8_", Some(Alphabet::Standard)),
            "offset 3: the input has a `-` or `_`, which the standard alphabet lacks. The text is in the URL-safe alphabet, so decode that one or either."
        );
    }

    #[test]
    fn offsets_count_what_was_dropped() {
        assert!(refusal(" YW Jj!", None).starts_with("offset 6: "));
        assert!(refusal("DATA:text/plain;BASE64, Y W!", None).starts_with("offset 27: "));
    }
}
