//! Test support: a clock that jumps, scripted providers, and a raw TCP server.

pub(crate) mod clock;
pub(crate) mod http;
pub(crate) mod script;
pub(crate) mod sse;
pub(crate) mod tcp;
pub(crate) mod tools;
pub(crate) mod vendor;

use std::sync::Arc;

use toolkit_llm::providers::{Kind, ProviderConfig};
use toolkit_llm::{Conversation, Message, Provider, ProviderError, Reply, Request};

/// Words that must never appear outside the exchange with a provider.
pub(crate) const KEY: &str = "sk-canary-key-5f1d";

pub(crate) fn conversation(messages: Vec<Message>) -> Conversation {
    Conversation::new(messages).expect("a conversation")
}

pub(crate) fn hello() -> Conversation {
    conversation(vec![Message::user("Hello, model")])
}

pub(crate) fn client() -> reqwest::Client {
    toolkit_llm::client().expect("a client")
}

pub(crate) fn config(base_url: &str) -> ProviderConfig {
    ProviderConfig::new("main", "model-1").base_url(base_url).api_key(KEY)
}

pub(crate) fn provider(kind: Kind, base_url: &str) -> Arc<dyn Provider> {
    kind.provider(client(), config(base_url)).expect("a provider")
}

/// Asks a provider once, outside any chain.
pub(crate) async fn ask_directly(
    provider: &dyn Provider,
    conversation: &Conversation,
) -> Result<Reply, ProviderError> {
    provider.reply(Request::new(conversation, 64)).await
}
