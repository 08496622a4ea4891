//! Character classes of XML 1.0 (fifth edition): §2.2 `Char`, §2.3 `S` and the name characters.

/// Whether XML allows the character, literally or as a reference (§2.2, production 2).
pub(super) fn is_allowed(character: char) -> bool {
    matches!(character, '\t' | '\n' | '\r' | ' '..='\u{FFFD}' | '\u{10000}'..)
}

/// Finds the first character that XML forbids: a control character, or U+FFFE and U+FFFF.
pub(super) fn first_forbidden(text: &str) -> Option<usize> {
    // Only these bytes can begin a forbidden character. Hardly any text has one, and the compiler
    // vectorises a plain fold over the whole text.
    let suspicious = |byte: u8| byte < b' ' && !is_white(byte) || byte == 0xEF;
    if !text.bytes().fold(false, |any, byte| any | suspicious(byte)) {
        return None;
    }
    let is_forbidden = |&(_, character): &(usize, char)| !is_allowed(character);
    text.char_indices().find(is_forbidden).map(|(at, _)| at)
}

/// Whether the byte is white space (§2.3, production 3).
pub(super) const fn is_white(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
}

/// Whether a text consists of white space only.
pub(super) fn is_blank(text: &str) -> bool {
    text.bytes().all(is_white)
}

/// Whether a name may start with the character (§2.3, production 4), excluding the colon.
pub(super) const fn is_name_start(character: char) -> bool {
    matches!(character,
        'A'..='Z' | 'a'..='z' | '_'
        | '\u{C0}'..='\u{D6}' | '\u{D8}'..='\u{F6}' | '\u{F8}'..='\u{2FF}'
        | '\u{370}'..='\u{37D}' | '\u{37F}'..='\u{1FFF}' | '\u{200C}'..='\u{200D}'
        | '\u{2070}'..='\u{218F}' | '\u{2C00}'..='\u{2FEF}' | '\u{3001}'..='\u{D7FF}'
        | '\u{F900}'..='\u{FDCF}' | '\u{FDF0}'..='\u{FFFD}' | '\u{10000}'..='\u{EFFFF}')
}

/// Whether a name may contain the character after its start (§2.3, production 4a), excluding the
/// colon.
pub(super) const fn is_name(character: char) -> bool {
    is_name_start(character)
        || matches!(character,
            '-' | '.' | '0'..='9' | '\u{B7}' | '\u{300}'..='\u{36F}' | '\u{203F}'..='\u{2040}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_are_those_of_production_2_at_every_edge() {
        for allowed in "\t\n\r \u{7F}\u{D7FF}\u{E000}\u{FFFD}\u{10000}\u{10FFFF}".chars() {
            assert!(is_allowed(allowed), "{allowed:?}");
            assert_eq!(first_forbidden(&allowed.to_string()), None, "{allowed:?}");
        }
        for forbidden in "\0\u{8}\u{B}\u{C}\u{E}\u{1F}\u{FFFE}\u{FFFF}".chars() {
            assert!(!is_allowed(forbidden), "{forbidden:?}");
            assert_eq!(first_forbidden(&forbidden.to_string()), Some(0), "{forbidden:?}");
        }
    }

    #[test]
    fn a_forbidden_character_is_found_at_any_position() {
        for before in [0, 1, 61, 62, 63, 64, 65, 200] {
            for forbidden in ['\u{1}', '\u{FFFE}', '\u{FFFF}'] {
                let text = format!("{}{forbidden}，x", "a".repeat(before));
                assert_eq!(first_forbidden(&text), Some(before), "{before} {forbidden:?}");
            }
            let fine = format!("{}，\u{FFFD}\u{F000}é", "a".repeat(before));
            assert_eq!(first_forbidden(&fine), None);
        }
    }

    #[test]
    fn names_start_and_go_on_with_the_ranges_of_production_4() {
        let starts = "AZaz_\u{C0}\u{D6}\u{D8}\u{F6}\u{F8}\u{2FF}\u{370}\u{37D}\u{37F}\u{1FFF}\
                      \u{200C}\u{200D}\u{2070}\u{218F}\u{2C00}\u{2FEF}\u{3001}\u{D7FF}\u{F900}\
                      \u{FDCF}\u{FDF0}\u{FFFD}\u{10000}\u{EFFFF}";
        assert!(starts.chars().all(|character| is_name_start(character) && is_name(character)));
        let goes_on = "-.09\u{B7}\u{300}\u{36F}\u{203F}\u{2040}";
        assert!(goes_on.chars().all(|character| !is_name_start(character) && is_name(character)));
        let never = "@[`{/;:\u{BF}\u{D7}\u{F7}\u{37E}\u{2000}\u{200B}\u{200E}\u{203E}\u{2041}\
                     \u{206F}\u{2190}\u{2BFF}\u{2FF0}\u{3000}\u{E000}\u{F8FF}\u{FDD0}\u{FDEF}\
                     \u{F0000}";
        assert!(!never.chars().any(is_name));
    }
}
