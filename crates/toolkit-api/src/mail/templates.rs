//! Mail templates: the mails to the operator and to subscribers, as text and HTML.

use maud::{DOCTYPE, Markup, html};
use time::format_description::well_known::Rfc3339;
use toolkit_server::settings::{HttpUrl, Mailbox};
use toolkit_store::{ConfirmationMail, Contact};

use super::draft::Draft;

/// Characters of a message used as the subject of its mail, if the sender gave none.
const FIRST_WORDS_MAX: usize = 60;

/// A message of the contact form, for the operator.
pub(super) fn contact(contact: &Contact, operator: &Mailbox, service: &str) -> Draft {
    let received = contact.created_at.format(&Rfc3339).unwrap_or_default();
    let number = contact.id.to_string();
    let subject = contact.subject.as_deref().unwrap_or("(none)");
    let facts = [
        ("Name", contact.name.as_str()),
        ("Address", &contact.email),
        ("Subject", subject),
        ("Received", &received),
        ("Number", &number),
    ];
    let mut text = format!("A message came in through the contact form of {service}.\n\n");
    for (name, value) in facts {
        text.extend([name, ": ", value, "\n"]);
    }
    text.push_str("\n----------\n");
    text.push_str(&contact.message);
    text.push('\n');
    let content = html! {
        p { "A message came in through the contact form of " (service) "." }
        table {
            @for (name, value) in facts {
                tr { th align="left" { (name) } td { (value) } }
            }
        }
        hr;
        div style="white-space: pre-wrap" { (contact.message) }
    };
    Draft {
        to: operator.clone(),
        reply_to: Some(contact.email.clone()),
        subject: format!("[{service}] {}", topic(contact)),
        text,
        html: page(&content),
        unsubscribe_url: None,
    }
}

/// Subject of a message: the sender's, or the first words of the message, on one line.
fn topic(contact: &Contact) -> String {
    let line = |text: &str| {
        let words = text.split(|c: char| c.is_whitespace() || c.is_control());
        words
            .filter(|word| !word.is_empty())
            .collect::<Vec<_>>()
            .join(" ")
    };
    let subject = line(contact.subject.as_deref().unwrap_or_default());
    if !subject.is_empty() {
        return subject;
    }
    let message = line(&contact.message);
    if message.chars().count() <= FIRST_WORDS_MAX {
        return message;
    }
    let start: String = message.chars().take(FIRST_WORDS_MAX).collect();
    let words = start
        .rsplit_once(' ')
        .map_or(start.as_str(), |(words, _)| words);
    format!("{words}…")
}

/// The confirmation request for a subscription.
pub(super) fn confirmation(mail: &ConfirmationMail, base_url: &HttpUrl, service: &str) -> Draft {
    let link = |path: &str, token: &str| {
        let url = base_url.join(&format!("/toolkit/api/{path}?token={token}"));
        url.as_str().to_owned()
    };
    let confirm = link("subscribe/confirm", mail.confirm.expose());
    let unsubscribe = link("unsubscribe", mail.unsubscribe.expose());
    let app = &mail.app_id;
    let text = format!(
        "Somebody, probably you, asked for the newsletter \"{app}\" to be sent to this address.\n\n\
         If you want it, open this page within 48 hours and press its button:\n{confirm}\n\n\
         If not, there is nothing to do: without your confirmation nothing is sent.\n\n\
         To unsubscribe, now or later:\n{unsubscribe}\n\n\
         This mail comes from {service}, {base_url}.\n"
    );
    let content = html! {
        p { "Somebody, probably you, asked for the newsletter “" (app) "” to be sent to this address." }
        p { "If you want it, open this page within 48 hours and press its button:" }
        p { a href=(confirm) { "Confirm the subscription" } }
        p { "If not, there is nothing to do: without your confirmation nothing is sent." }
        p { a href=(unsubscribe) { "Unsubscribe" } ", now or later." }
        p { "This mail comes from " (service) ", " (base_url) "." }
    };
    Draft {
        to: Mailbox::of(&mail.email),
        reply_to: None,
        subject: "Please confirm your subscription".to_owned(),
        text,
        html: page(&content),
        unsubscribe_url: Some(unsubscribe),
    }
}

/// A mail that tries the settings.
pub(super) fn test(address: &str, service: &str) -> Draft {
    let text = format!("The mail settings of {service} work.\n");
    Draft {
        to: Mailbox::of(address),
        reply_to: None,
        subject: format!("[{service}] Test"),
        html: page(&html! { p { (text) } }),
        text,
        unsubscribe_url: None,
    }
}

fn page(content: &Markup) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head { meta charset="utf-8"; }
            body { (content) }
        }
    };
    page.into_string()
}

#[cfg(test)]
mod tests {
    use time::OffsetDateTime;
    use toolkit_store::Ulid;

    use super::*;

    fn message(subject: Option<&str>, message: &str) -> Contact {
        Contact {
            id: Ulid::nil(),
            name: "<b>Ada</b>".to_owned(),
            email: "ada&co@example.org".to_owned(),
            subject: subject.map(str::to_owned),
            message: message.to_owned(),
            created_at: OffsetDateTime::UNIX_EPOCH,
        }
    }

    #[test]
    fn the_subject_is_that_of_the_sender_or_the_first_words_of_the_message() {
        let long = "word ".repeat(40);
        let cut = format!("[Toolkit] {}…", "word ".repeat(12).trim_end());
        let unbroken = "x".repeat(100);
        let cut_unbroken = format!("[Toolkit] {}…", "x".repeat(60));
        for (subject, text, expected) in [
            (Some("A question"), "Hello", "[Toolkit] A question"),
            (
                Some("two\r\nBcc: eve@example.org"),
                "Hello",
                "[Toolkit] two Bcc: eve@example.org",
            ),
            (None, "Hello,\n\n  may I?\u{7}", "[Toolkit] Hello, may I?"),
            (Some("  "), "Hello", "[Toolkit] Hello"),
            (None, &long, &cut),
            (None, &unbroken, &cut_unbroken),
        ] {
            let operator = Mailbox::of("operator@example.org");
            let draft = contact(&message(subject, text), &operator, "Toolkit");
            assert_eq!(draft.subject, expected);
        }
    }

    #[test]
    fn what_a_sender_wrote_is_escaped_in_html() {
        let contact = message(
            Some("</td><script>alert(1)</script>"),
            "<img src=x onerror=alert(1)>\n\"quoted\" & done",
        );
        let operator = Mailbox::of("operator@example.org");
        let draft = super::contact(&contact, &operator, "Tom & Co.");
        assert!(!draft.html.contains("<b>") && !draft.html.contains("<script"));
        assert!(!draft.html.contains("<img"));
        assert!(
            draft
                .html
                .contains("&lt;img src=x onerror=alert(1)&gt;\n&quot;quoted&quot; &amp; done")
        );
        assert!(
            draft
                .text
                .contains("\n<img src=x onerror=alert(1)>\n\"quoted\" & done\n")
        );
        assert!(draft.html.contains("the contact form of Tom &amp; Co."));
        assert_eq!(draft.to, operator);
        assert_eq!(draft.reply_to.as_deref(), Some("ada&co@example.org"));
    }
}
