//! Streams of the three vendors, as bytes.

use std::fmt::Write as _;

use futures::StreamExt as _;
use serde_json::Value;
use toolkit_llm::providers::Kind;

use super::tcp::{Act, FarEnd};
use super::{hello, provider};

/// Head of an event stream that ends when the connection closes.
pub(crate) const HEAD: &str =
    "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n";

/// Formats these JSON documents as events.
pub(crate) fn events(documents: &[Value]) -> String {
    documents.iter().fold(String::new(), |mut text, document| {
        let _ = write!(text, "data: {document}\n\n");
        text
    })
}

/// A whole answer of a streaming server.
pub(crate) fn streamed(body: &str) -> Vec<u8> {
    format!("{HEAD}{body}").into_bytes()
}

/// Everything read from one provider, in comparable form.
#[derive(Debug, Default, Clone, PartialEq)]
pub(crate) struct Pulled {
    pub(crate) model: Option<String>,
    pub(crate) text: String,
    pub(crate) end: Option<End>,
    pub(crate) error: Option<String>,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct End {
    pub(crate) finish_reason: &'static str,
    pub(crate) usage: Option<(u64, u64)>,
    /// Id, name, arguments.
    pub(crate) calls: Vec<(String, String, String)>,
    pub(crate) history: Option<Value>,
}

/// Asks a provider with tools for a stream, and reads all of it.
pub(crate) async fn pull(kind: Kind, answer: Vec<u8>) -> Pulled {
    pull_from(kind, Act::Send(answer)).await
}

pub(crate) async fn pull_from(kind: Kind, act: Act) -> Pulled {
    let far_end = FarEnd::start(act).await;
    let provider = provider(kind, &far_end.url());
    let conversation = hello();
    let specs = super::tools::specs();
    let mut request = toolkit_llm::Request::new(&conversation, 64);
    request.tools = Some(toolkit_llm::Offer::new(&specs));
    let mut pulled = Pulled::default();
    let mut answer = match provider.stream(request).await {
        Ok(answer) => answer,
        Err(error) => {
            pulled.error = Some(error.to_string());
            return pulled;
        }
    };
    while let Some(piece) = answer.next().await {
        match piece {
            Ok(toolkit_llm::Piece::Model(model)) => pulled.model = Some(model),
            Ok(toolkit_llm::Piece::Text(text)) => pulled.text.push_str(&text),
            Ok(toolkit_llm::Piece::End(end)) => {
                let calls = end.calls.into_iter();
                let calls =
                    calls.map(|call| (call.id.unwrap_or_default(), call.name, call.arguments));
                pulled.end = Some(End {
                    finish_reason: end.finish_reason.as_str(),
                    usage: end.usage.map(|usage| (usage.input_tokens, usage.output_tokens)),
                    calls: calls.collect(),
                    history: end
                        .history
                        .map(|history| serde_json::from_str(history.get()).unwrap()),
                });
            }
            Ok(_) => {}
            Err(error) => pulled.error = Some(error.to_string()),
        }
    }
    pulled
}
