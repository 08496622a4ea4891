//! What the tests share: time by hand, scripted providers, a far end made of bare TCP.

pub(crate) mod clock;
pub(crate) mod http;
pub(crate) mod script;
pub(crate) mod tcp;

use secrecy::SecretString;
use toolkit_llm::providers::{Kind, ProviderConfig};
use toolkit_llm::{Conversation, Message, Provider, ProviderError, Reply, Request};

/// Words that must never be seen outside the exchange with a provider.
pub(crate) const KEY: &str = "sk-canary-key-5f1d";

pub(crate) fn conversation(messages: Vec<Message>) -> Conversation {
    Conversation::new(messages).expect("a conversation")
}

pub(crate) fn hello() -> Conversation {
    conversation(vec![Message::user("Hello, model")])
}

pub(crate) fn client() -> reqwest::Client {
    // Another test may have been first.
    let _ = rustls::crypto::ring::default_provider().install_default();
    toolkit_llm::client().expect("a client")
}

pub(crate) fn config(base_url: &str) -> ProviderConfig {
    ProviderConfig {
        name: "main".to_owned(),
        model: "model-1".to_owned(),
        base_url: Some(base_url.to_owned()),
        api_key: Some(SecretString::from(KEY)),
        timeout: None,
    }
}

pub(crate) fn provider(kind: Kind, base_url: &str) -> Box<dyn Provider> {
    kind.provider(client(), config(base_url))
        .expect("a provider")
}

/// Asks a provider once, outside any chain.
pub(crate) async fn ask_directly(
    provider: &dyn Provider,
    conversation: &Conversation,
) -> Result<Reply, ProviderError> {
    provider
        .reply(Request {
            conversation,
            system_prompt: None,
            max_output_tokens: 64,
        })
        .await
}
