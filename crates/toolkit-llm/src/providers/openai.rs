//! OpenAI's Chat Completions API (`POST {base_url}/chat/completions`), as spoken by OpenAI and
//! compatible servers: OpenRouter, Groq, Mistral, Ollama, vLLM, llama.cpp, LiteLLM, ….
//!
//! Covered: text and images; function calls; content as a string or an array of parts; reasoning,
//! as a member or in the text; errors within a 200, as gateways send them. Left out: several
//! choices, audio.
//!
//! The output limit has two names. OpenAI has deprecated `max_tokens` and refuses it for reasoning
//! models. Among compatible servers, `max_completion_tokens` came late (llama.cpp), is ignored
//! (older Ollama) or makes the request fail (Mistral), and OpenAI refuses a request with both. So
//! OpenAI and Azure OpenAI, recognized by host, get `max_completion_tokens`, and every other server
//! first gets `max_tokens`, which most of them accept.

mod answer;
mod calls;
mod marks;
mod request;
mod stream;

use reqwest::header::{AUTHORIZATION, HeaderName};
use reqwest::{Client, Url};
use serde_json::Value;

pub(super) use self::answer::UsageDetails;
use self::stream::Decoder;
use super::endpoint::{Endpoint, NO_CREDIT, join, of_status};
use super::options::{Change, Droppable};
use super::{ConfigError, ProviderConfig};
use crate::error::ProviderError;
use crate::request::Sampling;

pub(super) const BASE_URL: &str = "https://api.openai.com/v1";

const AZURE_KEY: HeaderName = HeaderName::from_static("api-key");

/// The host that refuses `stream_options` but sends the usage anyway.
const MISTRAL: &str = "api.mistral.ai";

const DROPPABLE: &[Droppable] = &[
    ("stream_options", &["stream_options", "include_usage"]),
    ("reasoning_effort", &["reasoning_effort", "reasoning effort"]),
    ("temperature", &["temperature"]),
    ("top_p", &["top_p"]),
    ("stop", &["stop"]),
    ("seed", &["seed"]),
    ("response_format", &["response_format", "json_schema"]),
    ("tool_choice", &["tool_choice"]),
    ("stream", &["stream"]),
];

/// OpenAI's chat completions, or any server that speaks this format.
///
/// `base_url` is what the vendor's own libraries take: the part before `/chat/completions`, usually
/// ending in `/v1`. A URL without a path gets `/v1` appended. A query, such as Azure's
/// `api-version`, is kept.
#[derive(Debug)]
pub struct OpenAi {
    endpoint: Endpoint,
}

/// Whether the address is OpenAI's own, or Azure's.
fn is_openai(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default();
    host == "api.openai.com" || is_azure(url)
}

/// Whether the address is Azure's.
pub(super) fn is_azure(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default();
    let suffixes = [".openai.azure.com", ".services.ai.azure.com", ".cognitiveservices.azure.com"];
    suffixes.iter().any(|suffix| host.ends_with(suffix))
}

/// The header for the key, and the text before the key in it.
pub(super) fn key_header(url: &Url) -> (HeaderName, &'static str) {
    if is_azure(url) { (AZURE_KEY, "") } else { (AUTHORIZATION, "Bearer ") }
}

/// The address of an API method.
pub(super) fn address(base: &Url, method: &[&str]) -> Url {
    let version: &[&str] = if base.path() == "/" { &["v1"] } else { &[] };
    join(join(base.clone(), version), method)
}

impl OpenAi {
    /// Creates a provider. Without a `base_url`, it uses OpenAI's own.
    ///
    /// # Errors
    ///
    /// Names the field of `config` that is wrong.
    pub fn new(client: Client, config: ProviderConfig) -> Result<Self, ConfigError> {
        let base = config.check(BASE_URL)?;
        let limit = is_openai(&base)
            .then_some(Change::Limit { from: "max_tokens", to: "max_completion_tokens" });
        let usage = (base.host_str() == Some(MISTRAL)).then_some(Change::Drop("stream_options"));
        let url = address(&base, &["chat", "completions"]);
        let key = key_header(&base);
        let endpoint = Endpoint::new(client, url, config, key, read_error, DROPPABLE)?;
        let endpoint = endpoint.with_changes(limit.into_iter().chain(usage));
        Ok(Self { endpoint })
    }
}

provider!(OpenAi);

fn lacks(_: &Sampling) -> &'static [&'static str] {
    &[]
}

/// Tells configuration errors, and errors about one conversation, from what their statuses usually
/// mean.
pub(super) fn read_error(status: u16, body: &Value) -> Option<ProviderError> {
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
        // OpenRouter's moderation: the key is fine, but not this conversation.
        403 if error.pointer("/metadata/reasons").is_some_and(Value::is_array) => {
            Some(ProviderError::Declined { reason: "moderation" })
        }
        _ => None,
    }
}

/// Maps an error in a stream, by its status if it has one.
pub(super) fn in_stream(error: &Value) -> ProviderError {
    let member = |name: &str| error.get(name);
    let status = ["code", "status", "status_code"].iter().find_map(|name| {
        let value = member(name)?;
        let number = value.as_u64().or_else(|| value.as_str()?.parse().ok())?;
        u16::try_from(number).ok().filter(|status| (400..600).contains(status))
    });
    let word = |name: &str| member(name).and_then(Value::as_str).unwrap_or_default();
    let words = [word("code"), word("type")];
    let text = error.to_string();
    let status = match status {
        Some(status) => status,
        None if words.contains(&"insufficient_quota") => {
            return ProviderError::Denied { status: 429, reason: NO_CREDIT };
        }
        None if words.iter().any(|word| word.starts_with("rate_limit")) => 429,
        None if words.iter().any(|word| {
            matches!(*word, "context_length_exceeded" | "invalid_prompt" | "content_filter")
        }) =>
        {
            400
        }
        None => return ProviderError::unusable("an error with a successful status"),
    };
    let body = serde_json::json!({"error": error});
    read_error(status, &body).unwrap_or_else(|| of_status(status, None, &text))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(base_url: &str) -> String {
        let config = ProviderConfig::new("main", "m").base_url(base_url);
        OpenAi::new(Client::new(), config).unwrap().endpoint.url.to_string()
    }

    #[test]
    fn the_address_of_each_well_known_server_is_reached() {
        let _ = rustls::crypto::ring::default_provider().install_default();
        for (base_url, expected) in [
            ("https://api.openai.com/v1", "https://api.openai.com/v1/chat/completions"),
            ("https://api.groq.com/openai/v1/", "https://api.groq.com/openai/v1/chat/completions"),
            ("https://openrouter.ai/api/v1", "https://openrouter.ai/api/v1/chat/completions"),
            ("http://localhost:11434", "http://localhost:11434/v1/chat/completions"),
            ("http://localhost:11434/", "http://localhost:11434/v1/chat/completions"),
        ] {
            assert_eq!(url(base_url), expected);
        }
    }

    #[test]
    fn a_query_of_the_address_stays() {
        let _ = rustls::crypto::ring::default_provider().install_default();
        assert_eq!(
            url("https://x.openai.azure.com/openai/deployments/d?api-version=2024-10-21"),
            "https://x.openai.azure.com/openai/deployments/d/chat/completions?api-version=2024-10-21",
        );
    }

    #[test]
    fn only_openai_itself_gets_the_new_name_of_the_limit() {
        let is_openai = |url: &str| is_openai(&Url::parse(url).unwrap());
        assert!(is_openai(BASE_URL));
        assert!(is_openai("https://our.openai.azure.com/openai/v1"));
        for other in [
            "http://localhost:11434/v1",
            "https://api.mistral.ai/v1",
            "https://openrouter.ai/api/v1",
            "https://api.openai.com.example.net/v1",
        ] {
            assert!(!is_openai(other), "{other}");
        }
    }
}
