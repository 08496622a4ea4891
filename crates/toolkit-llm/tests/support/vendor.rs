//! A vendor's server that answers by what it is asked.

use std::sync::Arc;

use serde_json::{Value, json};
use toolkit_llm::Provider;
use toolkit_llm::providers::{Kind, ProviderConfig};
use wiremock::matchers::any;
use wiremock::{Mock, MockServer, ResponseTemplate};

use super::sse::events;
use super::{KEY, client};

pub(crate) struct Vendor {
    pub(crate) server: MockServer,
    name: &'static str,
    kind: Kind,
}

impl Vendor {
    pub(crate) async fn start(
        name: &'static str,
        kind: Kind,
        answer: impl Fn(&Value) -> ResponseTemplate + Send + Sync + 'static,
    ) -> Self {
        let server = MockServer::start().await;
        let answer = move |request: &wiremock::Request| {
            answer(&serde_json::from_slice(&request.body).unwrap())
        };
        Mock::given(any()).respond_with(answer).mount(&server).await;
        Self { server, name, kind }
    }

    pub(crate) fn provider(&self) -> Arc<dyn Provider> {
        self.provider_with(|config| config)
    }

    pub(crate) fn provider_with(
        &self,
        set: impl FnOnce(ProviderConfig) -> ProviderConfig,
    ) -> Arc<dyn Provider> {
        let config = ProviderConfig::new(self.name, "model-1").base_url(self.server.uri());
        let config = set(config.api_key(KEY));
        self.kind.provider(client(), config).unwrap()
    }

    /// The requests received.
    pub(crate) async fn bodies(&self) -> Vec<Value> {
        let requests = self.server.received_requests().await.unwrap();
        let body = |request: &wiremock::Request| serde_json::from_slice(&request.body).unwrap();
        requests.iter().map(body).collect()
    }
}

/// An answer of Chat Completions.
pub(crate) fn completion(text: &str) -> ResponseTemplate {
    sse(&[
        json!({"choices": [{"index": 0, "delta": {"content": text}}]}),
        json!({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}),
    ])
}

/// A streamed answer.
pub(crate) fn sse(documents: &[Value]) -> ResponseTemplate {
    ResponseTemplate::new(200).set_body_raw(events(documents), "text/event-stream")
}

/// A refused request, in the form that all vendors share.
pub(crate) fn refused(status: u16, error: &Value) -> ResponseTemplate {
    ResponseTemplate::new(status).set_body_json(json!({"error": error}))
}
