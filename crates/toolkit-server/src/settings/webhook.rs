//! List `webhooks`: receivers of events.

use super::schema::{choice, section};
use super::value::{EventName, Network, WebhookSecret, WebhookUrl};

section! {
    /// A receiver of events.
    pub struct Webhook {
        /// URL that receives events by POST. It is shown only as scheme, host and a short digest.
        pub url: WebhookUrl = WebhookUrl::default(), required(true),
            example("https://example.org/hook");
        /// Shared signing key (Standard Webhooks). Required for the format `json`.
        pub secret: Option<WebhookSecret> = None,
            example("whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=");
        /// Names of the events to receive.
        pub events: Vec<EventName> = Vec::new(), required(true), example(vec!["contact.received"]);
        /// Format of the body: `json` for programs, `slack` and `teams` for chats.
        pub format: WebhookFormat = WebhookFormat::Json;
        /// Private networks that its address may be in, such as 10.0.0.0/8. All others are refused.
        pub allow_networks: Vec<Network> = Vec::new();
    }
}

choice! {
    /// Format of an event's body.
    pub enum WebhookFormat {
        /// An object with type, time and data.
        Json = "json",
        /// A Slack message, also understood by compatible services.
        Slack = "slack",
        /// A Microsoft Teams message.
        Teams = "teams",
    }
}
