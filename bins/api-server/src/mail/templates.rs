//! What the mails say.

use maud::{DOCTYPE, Markup, html};
use time::format_description::well_known::Rfc3339;
use toolkit_http::settings::HttpUrl;
use toolkit_store::{ConfirmationMail, Contact};

use super::Draft;

/// A message of the contact form, for the operator.
pub(super) fn contact(contact: &Contact, operator: &str) -> Draft {
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
    let mut text = "A message came in through the contact form.\n\n".to_owned();
    for (name, value) in facts {
        text.extend([name, ": ", value, "\n"]);
    }
    text.push_str("\n----------\n");
    text.push_str(&contact.message);
    text.push('\n');
    let content = html! {
        p { "A message came in through the contact form." }
        table {
            @for (name, value) in facts {
                tr { th align="left" { (name) } td { (value) } }
            }
        }
        hr;
        div style="white-space: pre-wrap" { (contact.message) }
    };
    Draft {
        to: operator.to_owned(),
        reply_to: Some(contact.email.clone()),
        subject: "A message from the contact form",
        text,
        html: page(&content),
        unsubscribe_url: None,
    }
}

/// The question whether a subscription is wanted.
pub(super) fn confirmation(mail: &ConfirmationMail, base_url: &HttpUrl) -> Draft {
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
         To unsubscribe, now or later:\n{unsubscribe}\n"
    );
    let content = html! {
        p { "Somebody, probably you, asked for the newsletter “" (app) "” to be sent to this address." }
        p { "If you want it, open this page within 48 hours and press its button:" }
        p { a href=(confirm) { "Confirm the subscription" } }
        p { "If not, there is nothing to do: without your confirmation nothing is sent." }
        p { a href=(unsubscribe) { "Unsubscribe" } ", now or later." }
    };
    Draft {
        to: mail.email.clone(),
        reply_to: None,
        subject: "Please confirm your subscription",
        text,
        html: page(&content),
        unsubscribe_url: Some(unsubscribe),
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

    #[test]
    fn what_a_sender_wrote_is_escaped_in_html_and_in_no_header() {
        let contact = Contact {
            id: Ulid::nil(),
            name: "<b>Ada</b>".to_owned(),
            email: "ada&co@example.org".to_owned(),
            subject: Some("</td><script>alert(1)</script>".to_owned()),
            message: "<img src=x onerror=alert(1)>\n\"quoted\" & done".to_owned(),
            created_at: OffsetDateTime::UNIX_EPOCH,
        };
        let draft = super::contact(&contact, "operator@example.org");
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
        assert_eq!(draft.to, "operator@example.org");
        assert_eq!(draft.reply_to.as_deref(), Some("ada&co@example.org"));
        assert_eq!(draft.subject, "A message from the contact form");
    }
}
