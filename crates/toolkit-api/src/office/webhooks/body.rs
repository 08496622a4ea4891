//! Event bodies, for programs and for chats.
//!
//! Standard: Slack, "Sending messages using incoming webhooks" and "Formatting message text";
//! Microsoft Teams, "Create and send messages" (a Workflows webhook) with an Adaptive Card. Chat
//! messages stay well below their limits (40,000 characters, 28 KB).

use serde_json::{Value as Json, json};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;
use toolkit_server::settings::WebhookFormat;
use toolkit_store::{Contact, Event, Notice, Subject, Subscriber};

/// Characters of a message shown in a chat.
const SHOWN_MAX: usize = 500;

/// Lines of a message shown in a chat.
const LINES_MAX: usize = 20;

/// An event's body.
pub(super) fn of(format: WebhookFormat, notice: &Notice, at: OffsetDateTime) -> String {
    let (data, line) = match &notice.subject {
        Subject::Contact(contact) => (message(contact), chat_line(notice.event, contact)),
        Subject::Subscriber(subscriber) => {
            let line = format!("{}: {}", notice.event.as_str(), subscriber.subscription.app_id);
            (subscription(subscriber), line)
        }
        Subject::Erased { id, app_id } => (
            json!({"id": id.to_string(), "app_id": app_id, "status": "erased"}),
            format!("{}: {app_id}", notice.event.as_str()),
        ),
    };
    body(format, notice.event.as_str(), &data, &line, at)
}

/// A test event's body.
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
        // These three begin mentions and links, whatever `mrkdwn` says.
        WebhookFormat::Slack => {
            let text = line.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
            json!({"text": text, "mrkdwn": false})
        }
        WebhookFormat::Teams => json!({
            "type": "message",
            "attachments": [{
                "contentType": "application/vnd.microsoft.card.adaptive",
                "contentUrl": null,
                "content": {
                    "$schema": "http://adaptivecards.io/schemas/adaptive-card.json",
                    "type": "AdaptiveCard",
                    "version": "1.4",
                    "body": line.lines().map(block).collect::<Vec<_>>(),
                },
            }],
        }),
    };
    body.to_string()
}

/// A line of a card. Not a `TextBlock`, since that renders Markdown.
fn block(line: &str) -> Json {
    json!({"type": "RichTextBlock", "inlines": [{"type": "TextRun", "text": line}]})
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

/// A message as a line in a chat.
fn chat_line(event: Event, contact: &Contact) -> String {
    if event != Event::ContactReceived {
        return format!("{}: {}", event.as_str(), contact.id);
    }
    let text: String = contact.message.chars().take(SHOWN_MAX).collect();
    let text = text.lines().take(LINES_MAX).collect::<Vec<_>>().join("\n");
    let subject = contact.subject.as_deref().unwrap_or_default();
    format!("{} <{}> {subject}\n{text}", contact.name, contact.email)
}
