//! Test support: a clock that jumps, scripted providers, and a raw TCP server.

pub(crate) mod clock;
pub(crate) mod http;
pub(crate) mod script;
pub(crate) mod sse;
pub(crate) mod tcp;
pub(crate) mod tools;
pub(crate) mod vendor;

use std::sync::Arc;

use futures::StreamExt as _;
use toolkit_llm::providers::{Kind, ProviderConfig};
use toolkit_llm::{
    Conversation, FinishReason, Message, Piece, Provider, ProviderError, Reply, Request,
};

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
    let mut answer = provider.stream(Request::new(conversation, 64)).await?;
    let mut reply = Reply::new("", provider.name(), "");
    while let Some(piece) = answer.next().await {
        match piece? {
            Piece::Model(model) => reply.model = model,
            Piece::Reasoning(more) => reply.reasoning.push_str(&more),
            Piece::Text(more) => reply.text.push_str(&more),
            Piece::End(end) if reply.text.trim().is_empty() => {
                return Err(without_text(end.finish_reason));
            }
            Piece::End(end) => {
                (reply.finish_reason, reply.usage) = (end.finish_reason, end.usage);
                return Ok(reply);
            }
            _ => {}
        }
    }
    unreachable!("an answer has an end or an error")
}

/// What a chain makes of an answer that ends without text.
fn without_text(reason: FinishReason) -> ProviderError {
    match reason {
        FinishReason::ContentFilter => {
            ProviderError::Filtered { reason: "a filter or a refusal left nothing" }
        }
        FinishReason::Length => ProviderError::NoText {
            reason: "the output limit was used up before it",
            limit_spent: true,
        },
        _ => ProviderError::NoText { reason: "the model said nothing", limit_spent: false },
    }
}
