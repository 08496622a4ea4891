//! Service name, as used by pages, mails and the MCP server.

use super::Textual;

const CHARACTERS_MAX: usize = 40;

/// A name of 1 to 40 characters on one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServiceName(String);

impl ServiceName {
    /// The name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Default for ServiceName {
    fn default() -> Self {
        Self("Toolkit".to_owned())
    }
}

impl Textual for ServiceName {
    const EXPECTED: &'static str =
        "a name of 1 to 40 characters on one line, without spaces around it";

    fn read(text: &str) -> Option<Self> {
        let length = text.chars().count();
        let fits = (1..=CHARACTERS_MAX).contains(&length) && text.trim() == text;
        (fits && !text.contains(char::is_control)).then(|| Self(text.to_owned()))
    }

    fn shown(&self) -> String {
        self.0.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_short_and_on_one_line() {
        for text in ["Toolkit", "Übersicht & Co.", &"a".repeat(40)] {
            assert!(ServiceName::read(text).is_some(), "{text}");
        }
        for text in ["", " ", "Toolkit ", "a\nb", "a\u{7f}b", &"a".repeat(41)] {
            assert!(ServiceName::read(text).is_none(), "{text:?}");
        }
    }
}
