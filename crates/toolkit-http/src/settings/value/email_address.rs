//! Whom mail is from, and whom it is for.

use super::{Textual, textual};

/// Octets of an address (RFC 5321, section 4.5.3.1.3, without the angle brackets).
const OCTETS_MAX: usize = 254;

/// An e-mail address: one `@`, a dot in the domain, no white space or control character.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EmailAddress(String);

impl EmailAddress {
    /// The address as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Textual for EmailAddress {
    const EXPECTED: &'static str = "an e-mail address, such as toolkit@example.org";

    fn read(text: &str) -> Option<Self> {
        let (local, domain) = text.split_once('@')?;
        let whole = !local.is_empty() && !domain.contains('@') && text.len() <= OCTETS_MAX;
        let dotted =
            domain.split('.').count() > 1 && domain.split('.').all(|label| !label.is_empty());
        let clean =
            !text.contains(|c: char| c.is_control() || c.is_whitespace() || "<>,".contains(c));
        (whole && dotted && clean).then(|| Self(text.to_owned()))
    }

    fn shown(&self) -> String {
        self.0.clone()
    }
}

textual!(EmailAddress);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_told_from_what_is_none() {
        for text in ["a@b.c", "first.last+tag@mail.example.org", "ü@exämple.org"] {
            assert!(EmailAddress::read(text).is_some(), "{text}");
        }
        let long = format!("{}@example.org", "a".repeat(OCTETS_MAX));
        for text in [
            "",
            "a",
            "@b.c",
            "a@",
            "a@b",
            "a@b@c.d",
            "a@b..c",
            "a b@c.d",
            "N <a@b.c>",
            &long,
        ] {
            assert!(EmailAddress::read(text).is_none(), "{text}");
        }
    }
}
