//! Subscriber entry: as listed over REST and in exports.

use serde::Serialize;
use toolkit_server::settings::HttpUrl;
use toolkit_store::{Subscriber, SubscriptionState, UnsubscribeLinks};

/// A subscriber with their unsubscribe link.
#[derive(Serialize)]
pub(crate) struct Listed {
    #[serde(flatten)]
    pub(crate) subscriber: Subscriber,
    pub(crate) unsubscribe_url: String,
}

impl Listed {
    pub(crate) fn new(
        subscriber: Subscriber,
        links: &UnsubscribeLinks,
        base_url: &HttpUrl,
    ) -> Self {
        let token = links.token(subscriber.id);
        let path = format!("/toolkit/api/unsubscribe?token={}", token.expose());
        Self { unsubscribe_url: base_url.join(&path).as_str().to_owned(), subscriber }
    }
}

/// Parses the name of a state.
pub(crate) fn state(text: &str) -> Result<SubscriptionState, &'static str> {
    text.parse().map_err(|_| "must be pending, confirmed, unsubscribed or undeliverable")
}
