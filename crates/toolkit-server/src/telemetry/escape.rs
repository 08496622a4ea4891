//! Escaping of log values, so that an entry stays one line and shows its true content.
//!
//! Control characters could forge lines or control a terminal; bidirectional controls (Unicode
//! Standard Annex 9) could make a line read as another.

/// Appends a text with such characters escaped, as JSON escapes them; it stays JSON if it was.
pub(super) fn push(text: &str, line: &mut Vec<u8>) {
    if text.bytes().all(|byte| matches!(byte, b' '..=b'~')) {
        line.extend_from_slice(text.as_bytes());
        return;
    }
    for character in text.chars() {
        if is_harmful(character) {
            line.extend_from_slice(format!("\\u{:04x}", u32::from(character)).as_bytes());
        } else {
            line.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
        }
    }
}

fn is_harmful(character: char) -> bool {
    character.is_control()
        || matches!(
            character,
            '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
        )
}

#[cfg(test)]
mod tests {
    use super::push;

    #[test]
    fn characters_that_forge_or_reverse_lines_are_escaped() {
        for (text, escaped) in [
            ("plain ~", "plain ~"),
            ("größe", "größe"),
            ("a\r\nb", "a\\u000d\\u000ab"),
            ("\u{1b}[31m", "\\u001b[31m"),
            ("a\u{202e}b\u{2066}", "a\\u202eb\\u2066"),
            ("\u{85}\u{2028}", "\\u0085\\u2028"),
        ] {
            let mut line = Vec::new();
            push(text, &mut line);
            assert_eq!(String::from_utf8(line).unwrap(), escaped);
        }
    }
}
