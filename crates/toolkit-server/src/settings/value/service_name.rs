//! Service name, as used by pages, mails and the MCP server.

use super::checked_text;

const CHARACTERS_MAX: usize = 40;

checked_text! {
    /// A name of 1 to 40 characters on one line.
    pub struct ServiceName: "a name of 1 to 40 characters on one line, without spaces around it",
    read |text| {
        let length = text.chars().count();
        let fits = (1..=CHARACTERS_MAX).contains(&length) && text.trim() == text;
        (fits && !text.contains(char::is_control)).then(|| text.to_owned())
    }
}

impl Default for ServiceName {
    fn default() -> Self {
        Self("Toolkit".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_short_and_on_one_line() {
        for text in ["Toolkit", "Übersicht & Co.", &"a".repeat(40)] {
            assert!(ServiceName::parse(text).is_some(), "{text}");
        }
        for text in ["", " ", "Toolkit ", "a\nb", "a\u{7f}b", &"a".repeat(41)] {
            assert!(ServiceName::parse(text).is_none(), "{text:?}");
        }
    }
}
