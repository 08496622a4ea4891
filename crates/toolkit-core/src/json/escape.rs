//! String escapes (RFC 8259 §7): decoding.

use std::borrow::Cow;

use crate::scan;

/// UTF-16 code unit of an escape `\uXXXX` at the start of `bytes`.
pub(super) fn unit(bytes: &[u8]) -> Option<u32> {
    let [b'\\', b'u', digits @ ..] = bytes.first_chunk::<6>()? else {
        return None;
    };
    digits.iter().try_fold(0, |unit, digit| {
        let digit = char::from(*digit).to_digit(16)?;
        Some(unit << 4 | digit)
    })
}

/// Decodes the content of a valid string to UTF-8.
///
/// A lone surrogate is written as three bytes (WTF-8), so strings still compare by code point.
pub(super) fn decode(content: &[u8]) -> Cow<'_, [u8]> {
    let plain = scan::skip(content, 0, scan::string_stops);
    if plain == content.len() {
        return Cow::Borrowed(content);
    }
    let (plain, mut rest) = content.split_at(plain);
    let mut text = Vec::with_capacity(content.len());
    text.extend_from_slice(plain);
    while let Some((&byte, after)) = rest.split_first() {
        if byte == b'\\' {
            rest = decode_escape(rest, &mut text);
        } else {
            text.push(byte);
            rest = after;
        }
    }
    Cow::Owned(text)
}

/// Decodes the escape at the start of `escape`, and returns the rest.
fn decode_escape<'a>(escape: &'a [u8], text: &mut Vec<u8>) -> &'a [u8] {
    let (code_point, length) = match (unit(escape), escape.get(1)) {
        (Some(high @ 0xD800..=0xDBFF), _) => match escape.get(6..).and_then(unit) {
            Some(low @ 0xDC00..=0xDFFF) => {
                (0x1_0000 + ((high - 0xD800) << 10) + (low - 0xDC00), 12)
            }
            _ => (high, 6),
        },
        (Some(unit), _) => (unit, 6),
        (None, Some(b'b')) => (0x08, 2),
        (None, Some(b'f')) => (0x0C, 2),
        (None, Some(b'n')) => (0x0A, 2),
        (None, Some(b'r')) => (0x0D, 2),
        (None, Some(b't')) => (0x09, 2),
        (None, Some(&byte)) => (byte.into(), 2),
        (None, None) => (b'\\'.into(), 1),
    };
    push(code_point, text);
    escape.get(length..).unwrap_or_default()
}

/// Appends a code point, which may be a surrogate, in UTF-8's encoding scheme.
fn push(code_point: u32, text: &mut Vec<u8>) {
    if let Some(character) = char::from_u32(code_point) {
        text.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
        return;
    }
    let [.., high, low] = code_point.to_be_bytes();
    text.extend_from_slice(&[
        0xE0 | high >> 4,
        0x80 | (high & 0x0F) << 2 | low >> 6,
        0x80 | low & 0x3F,
    ]);
}

#[cfg(test)]
mod tests {
    use super::decode;

    #[test]
    fn each_escape_decodes_to_its_character() {
        // RFC 8259 §7: the two-character escapes, \uXXXX in either case, and the G clef as a pair.
        let all = br#"\"\\\/\b\f\n\r\t\u00e9\u00E9\uD834\udd1e"#;
        let text = "\"\\/\u{8}\u{C}\n\r\téé\u{1D11E}";
        assert_eq!(str::from_utf8(&decode(all)), Ok(text));
        assert_eq!(*decode("plain é".as_bytes()), *"plain é".as_bytes());
    }

    #[test]
    fn a_lone_surrogate_sorts_by_its_code_point() {
        assert_eq!(*decode(br"\ud800"), [0xED, 0xA0, 0x80]);
        assert_eq!(*decode(br"\udfffx"), [0xED, 0xBF, 0xBF, b'x']);
        assert_eq!(*decode(br"\ud800\u0041"), [0xED, 0xA0, 0x80, b'A']);
        assert_eq!(
            *decode(br"\ud800\ud834\udd1e"),
            *b"\xED\xA0\x80\xF0\x9D\x84\x9E"
        );
        assert!(decode("\u{D7FF}".as_bytes()) < decode(br"\ud800"));
        assert!(decode(br"\udfff") < decode("\u{E000}".as_bytes()));
    }
}
