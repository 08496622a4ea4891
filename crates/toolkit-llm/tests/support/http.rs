//! A vendor's server with one canned answer, and the requests it received.

use serde_json::Value;
use toolkit_llm::providers::Kind;
use toolkit_llm::{Conversation, FinishReason, ProviderError, Reply, Request, Usage};
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
    provider.reply(request).await.expect_err("a 500");
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

/// A reply read from an answer of the API reference.
pub(crate) fn assert_reply(reply: &Reply, model: &str, text: &str, usage: Usage) {
    assert_eq!((reply.model.as_str(), reply.text.as_str()), (model, text));
    assert_eq!(reply.provider, "main");
    assert_eq!(reply.finish_reason, FinishReason::Stop);
    let counts = reply.usage.map(|usage| Usage::new(usage.input_tokens, usage.output_tokens));
    assert_eq!(counts, Some(usage));
}

/// The finish reasons that a provider reads from a vendor's words.
pub(crate) async fn assert_finish_reasons(
    kind: Kind,
    body: impl Fn(&Value) -> Value,
    words: impl IntoIterator<Item = (Value, FinishReason)>,
) {
    for (word, expected) in words {
        let reply = read_json(kind, body(&word)).await.unwrap();
        assert_eq!(reply.finish_reason, expected, "{word}");
    }
}

/// Answers that hold no reply.
pub(crate) async fn assert_unusable(kind: Kind, bodies: impl IntoIterator<Item = Value>) {
    for body in bodies {
        let error = read_json(kind, body.clone()).await.unwrap_err();
        assert!(
            matches!(error, ProviderError::Unusable { .. } | ProviderError::NoText { .. }),
            "{body}: {error:?}"
        );
    }
}

/// Answers to a conversation that the vendor would not answer.
pub(crate) async fn assert_filtered(kind: Kind, bodies: impl IntoIterator<Item = Value>) {
    for body in bodies {
        let error = read_json(kind, body).await.unwrap_err();
        assert!(matches!(error, ProviderError::Filtered { .. }), "{error:?}");
    }
}

/// An error that is either the operator's fault or the caller's.
pub(crate) async fn assert_blame(kind: Kind, answer: ResponseTemplate, denied: bool, case: &str) {
    let error = read(kind, answer).await.unwrap_err();
    let as_expected = match error {
        ProviderError::Denied { .. } => denied,
        ProviderError::Refused { .. }
        | ProviderError::TooLong { .. }
        | ProviderError::BadRequest => !denied,
        _ => false,
    };
    assert!(as_expected, "{case}: {error:?}");
}

/// Statuses that mean the same for all vendors, each with a body that is not JSON.
pub(crate) async fn assert_statuses_are_told_apart(kind: Kind) {
    for (status, expected) in [
        (301, "status 301"),
        (400, "status 400: the request was refused"),
        (401, "status 401: check the key, its rights and the account's credit"),
        (402, "status 402: the account has no credit"),
        (403, "status 403: check the key, its rights and the account's credit"),
        (404, "status 404"),
        (408, "status 408"),
        (413, "status 413: the conversation is too long"),
        (422, "declined: status 422"),
        (429, "rate limited"),
        (500, "status 500"),
        (502, "status 502"),
        (529, "status 529"),
    ] {
        let answer = ResponseTemplate::new(status).set_body_string("<html>canary</html>");
        let error = read(kind, answer).await.unwrap_err();
        assert_eq!(error.to_string(), expected);
    }
}

/// Bodies that are not a valid reply for any vendor.
pub(crate) async fn assert_garbage_is_unusable(kind: Kind) {
    let deep = "[".repeat(100_000);
    for body in [
        "",
        " ",
        "null",
        "true",
        "7",
        "\"text\"",
        "[]",
        "{}",
        "{",
        "{\"choices\": [{",
        "<html><body>502 Bad Gateway</body></html>",
        "data: {\"choices\": []}\n\n",
        deep.as_str(),
    ] {
        let answer = ResponseTemplate::new(200).set_body_string(body);
        let error = read(kind, answer).await.unwrap_err();
        let start: String = body.chars().take(20).collect();
        assert!(matches!(error, ProviderError::Unusable { .. }), "{start}: {error:?}");
    }
    let not_utf8 = ResponseTemplate::new(200).set_body_bytes(vec![0xff, 0xfe, 0x00]);
    assert!(matches!(read(kind, not_utf8).await, Err(ProviderError::Unusable { .. })));
}
