//! Mail templates: the mails to operator and subscribers, as text and HTML.

use maud::{DOCTYPE, Markup, html};
use time::format_description::well_known::Rfc3339;
use toolkit_server::settings::{HttpUrl, Mailbox};
use toolkit_store::{ConfirmationMail, Contact};

use super::draft::Draft;
use crate::office::apps::Apps;
use crate::office::texts::fill;

/// Characters of a message used as the mail's subject if the sender gave none.
const FIRST_WORDS_MAX: usize = 60;

/// A contact form message, for the operator.
pub(super) fn contact(contact: &Contact, operator: &Mailbox, service: &str) -> Draft {
    let received = contact.created_at.format(&Rfc3339).unwrap_or_default();
    let id = contact.id.to_string();
    let subject = contact.subject.as_deref().unwrap_or("(none)");
    let facts = [
        ("Name", contact.name.as_str()),
        ("Address", &contact.email),
        ("Subject", subject),
        ("Received", &received),
        ("ID", &id),
    ];
    let mut text = format!("New message from the contact form of {service}:\n\n");
    for (name, value) in facts {
        text.extend([name, ": ", value, "\n"]);
    }
    text.push_str("\n----------\n");
    text.push_str(&contact.message);
    text.push('\n');
    let content = html! {
        p { "New message from the contact form of " (service) ":" }
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
        html: page("en", &content),
        unsubscribe_url: None,
    }
}

/// The subject: the sender's, or the first words of the message, on one line.
fn topic(contact: &Contact) -> String {
    let line = |text: &str| {
        let words = text.split(|c: char| c.is_whitespace() || c.is_control());
        words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
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
    let words = start.rsplit_once(' ').map_or(start.as_str(), |(words, _)| words);
    format!("{words}…")
}

/// The request to confirm a subscription.
pub(super) fn confirmation(
    mail: &ConfirmationMail,
    apps: &Apps,
    base_url: &HttpUrl,
    service: &str,
) -> Draft {
    let link = |path: &str, token: &str| {
        let url = base_url.join(&format!("/toolkit/api/{path}?token={token}"));
        url.as_str().to_owned()
    };
    let confirm = link("subscribe/confirm", mail.confirm.expose());
    let unsubscribe = link("unsubscribe", mail.unsubscribe.expose());
    let (app, texts) = (apps.get(&mail.app_id), apps.texts(&mail.app_id));
    let own_text = app.and_then(|app| app.confirm_text.as_ref());
    let subject = app.and_then(|app| app.confirm_subject.as_ref());
    // A custom text uses the app's name, ours a phrase that fits into the sentence.
    let newsletter = apps.newsletter(&mail.app_id);
    let name = own_text.and(apps.name(&mail.app_id)).unwrap_or(&newsletter);
    let text = fill(own_text.map_or(texts.confirm_text, |text| text.as_str()), |word| match word {
        "app" => name,
        "address" => &mail.email,
        _ => &confirm,
    });
    let leave = fill(texts.unsubscribe_text, |_| &unsubscribe);
    let sender = fill(texts.sender_text, |word| match word {
        "service" => service,
        _ => base_url.as_str(),
    });
    let text = format!("{}\n\n{leave}\n\n{sender}\n", text.trim_end());
    let links = [
        (confirm.as_str(), texts.confirm.button),
        (unsubscribe.as_str(), texts.unsubscribe.button),
    ];
    Draft {
        to: Mailbox::of(&mail.email),
        reply_to: None,
        subject: subject.map_or(texts.confirm_subject, |line| line.as_str()).to_owned(),
        html: page(texts.tag, &paragraphs(&text, &links)),
        text,
        unsubscribe_url: Some(unsubscribe),
    }
}

/// A text as HTML, with links instead of their addresses.
fn paragraphs(text: &str, links: &[(&str, &str)]) -> Markup {
    let line = |line: &str| {
        let found = links.iter().find_map(|(url, words)| Some((line.split_once(url)?, url, words)));
        html! {
            @match found {
                Some(((before, after), url, words)) => { (before) a href=(url) { (words) } (after) }
                None => { (line) }
            }
        }
    };
    html! {
        @for paragraph in text.split("\n\n") {
            p {
                @for (number, text) in paragraph.trim_end().split('\n').enumerate() {
                    @if number > 0 { br; }
                    (line(text))
                }
            }
        }
    }
}

/// A test mail.
pub(super) fn test(address: &str, service: &str) -> Draft {
    let text = format!("The mail settings of {service} work.\n");
    Draft {
        to: Mailbox::of(address),
        reply_to: None,
        subject: format!("[{service}] Test"),
        html: page("en", &html! { p { (text) } }),
        text,
        unsubscribe_url: None,
    }
}

fn page(language: &str, content: &Markup) -> String {
    let page = html! {
        (DOCTYPE)
        html lang=(language) {
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
            app_id: None,
            created_at: OffsetDateTime::UNIX_EPOCH,
            mailed_at: None,
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
            (Some("two\r\nBcc: eve@example.org"), "Hello", "[Toolkit] two Bcc: eve@example.org"),
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
        assert!(draft.text.contains("\n<img src=x onerror=alert(1)>\n\"quoted\" & done\n"));
        assert!(draft.html.contains("the contact form of Tom &amp; Co."));
        assert_eq!(draft.to, operator);
        assert_eq!(draft.reply_to.as_deref(), Some("ada&co@example.org"));
    }
}
