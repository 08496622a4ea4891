//! OpenAI's Chat Completions API (`POST {base_url}/chat/completions`), as OpenAI and the servers
//! compatible with it speak it: OpenRouter, Groq, Mistral, Ollama, vLLM, llama.cpp, LiteLLM, ….
//!
//! Covered: text, whole and streamed; function calls; content as a string or an array of parts;
//! errors within a 200, as gateways send them. Left out: images, several choices, the Responses API
//! (few compatible servers support it).
//!
//! The output limit has two names. OpenAI has deprecated `max_tokens` and refuses it for its
//! reasoning models; among compatible servers, `max_completion_tokens` came late (llama.cpp), is
//! ignored (older Ollama) or makes the request fail (Mistral), and OpenAI refuses a request with
//! both. So OpenAI and Azure OpenAI, recognized by their host, get `max_completion_tokens`, and
//! every other server `max_tokens`, which all of them accept.
//!
//! `stream_options` asks for the usage of a stream. Mistral refuses it and sends the usage anyway;
//! another server that refuses it is asked once more without it, and never again with it.

mod answer;
mod calls;
mod request;
mod stream;

use std::sync::atomic::{AtomicBool, Ordering};

use reqwest::header::AUTHORIZATION;
use reqwest::{Client, Response, Url};
use serde_json::Value;

use self::answer::Completion;
use self::stream::Decoder;
use super::endpoint::{Endpoint, Failure, join};
use super::{ConfigError, ProviderConfig, decode, endpoint};
use crate::error::ProviderError;
use crate::provider::Request;

const BASE_URL: &str = "https://api.openai.com/v1";

/// The host that refuses `stream_options`.
const MISTRAL: &str = "api.mistral.ai";

/// OpenAI, or any server that speaks its Chat Completions format.
///
/// `base_url` is what the vendor's own libraries take: the part before `/chat/completions`, usually
/// ending with `/v1`. A URL without a path gets `/v1` added.
#[derive(Debug)]
pub struct OpenAi {
    endpoint: Endpoint,
    limit_name: &'static str,
    /// Whether the server accepts `stream_options`, as far as is known.
    takes_stream_options: AtomicBool,
}

/// Name of the output limit at this address.
fn limit_name(url: &Url) -> &'static str {
    let host = url.host_str().unwrap_or_default();
    if host == "api.openai.com" || host.ends_with(".openai.azure.com") {
        "max_completion_tokens"
    } else {
        "max_tokens"
    }
}

impl OpenAi {
    /// Creates a provider; without a `base_url`, at OpenAI's own.
    ///
    /// # Errors
    ///
    /// Names the field of `config` that is wrong.
    pub fn new(client: Client, config: ProviderConfig) -> Result<Self, ConfigError> {
        let base = config.check(BASE_URL)?;
        let limit_name = limit_name(&base);
        let takes_stream_options = base.host_str() != Some(MISTRAL);
        let version: &[&str] = if base.path() == "/" { &["v1"] } else { &[] };
        let url = join(join(base, version), &["chat", "completions"]);
        let endpoint = Endpoint::new(client, url, config, (AUTHORIZATION, "Bearer "), read_error)?;
        Ok(Self {
            endpoint,
            limit_name,
            takes_stream_options: AtomicBool::new(takes_stream_options),
        })
    }

    async fn send(&self, request: &Request<'_>) -> Result<Response, Failure> {
        let Endpoint { config, url, .. } = &self.endpoint;
        let mut body = request::body(&config.model, self.limit_name, request);
        if !self.takes_stream_options.load(Ordering::Relaxed) {
            body.remove("stream_options");
        }
        let sent = self.endpoint.send(url, body.clone(), request).await;
        let is_refused = matches!(&sent, Err(failure) if failure.is_about("stream_options"));
        if is_refused && body.remove("stream_options").is_some() {
            self.takes_stream_options.store(false, Ordering::Relaxed);
            return self.endpoint.send(url, body, request).await;
        }
        sent
    }
}

provider!(
    OpenAi,
    takes_seed_and_format: true,
    found: |completion: Completion, round, _| completion.found(round)
);

/// Distinguishes configuration errors, and errors of one conversation, from what their statuses
/// usually mean.
fn read_error(status: u16, body: &Value) -> Option<ProviderError> {
    let error = body.get("error")?;
    let word = |field: &str| error.get(field).and_then(Value::as_str).unwrap_or_default();
    let of_setup = matches!(
        word("code"),
        "model_not_found" | "model_decommissioned" | "unsupported_parameter"
    );
    // LiteLLM without a database reports an unknown key this way.
    let of_key = word("type") == "no_db_connection";
    let denied = |reason| Some(ProviderError::Denied { status, reason });
    match status {
        400 if of_setup => denied("check the configured model"),
        400 if of_key => denied("check the key"),
        // OpenRouter's moderation: the key is fine, this conversation is not.
        403 if error
            .pointer("/metadata/reasons")
            .is_some_and(Value::is_array) =>
        {
            Some(ProviderError::Declined {
                reason: "moderation",
            })
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(base_url: &str) -> String {
        let config = ProviderConfig::new("main", "m").base_url(base_url);
        OpenAi::new(Client::new(), config)
            .unwrap()
            .endpoint
            .url
            .to_string()
    }

    #[test]
    fn the_address_of_each_well_known_server_is_reached() {
        let _ = rustls::crypto::ring::default_provider().install_default();
        for (base_url, expected) in [
            (
                "https://api.openai.com/v1",
                "https://api.openai.com/v1/chat/completions",
            ),
            (
                "https://api.groq.com/openai/v1/",
                "https://api.groq.com/openai/v1/chat/completions",
            ),
            (
                "https://openrouter.ai/api/v1",
                "https://openrouter.ai/api/v1/chat/completions",
            ),
            (
                "http://localhost:11434",
                "http://localhost:11434/v1/chat/completions",
            ),
            (
                "http://localhost:11434/",
                "http://localhost:11434/v1/chat/completions",
            ),
        ] {
            assert_eq!(url(base_url), expected);
        }
    }

    #[test]
    fn only_openai_itself_gets_the_new_name_of_the_limit() {
        let name = |url: &str| limit_name(&Url::parse(url).unwrap());
        assert_eq!(name(BASE_URL), "max_completion_tokens");
        assert_eq!(
            name("https://our.openai.azure.com/openai/v1"),
            "max_completion_tokens"
        );
        for other in [
            "http://localhost:11434/v1",
            "https://api.mistral.ai/v1",
            "https://openrouter.ai/api/v1",
            "https://api.openai.com.example.net/v1",
        ] {
            assert_eq!(name(other), "max_tokens", "{other}");
        }
    }
}
