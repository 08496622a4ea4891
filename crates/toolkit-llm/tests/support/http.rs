//! A vendor's server with one canned answer, and the requests it received.

use serde_json::Value;
use toolkit_llm::providers::Kind;
use toolkit_llm::{Conversation, ProviderError, Reply, Request};
use wiremock::matchers::any;
use wiremock::{Mock, MockServer, ResponseTemplate};

use super::{ask_directly, hello, provider};

/// A server that answers every request with `answer`.
pub(crate) async fn server(answer: ResponseTemplate) -> MockServer {
    let server = MockServer::start().await;
    Mock::given(any()).respond_with(answer).mount(&server).await;
    server
}

/// The result that a provider reads from an answer.
pub(crate) async fn read(kind: Kind, answer: ResponseTemplate) -> Result<Reply, ProviderError> {
    let server = server(answer).await;
    ask_directly(&*provider(kind, &server.uri()), &hello()).await
}

/// The result that a provider reads from a 200 with this JSON.
pub(crate) async fn read_json(kind: Kind, body: Value) -> Result<Reply, ProviderError> {
    read(kind, ResponseTemplate::new(200).set_body_json(body)).await
}

/// The request that a provider sends for a conversation.
pub(crate) async fn request_for(
    kind: Kind,
    conversation: &Conversation,
    system_prompt: Option<&str>,
) -> wiremock::Request {
    let server = server(ResponseTemplate::new(500)).await;
    let provider = provider(kind, &server.uri());
    let mut request = Request::new(conversation, 64);
    request.system_prompt = system_prompt;
    provider.stream(request).await.err().expect("a 500");
    let mut requests = server.received_requests().await.expect("recorded");
    assert_eq!(requests.len(), 1, "a provider asks once");
    requests.remove(0)
}

pub(crate) fn json(request: &wiremock::Request) -> Value {
    serde_json::from_slice(&request.body).expect("JSON")
}

pub(crate) fn header<'a>(request: &'a wiremock::Request, name: &str) -> Option<&'a str> {
    request.headers.get(name).map(|value| value.to_str().expect("text"))
}
