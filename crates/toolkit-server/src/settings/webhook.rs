//! List `webhooks`: receivers that are told of events.

use super::schema::{choice, section};
use super::value::{EventName, HttpUrl, Network, WebhookSecret};

section! {
    /// A receiver that is told of events.
    pub struct Webhook {
        /// Where events are posted.
        pub url: HttpUrl = HttpUrl::known("https://example.org/hook"), required(true),
            example("https://example.org/hook");
        /// Key of the signatures (Standard Webhooks), which both sides know; required for the format
        /// `json`.
        pub secret: Option<WebhookSecret> = None,
            example("whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=");
        /// What it is told of.
        pub events: Vec<EventName> = Vec::new(), required(true), example(vec!["contact.received"]);
        /// Format of the body: `json` for a program, `slack` and `teams` for a chat.
        pub format: WebhookFormat = WebhookFormat::Json;
        /// Private networks that its address may be in, such as 10.0.0.0/8. All others are refused.
        pub allow_networks: Vec<Network> = Vec::new();
    }
}

choice! {
    /// Format of the body of an event.
    pub enum WebhookFormat {
        /// An object with type, time and data.
        Json = "json",
        /// A message of Slack, and of what speaks its format.
        Slack = "slack",
        /// A message of Microsoft Teams.
        Teams = "teams",
    }
}
