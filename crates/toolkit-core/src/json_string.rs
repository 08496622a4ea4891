//! JSON strings (RFC 8259 §7): quoted text with only the necessary escapes.

mod escape;

pub(crate) use self::escape::decode;
#[cfg(any(feature = "jwt", feature = "tools"))]
pub(crate) use self::escape::lone_surrogate;
#[cfg(feature = "tools")]
pub(crate) use self::escape::read;
#[cfg(feature = "json")]
pub(crate) use self::escape::{plain_length, unit};

/// Appends text as a JSON string, with only the necessary escapes.
///
/// ```
/// use toolkit_core::json;
///
/// let mut out = b"[".to_vec();
/// json::append_string("a \"b\"\n", &mut out);
/// assert_eq!(out, br#"["a \"b\"\n""#);
/// ```
#[expect(clippy::indexing_slicing, reason = "the found position is one of a byte")]
pub fn append(text: &str, out: &mut Vec<u8>) {
    let mut rest = text.as_bytes();
    out.reserve(rest.len() + 2);
    out.push(b'"');
    // Looks at all bytes, sixteen at a time, since most texts need no escape.
    let has_escapes = rest.iter().fold(false, |has, byte| has | needs_escape(*byte));
    while has_escapes && let Some(at) = rest.iter().position(|byte| needs_escape(*byte)) {
        let (plain, escaped) = rest.split_at(at);
        out.extend_from_slice(plain);
        push_escape(escaped[0], out);
        rest = &escaped[1..];
    }
    out.extend_from_slice(rest);
    out.push(b'"');
}

const fn needs_escape(byte: u8) -> bool {
    matches!(byte, b'"' | b'\\' | 0..0x20)
}

/// Appends the escape of a byte that needs one.
fn push_escape(byte: u8, out: &mut Vec<u8>) {
    let short = match byte {
        b'"' | b'\\' => byte,
        0x08 => b'b',
        b'\t' => b't',
        b'\n' => b'n',
        0x0C => b'f',
        b'\r' => b'r',
        _ => {
            let digit =
                |value: u8| char::from_digit(value.into(), 16).map_or(b'0', |digit| digit as u8);
            out.extend_from_slice(b"\\u00");
            out.extend_from_slice(&[digit(byte >> 4), digit(byte & 0x0F)]);
            return;
        }
    };
    out.extend_from_slice(&[b'\\', short]);
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
