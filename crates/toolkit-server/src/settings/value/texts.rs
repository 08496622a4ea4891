//! Texts for people: names, subjects, and mail texts.

use super::checked_text;

const SLUG_CHARACTERS_MAX: usize = 64;
const NAME_CHARACTERS_MAX: usize = 40;
const LINE_CHARACTERS_MAX: usize = 200;
const TEXT_CHARACTERS_MAX: usize = 10_000;

/// Placeholders that a text may contain.
const PLACEHOLDERS: [&str; 3] = ["app", "address", "link"];

/// The events of [`EventName`].
pub const EVENTS: [&str; 4] =
    ["contact.received", "subscriber.confirmed", "subscriber.ended", "mail.given_up"];

checked_text! {
    /// Name of an event that a webhook receives.
    pub struct EventName: "the events contact.received, subscriber.confirmed, subscriber.ended and \
                           mail.given_up",
    read |text| EVENTS.contains(&text).then(|| text.to_owned())
}

checked_text! {
    /// The identifier of an app.
    pub struct Slug: "1 to 64 letters, digits, dots, hyphens or underscores",
    read |text| {
        let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"._-".contains(&byte);
        let fits = (1..=SLUG_CHARACTERS_MAX).contains(&text.len());
        (fits && text.bytes().all(is_allowed)).then(|| text.to_owned())
    }
}

impl Default for Slug {
    fn default() -> Self {
        Self("app".to_owned())
    }
}

checked_text! {
    /// The name of the service, as shown on pages, in mails and by the MCP server.
    pub struct ServiceName: "a name of 1 to 40 characters on one line, without spaces around it",
    read |text| {
        let length = text.chars().count();
        let fits = (1..=NAME_CHARACTERS_MAX).contains(&length) && text.trim() == text;
        (fits && !text.contains(char::is_control)).then(|| text.to_owned())
    }
}

impl Default for ServiceName {
    fn default() -> Self {
        Self("Toolkit".to_owned())
    }
}

checked_text! {
    /// A line of text.
    pub struct Line: "a text of 1 to 200 characters on one line",
    read |text| {
        let fits = (1..=LINE_CHARACTERS_MAX).contains(&text.chars().count());
        (fits && !text.trim().is_empty() && !text.contains(char::is_control)).then(|| text.to_owned())
    }
}

checked_text! {
    /// The text of confirmation mails.
    pub struct ConfirmText: "a text of at most 10000 characters that contains {{link}}, and no other {{…}} than {{app}} and {{address}}",
    read |text| {
        let mut names = text.split("{{").skip(1).map(|rest| rest.split_once("}}").map(|(name, _)| name));
        let known = names.all(|name| name.is_some_and(|name| PLACEHOLDERS.contains(&name)));
        let fits = text.chars().count() <= TEXT_CHARACTERS_MAX && text.contains("{{link}}");
        let plain = !text.contains(|c: char| c.is_control() && c != '\n' && c != '\r' && c != '\t');
        (known && fits && plain).then(|| text.replace("\r\n", "\n"))
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

    #[test]
    fn a_confirmation_text_has_its_link_and_nothing_that_cannot_be_filled_in() {
        for text in ["{{link}}", "Hello {{address}},\r\n{{app}}:\n\n{{link}}\n"] {
            assert!(ConfirmText::parse(text).is_some(), "{text}");
        }
        for text in
            ["", "Hello", "{{ link }}", "{{link}} {{name}}", "{{link}} {{app", "{{link}}\u{1b}"]
        {
            assert!(ConfirmText::parse(text).is_none(), "{text}");
        }
    }
}
