//! Mailbox: an e-mail address, with or without a display name.
//!
//! Standard: RFC 5322, section 3.4: `addr-spec` and `name-addr`. Comments, quoted local parts and
//! address literals are refused.

use std::fmt;

use super::Textual;

/// Octets of an address (RFC 5321, section 4.5.3.1.3, without the angle brackets).
const OCTETS_MAX: usize = 254;

/// Characters of a display name.
const NAME_CHARACTERS_MAX: usize = 100;

/// Characters that need quotation marks in a display name (RFC 5322, section 3.2.3). A full stop
/// does not (section 4.1).
const SPECIALS: &str = "()<>[]:;@\\,\"";

/// Sender or recipient of mail: `toolkit@example.org`, or `Toolkit <toolkit@example.org>`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mailbox {
    name: Option<String>,
    address: String,
}

impl Mailbox {
    /// An address that was checked elsewhere, without a display name.
    pub fn of(address: &str) -> Self {
        Self { name: None, address: address.to_owned() }
    }

    /// The display name, without quotation marks.
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// The address: one `@`, a dot in the domain, no white space or control character.
    pub fn address(&self) -> &str {
        &self.address
    }
}

impl Textual for Mailbox {
    const EXPECTED: &'static str =
        "an e-mail address, such as toolkit@example.org or Toolkit <toolkit@example.org>";

    fn read(text: &str) -> Option<Self> {
        let (name, address) = match text.strip_suffix('>') {
            Some(rest) => {
                let (name, address) = rest.rsplit_once('<')?;
                (display_name(name.trim())?, address)
            }
            None => (String::new(), text),
        };
        is_address(address).then(|| Self {
            name: Some(name).filter(|name| !name.is_empty()),
            address: address.to_owned(),
        })
    }

    fn shown(&self) -> String {
        self.to_string()
    }
}

impl fmt::Display for Mailbox {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.name {
            None => f.write_str(&self.address),
            Some(name) if name.contains(|c| SPECIALS.contains(c)) => {
                let name = name.replace('\\', r"\\").replace('"', r#"\""#);
                write!(f, "\"{name}\" <{}>", self.address)
            }
            Some(name) => write!(f, "{name} <{}>", self.address),
        }
    }
}

fn is_address(text: &str) -> bool {
    let Some((local, domain)) = text.split_once('@') else {
        return false;
    };
    let is_whole = !local.is_empty() && !domain.contains('@') && text.len() <= OCTETS_MAX;
    let is_dotted = domain.contains('.') && domain.split('.').all(|label| !label.is_empty());
    let is_clean =
        !text.contains(|c: char| c.is_control() || c.is_whitespace() || "<>,\"".contains(c));
    is_whole && is_dotted && is_clean
}

/// Decodes a display name; `None` if it is invalid.
fn display_name(text: &str) -> Option<String> {
    let quoted = text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    let name = match quoted {
        Some(quoted) => unquoted(quoted)?,
        None if text.contains(|c| SPECIALS.contains(c)) => return None,
        None => text.to_owned(),
    };
    let is_one_line = !name.contains(char::is_control);
    (is_one_line && name.chars().count() <= NAME_CHARACTERS_MAX).then_some(name)
}

/// The content of a quoted string (RFC 5322, section 3.2.4).
fn unquoted(text: &str) -> Option<String> {
    let mut name = String::new();
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        match character {
            '"' => return None,
            '\\' => name.push(characters.next()?),
            _ => name.push(character),
        }
    }
    Some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_alone_or_after_a_display_name() {
        for (text, name, address, shown) in [
            ("a@b.c", None, "a@b.c", None),
            ("ü@exämple.org", None, "ü@exämple.org", None),
            ("<a@b.c>", None, "a@b.c", Some("a@b.c")),
            ("Toolkit <a@b.c>", Some("Toolkit"), "a@b.c", None),
            ("J. Doe<a@b.c>", Some("J. Doe"), "a@b.c", Some("J. Doe <a@b.c>")),
            ("Wörk Tools <a@b.c>", Some("Wörk Tools"), "a@b.c", None),
            (r#""Doe, J." <a@b.c>"#, Some("Doe, J."), "a@b.c", None),
            (r#""a \"b\" \\ c" <a@b.c>"#, Some(r#"a "b" \ c"#), "a@b.c", None),
            (r#""Plain" <a@b.c>"#, Some("Plain"), "a@b.c", Some("Plain <a@b.c>")),
        ] {
            let mailbox = Mailbox::read(text).unwrap();
            assert_eq!((mailbox.name(), mailbox.address()), (name, address), "{text}");
            assert_eq!(mailbox.shown(), shown.unwrap_or(text));
            assert_eq!(Mailbox::read(&mailbox.shown()), Some(mailbox));
        }
    }

    #[test]
    fn what_is_not_a_mailbox_is_refused() {
        let long_address = format!("{}@example.org", "a".repeat(OCTETS_MAX));
        let long_name = format!("{} <a@b.c>", "n".repeat(NAME_CHARACTERS_MAX + 1));
        for text in [
            "",
            "a",
            "@b.c",
            "a@",
            "a@b",
            "a@b@c.d",
            "a@b..c",
            "a b@c.d",
            "a@b.c, d@e.f",
            "Toolkit a@b.c",
            "Toolkit <a@b.c",
            "Toolkit <a@b.c> x",
            "Toolkit <a>",
            "Doe, J. <a@b.c>",
            "Doe (x) <a@b.c>",
            r#""open <a@b.c>"#,
            r#""a" b" <a@b.c>"#,
            "two\nlines <a@b.c>",
            &long_address,
            &long_name,
        ] {
            assert!(Mailbox::read(text).is_none(), "{text}");
        }
    }
}
