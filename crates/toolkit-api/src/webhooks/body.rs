//! Bodies of events, for a program or for a chat.

use serde_json::{Value as Json, json};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;
use toolkit_server::settings::WebhookFormat;
use toolkit_store::{Contact, Event, Notice, Subject, Subscriber};

/// Characters of a message that a chat shows.
const SHOWN_MAX: usize = 500;

/// The body of an event.
pub(super) fn of(format: WebhookFormat, notice: &Notice, at: OffsetDateTime) -> String {
    let (data, line) = match &notice.subject {
        Subject::Contact(contact) => (message(contact), said(notice.event, contact)),
        Subject::Subscriber(subscriber) => {
            let line = format!("{}: {}", notice.event.as_str(), subscriber.subscription.app_id);
            (subscription(subscriber), line)
        }
    };
    body(format, notice.event.as_str(), &data, &line, at)
}

/// The body of a test.
pub(super) fn test(format: WebhookFormat, at: OffsetDateTime) -> String {
    let line = "webhook.test: the settings of this webhook work.";
    body(format, "webhook.test", &json!({}), line, at)
}

fn body(format: WebhookFormat, kind: &str, data: &Json, line: &str, at: OffsetDateTime) -> String {
    let body = match format {
        WebhookFormat::Json => {
            let timestamp = at.format(&Rfc3339).unwrap_or_default();
            json!({"type": kind, "timestamp": timestamp, "data": data})
        }
        // Its own markup begins with these three.
        WebhookFormat::Slack => {
            let text = line.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
            json!({"text": text})
        }
        WebhookFormat::Teams => json!({
            "type": "message",
            "attachments": [{
                "contentType": "application/vnd.microsoft.card.adaptive",
                "content": {
                    "type": "AdaptiveCard",
                    "version": "1.4",
                    // Not a TextBlock, which reads Markdown.
                    "body": [{"type": "RichTextBlock", "inlines": [{"type": "TextRun", "text": line}]}],
                },
            }],
        }),
    };
    body.to_string()
}

fn message(contact: &Contact) -> Json {
    json!({
        "id": contact.id.to_string(),
        "app_id": contact.app_id,
        "name": contact.name,
        "email": contact.email,
        "subject": contact.subject,
        "message": contact.message,
    })
}

fn subscription(subscriber: &Subscriber) -> Json {
    json!({
        "id": subscriber.id.to_string(),
        "app_id": subscriber.subscription.app_id,
        "email": subscriber.email,
        "status": subscriber.subscription.state.as_str(),
    })
}

/// A message as a line of a chat.
fn said(event: Event, contact: &Contact) -> String {
    if event != Event::ContactReceived {
        return format!("{}: {}", event.as_str(), contact.id);
    }
    let text: String = contact.message.chars().take(SHOWN_MAX).collect();
    let subject = contact.subject.as_deref().unwrap_or_default();
    format!("{} <{}> {subject}\n{text}", contact.name, contact.email)
}
