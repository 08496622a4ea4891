//! E-mail address parser.
//!
//! Standard: the `dot-atom` address of RFC 5322, section 3.4.1, with any non-ASCII characters as in
//! RFC 6531. The domain must have a dot. Leaves out quoted local parts, comments and address
//! literals (`me@[192.0.2.1]`), and does not check whether the mailbox exists.

use std::str::FromStr;

use crate::limits::{DOMAIN_LABEL_OCTETS_MAX, EMAIL_LOCAL_OCTETS_MAX, EMAIL_OCTETS_MAX};

/// A well-formed address with its domain in lower case.
///
/// Two addresses are equal if they differ only in the case of their domains. The part before the
/// `@` is up to the mail server and compared exactly.
///
/// ```
/// use toolkit_store::Email;
///
/// let email: Email = "Ada.Lovelace@Example.ORG".parse()?;
/// assert_eq!(email.as_str(), "Ada.Lovelace@example.org");
/// # Ok::<(), toolkit_store::EmailError>(())
/// ```
///
/// Debug output ends up in logs, so it shows none of it.
#[derive(Clone, PartialEq, Eq, Hash, derive_more::Debug, derive_more::Display)]
#[debug("Email(…)")]
pub struct Email(String);

/// The reason a text is not an e-mail address. The message follows the name of a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum EmailError {
    /// Longer than an address can be.
    #[error(
        "must have at most {EMAIL_OCTETS_MAX} octets, {EMAIL_LOCAL_OCTETS_MAX} of them before the `@`"
    )]
    TooLong,
    /// White space, as around an address that was pasted.
    #[error("must have no white space, as in name@example.org")]
    WhiteSpace,
    /// No `@`, or several.
    #[error("must have exactly one `@`, as in name@example.org")]
    AtSign,
    /// Nothing, or an invalid character or dot, before the `@`.
    #[error(
        "must have letters, digits, single dots or any of !#$%&'*+-/=?^_`{{|}}~ before the `@`, \
         as in name@example.org"
    )]
    Local,
    /// No dot, or not a domain.
    #[error(
        "must have a domain after the `@`: two or more names of up to {DOMAIN_LABEL_OCTETS_MAX} letters, \
         digits and hyphens, with dots between them, as in name@example.org"
    )]
    Domain,
}

impl Email {
    /// The address as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The form that all spellings of an address share: lower case, with the domain in ASCII (RFC
    /// 5890).
    pub(crate) fn key(&self) -> String {
        let (local, domain) = self.0.split_once('@').unwrap_or((&self.0, ""));
        let domain = idna::domain_to_ascii(domain).unwrap_or_else(|_| domain.to_owned());
        format!("{}@{domain}", local.to_lowercase())
    }
}

impl FromStr for Email {
    type Err = EmailError;

    fn from_str(text: &str) -> Result<Self, EmailError> {
        if text.contains(char::is_whitespace) {
            return Err(EmailError::WhiteSpace);
        }
        let (local, domain) = text.split_once('@').ok_or(EmailError::AtSign)?;
        if domain.contains('@') {
            return Err(EmailError::AtSign);
        }
        let domain = domain.to_lowercase();
        let email = format!("{local}@{domain}");
        // Some letters take more bytes in lower case.
        if text.len().max(email.len()) > EMAIL_OCTETS_MAX || local.len() > EMAIL_LOCAL_OCTETS_MAX {
            return Err(EmailError::TooLong);
        }
        if !local.split('.').all(is_atom) {
            return Err(EmailError::Local);
        }
        if !domain.contains('.') || !domain.split('.').all(is_domain_label) {
            return Err(EmailError::Domain);
        }
        Ok(Self(email))
    }
}

/// Whether `text` is an `atom` (RFC 5322, section 3.2.3), which may include non-ASCII characters
/// (RFC 6531).
fn is_atom(text: &str) -> bool {
    !text.is_empty()
        && text.chars().all(|c| {
            c.is_ascii_alphanumeric() || "!#$%&'*+-/=?^_`{|}~".contains(c) || is_international(c)
        })
}

fn is_domain_label(label: &str) -> bool {
    (1..=DOMAIN_LABEL_OCTETS_MAX).contains(&label.len())
        && !label.starts_with('-')
        && !label.ends_with('-')
        && label.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || is_international(c))
}

/// Whether `c` is non-ASCII and visible: not a control, space or bidirectional control.
fn is_international(c: char) -> bool {
    let turns =
        matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let hides = matches!(c, '\u{200b}' | '\u{2028}' | '\u{2029}' | '\u{feff}');
    !c.is_ascii() && !c.is_control() && !c.is_whitespace() && !turns && !hides
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn ok(text: &str, expected: &str) {
        assert_eq!(text.parse::<Email>().as_ref().map(Email::as_str), Ok(expected), "{text}");
    }

    #[track_caller]
    fn err(text: &str, expected: EmailError) {
        assert_eq!(text.parse::<Email>(), Err(expected), "{text:?}");
    }

    #[test]
    fn ordinary_and_international_addresses_are_accepted() {
        ok("a@b.c", "a@b.c");
        ok("o'brien+news=1@mail.example.co.uk", "o'brien+news=1@mail.example.co.uk");
        ok("!#$%&'*+-/=?^_`{|}~@example.org", "!#$%&'*+-/=?^_`{|}~@example.org");
        ok("müller@exämple.de", "müller@exämple.de");
        ok("用户@例子.公司", "用户@例子.公司");
        ok("x@xn--bcher-kva.example", "x@xn--bcher-kva.example");
        ok("1@2.3", "1@2.3");
    }

    #[test]
    fn the_domain_is_lower_case_and_the_rest_is_kept() {
        ok("Ada@EXAMPLE.Org", "Ada@example.org");
        ok("Ada@EXÄMPLE.org", "Ada@exämple.org");
        assert_ne!("Ada@example.org".parse::<Email>(), "ada@example.org".parse());
    }

    #[test]
    fn all_spellings_of_an_address_have_one_key() {
        for text in
            ["Müller@Bücher.example", "müller@BÜCHER.example", "MÜLLER@xn--bcher-kva.example"]
        {
            let email: Email = text.parse().unwrap();
            assert_eq!(email.key(), "müller@xn--bcher-kva.example");
        }
    }

    #[test]
    fn white_space_is_named() {
        for text in [
            " a@b.c",
            "a@b.c ",
            "a@b.c\n",
            "a b@c.d",
            "a\tb@c.d",
            "a\u{a0}b@c.d",
            "a\r\nBcc: x@b.c",
            "\"a b\"@c.d",
            "a\u{85}@b.c",
            "a@b\u{2028}.c",
            " ",
        ] {
            err(text, EmailError::WhiteSpace);
        }
    }

    #[test]
    fn there_is_exactly_one_at_sign() {
        for text in ["", "a", "a.b.c", "a@b@c.d", "a@@b.c", "@a@b.c"] {
            err(text, EmailError::AtSign);
        }
    }

    #[test]
    fn the_part_before_the_at_sign_is_a_dot_atom() {
        for text in [
            "@b.c",
            ".a@b.c",
            "a.@b.c",
            "a..b@c.d",
            "a\0b@c.d",
            "a\u{7f}@b.c",
            "<a@b.c",
            "a,b@c.d",
            "a;b@c.d",
            "(x)a@b.c",
            "a:b@c.d",
            "a\\b@c.d",
            "a\u{202e}b@c.d",
            "a\u{200b}@b.c",
        ] {
            err(text, EmailError::Local);
        }
    }

    #[test]
    fn the_domain_has_a_dot_and_whole_labels() {
        for text in [
            "a@",
            "a@b",
            "a@localhost",
            "a@.b",
            "a@b.",
            "a@b..c",
            "a@-b.c",
            "a@b-.c",
            "a@b_c.d",
            "a@[192.0.2.1]",
            "a@b.c>",
            "a@b/c.d",
            "a@b\0.c",
            "a@b.c,d",
        ] {
            err(text, EmailError::Domain);
        }
        ok(&format!("a@{}.c", "b".repeat(63)), &format!("a@{}.c", "b".repeat(63)));
        err(&format!("a@{}.c", "b".repeat(64)), EmailError::Domain);
    }

    #[test]
    fn an_address_has_at_most_254_octets() {
        let label = "d".repeat(61);
        let address = |last: usize| {
            format!("{}@{label}.{label}.{label}.{}", "l".repeat(64), "e".repeat(last))
        };
        let longest = address(254 - 64 - 1 - 3 * 62);
        assert_eq!(longest.len(), 254);
        ok(&longest, &longest);
        err(&address(254 - 64 - 3 * 62), EmailError::TooLong);
        err(&format!("{}@b.c", "l".repeat(65)), EmailError::TooLong);
        // `İ` takes two octets, its lower case three.
        err(
            &format!(
                "{}@{}.{}.{}.de",
                "l".repeat(64),
                "İ".repeat(21),
                "İ".repeat(21),
                "İ".repeat(21)
            ),
            EmailError::TooLong,
        );
    }

    #[test]
    fn an_address_is_not_in_debug_output() {
        assert_eq!(format!("{:?}", "ada@example.org".parse::<Email>().unwrap()), "Email(…)");
    }
}
