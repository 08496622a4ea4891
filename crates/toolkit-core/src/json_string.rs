//! JSON strings (RFC 8259 §7): a text in quotes, with the escapes that it must have and no others.

use crate::scan;

/// Bytes that are copied at once, though fewer of them may be plain: a copy of fixed size is one
/// instruction, and what is too much is overwritten by what follows.
const CHUNK: usize = 16;

/// What follows the backslash for a byte below the first one that needs no escape; zero for `u00`
/// and two digits.
const SHORT: [u8; 32] = {
    let mut short = [0; 32];
    short[0x08] = b'b';
    short[0x09] = b't';
    short[0x0A] = b'n';
    short[0x0C] = b'f';
    short[0x0D] = b'r';
    short
};

/// Appends a text as a JSON string.
pub(crate) fn append(text: &str, out: &mut Vec<u8>) {
    out.push(b'"');
    append_content(text.as_bytes(), out);
    out.push(b'"');
}

/// Appends what stands between the quotes.
fn append_content(from: &[u8], out: &mut Vec<u8>) {
    // A vector that nothing borrows stays in registers.
    let mut page = std::mem::take(out);
    // An eighth more than the text: few texts have more escapes.
    page.reserve(from.len() + from.len() / 8 + 2 * CHUNK);
    let mut rest = from;
    while let Some(chunk) = rest.first_chunk::<CHUNK>() {
        let plain = plain_bytes(chunk);
        let length = page.len() + plain;
        page.extend_from_slice(chunk);
        page.truncate(length);
        rest = rest.get(plain..).unwrap_or_default();
        if plain == CHUNK {
            // Where there is no escape, there is often none for long.
            while let Some((wide, after)) = rest.split_first_chunk::<{ 4 * CHUNK }>()
                && is_plain(wide)
            {
                page.extend_from_slice(wide);
                rest = after;
            }
        } else if let Some((byte, after)) = rest.split_first() {
            push_escape(*byte, &mut page);
            rest = after;
        }
    }
    for byte in rest {
        if needs_escape(*byte) {
            push_escape(*byte, &mut page);
        } else {
            page.push(*byte);
        }
    }
    *out = page;
}

#[inline]
const fn needs_escape(byte: u8) -> bool {
    matches!(byte, b'"' | b'\\' | 0..0x20)
}

/// Whether no byte needs an escape. All of them are compared, as that takes a few instructions.
#[inline]
pub(crate) fn is_plain<const N: usize>(chunk: &[u8; N]) -> bool {
    !chunk
        .iter()
        .fold(false, |found, byte| found | needs_escape(*byte))
}

/// How many bytes of a chunk stand before the first that needs an escape.
#[inline]
fn plain_bytes(chunk: &[u8; CHUNK]) -> usize {
    if is_plain(chunk) {
        return CHUNK;
    }
    let [low, high] = [0, scan::WORD].map(|at| scan::string_stops(scan::word(chunk, at)));
    if low == 0 {
        scan::WORD + scan::run(high)
    } else {
        scan::run(low)
    }
}

/// Appends the escape of a byte that needs one.
#[inline]
fn push_escape(byte: u8, out: &mut Vec<u8>) {
    let short = SHORT.get(usize::from(byte)).copied().unwrap_or(byte);
    if short != 0 {
        out.extend_from_slice(&[b'\\', short]);
        return;
    }
    let digit = |value: u8| char::from_digit(value.into(), 16).map_or(b'0', |digit| digit as u8);
    out.extend_from_slice(&[
        b'\\',
        b'u',
        b'0',
        b'0',
        digit(byte >> 4),
        digit(byte & 0x0F),
    ]);
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::append;

    fn quoted(text: &str) -> String {
        let mut out = b"before".to_vec();
        append(text, &mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn a_text_gets_the_escapes_that_it_must_have_and_no_others() {
        for (text, json) in [
            ("", r#"before"""#),
            ("a/b é \u{7F}\u{2028}😀", "before\"a/b é \u{7F}\u{2028}😀\""),
            ("\"\\", r#"before"\"\\""#),
            ("\u{8}\u{C}\n\r\t", r#"before"\b\f\n\r\t""#),
            ("\0a\u{1f}", r#"before"\u0000a\u001f""#),
        ] {
            assert_eq!(quoted(text), json);
        }
    }

    #[test]
    fn every_byte_is_escaped_at_every_place_as_serde_json_does() {
        for character in (0..=0xFF).map(char::from) {
            for before in 0..=33 {
                for after in [0, 1, 15, 40] {
                    let text = "a".repeat(before) + &character.to_string() + &"b".repeat(after);
                    let expected = serde_json::to_string(&text).unwrap();
                    assert_eq!(quoted(&text), format!("before{expected}"));
                }
            }
        }
    }

    proptest! {
        #[test]
        fn the_string_is_that_of_serde_json(text in "[a-z\"\\\\\u{0}-\u{1f}é漢😀]{0,200}") {
            prop_assert_eq!(quoted(&text), format!("before{}", serde_json::to_string(&text).unwrap()));
        }

        #[test]
        fn so_is_that_of_a_text_that_is_mostly_escapes(text in "[\u{0}-\u{3}\"\\\\]{0,300}") {
            prop_assert_eq!(quoted(&text), format!("before{}", serde_json::to_string(&text).unwrap()));
        }
    }
}
