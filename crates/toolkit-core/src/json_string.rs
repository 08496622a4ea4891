//! JSON strings (RFC 8259 §7): quoted text with only the necessary escapes.

use crate::scan;

/// Bytes copied at once even if fewer are plain: a copy of fixed size is one instruction, and the
/// excess is overwritten by the next write.
const CHUNK: usize = 16;

/// Characters after the backslash for the control characters; zero for `u00` and two digits.
const SHORT: [u8; 32] = {
    let mut short = [0; 32];
    short[0x08] = b'b';
    short[0x09] = b't';
    short[0x0A] = b'n';
    short[0x0C] = b'f';
    short[0x0D] = b'r';
    short
};

/// Appends text as a JSON string.
pub(crate) fn append(text: &str, out: &mut Vec<u8>) {
    out.push(b'"');
    append_content(text.as_bytes(), out);
    out.push(b'"');
}

/// Appends the content between the quotes.
fn append_content(from: &[u8], out: &mut Vec<u8>) {
    // A vector that is not borrowed stays in registers.
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
            // Escapes are rare: long stretches of a string have none.
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
    if is_plain_rest(rest) {
        page.extend_from_slice(rest);
    } else {
        for byte in rest {
            if needs_escape(*byte) {
                push_escape(*byte, &mut page);
            } else {
                page.push(*byte);
            }
        }
    }
    *out = page;
}

/// Whether no byte of less than a chunk needs an escape: its first and its last bytes are looked at
/// together, and may overlap.
#[inline]
fn is_plain_rest(rest: &[u8]) -> bool {
    if let (Some(first), Some(last)) = (rest.first_chunk::<8>(), rest.last_chunk::<8>()) {
        let [first, last] = [first, last].map(|word| u64::from_le_bytes(*word));
        (scan::string_stops(first) | scan::string_stops(last)) == 0
    } else if let (Some(first), Some(last)) = (rest.first_chunk::<4>(), rest.last_chunk::<4>()) {
        let [first, last] = [first, last].map(|half| u64::from(u32::from_le_bytes(*half)));
        scan::string_stops(first | last << 32) == 0
    } else {
        !rest.iter().any(|byte| needs_escape(*byte))
    }
}

#[inline]
const fn needs_escape(byte: u8) -> bool {
    matches!(byte, b'"' | b'\\' | 0..0x20)
}

/// Whether no byte needs an escape; `N` is a multiple of a word.
///
/// Arithmetic on words: in some places a comparison of all bytes becomes vector instructions, in
/// others, where the compiler unrolls it first, ten instructions a byte.
#[inline]
pub(crate) fn is_plain<const N: usize>(chunk: &[u8; N]) -> bool {
    const { assert!(N.is_multiple_of(scan::WORD)) };
    let (words, _) = chunk.as_chunks();
    let stops = words.iter().fold(0, |stops, word| {
        stops | scan::string_stops(u64::from_le_bytes(*word))
    });
    stops == 0
}

/// Number of bytes of a chunk before the first that needs an escape.
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

    use super::{append, is_plain, needs_escape};

    fn quoted(text: &str) -> String {
        let mut out = b"before".to_vec();
        append(text, &mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn a_string_gets_only_the_necessary_escapes() {
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
    fn a_chunk_is_plain_if_each_of_its_bytes_is() {
        for filler in [b' ', b'!', b'#', b'[', b']', b'a', 0x7F, 0x80, 0xFF] {
            for (place, byte) in (0..32).flat_map(|place| (0..=0xFF).map(move |byte| (place, byte)))
            {
                let mut chunk = [filler; 32];
                chunk[place] = byte;
                assert_eq!(is_plain(&chunk), !needs_escape(byte), "{chunk:?}");
            }
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
        fn a_string_of_mostly_escapes_is_that_of_serde_json(text in "[\u{0}-\u{3}\"\\\\]{0,300}") {
            prop_assert_eq!(quoted(&text), format!("before{}", serde_json::to_string(&text).unwrap()));
        }
    }
}
