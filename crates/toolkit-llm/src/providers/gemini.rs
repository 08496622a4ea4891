//! Google's Gemini API (`POST {base_url}/v1beta/models/{model}:streamGenerateContent?alt=sse`).
//!
//! Covered: text and images; function calls with the thought signatures before them; thoughts;
//! instructions in `systemInstruction`; blocked prompts and candidates. Left out: files, several
//! candidates, Vertex AI's own addresses and tokens (its OpenAI-compatible address works), the
//! Interactions API. The key is sent in `x-goog-api-key` rather than the URL.

mod answer;
mod request;
mod stream;

use std::time::Duration;

use reqwest::header::HeaderName;
use reqwest::{Client, Url};
use serde_json::Value;

use self::stream::Decoder;
use super::endpoint::{Endpoint, ends_with_segment, join};
use super::options::Droppable;
use super::{ConfigError, ProviderConfig};
use crate::error::ProviderError;
use crate::request::Sampling;
use crate::retry_after::RetryAfter;

const BASE_URL: &str = "https://generativelanguage.googleapis.com";
const KEY_HEADER: HeaderName = HeaderName::from_static("x-goog-api-key");

const DROPPABLE: &[Droppable] = &[
    (
        "generationConfig.thinkingConfig",
        &[
            "thinkingConfig",
            "thinking_config",
            "thinkingLevel",
            "thinking_level",
            "thinking level",
            "thinking budget",
        ],
    ),
    ("generationConfig.responseJsonSchema", &["responseJsonSchema", "response_json_schema"]),
    ("generationConfig.seed", &["seed"]),
    ("generationConfig.temperature", &["temperature"]),
    ("generationConfig.topP", &["topP", "top_p"]),
    ("generationConfig.stopSequences", &["stopSequences", "stop_sequences"]),
    ("generationConfig.maxOutputTokens", &["maxOutputTokens", "max_output_tokens"]),
];

/// Google's Gemini API.
///
/// `base_url` is the part before `/v1beta/models`, with or without a version (`/v1`, `/v1beta`). A
/// model may be given with its collection (`tunedModels/…`).
#[derive(Debug)]
pub struct Gemini {
    endpoint: Endpoint,
}

impl Gemini {
    /// Creates a provider. Without a `base_url`, it uses Google's own.
    ///
    /// # Errors
    ///
    /// Names the field of `config` that is wrong.
    pub fn new(client: Client, config: ProviderConfig) -> Result<Self, ConfigError> {
        let base = config.check(BASE_URL)?;
        let key = (KEY_HEADER, "");
        let endpoint = Endpoint::new(client, base, config, key, read_error, DROPPABLE)?;
        Ok(Self { endpoint })
    }
}

/// URL at which a model answers.
fn address(base: Url, model: &str) -> Url {
    let has_version = ends_with_segment(&base, |segment| {
        segment.strip_prefix('v').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
    });
    let version: &[&str] = if has_version { &[] } else { &["v1beta"] };
    let method = format!("{}:streamGenerateContent", resource(model));
    let segments: Vec<&str> = version.iter().copied().chain(method.split('/')).collect();
    let mut url = join(base, &segments);
    url.query_pairs_mut().append_pair("alt", "sse");
    url
}

/// The model with its collection: `models/` unless another one is given.
fn resource(model: &str) -> String {
    if model.contains('/') { model.to_owned() } else { format!("models/{model}") }
}

provider!(Gemini, address);

fn lacks(_: &Sampling) -> &'static [&'static str] {
    &[]
}

/// Reads Google's error details: a wrong key has status 400 like a wrong request, and the pause
/// after a 429 is in the body instead of `Retry-After`.
fn read_error(status: u16, body: &Value) -> Option<ProviderError> {
    let error = body.get("error")?;
    let detail = |field: &str| {
        let mut details = error.get("details").and_then(Value::as_array).into_iter().flatten();
        details.find_map(|detail| detail.get(field)?.as_str())
    };
    let denied = |reason| Some(ProviderError::Denied { status, reason });
    match status {
        400 if detail("reason").is_some_and(|reason| reason.starts_with("API_KEY_")) => {
            denied("check the key")
        }
        400 if error.get("status").and_then(Value::as_str) == Some("FAILED_PRECONDITION") => {
            denied("check the account's region and billing")
        }
        429 => {
            let retry_after = Some(RetryAfter::Delay(seconds(detail("retryDelay")?)?));
            Some(ProviderError::RateLimited { retry_after })
        }
        _ => None,
    }
}

/// Parses the JSON form of `google.protobuf.Duration`: `34s`, `34.074824224s`.
fn seconds(text: &str) -> Option<Duration> {
    let seconds = text.strip_suffix('s')?.parse().ok()?;
    Duration::try_from_secs_f64(seconds).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(base_url: &str, model: &str) -> String {
        address(Url::parse(base_url).unwrap(), model).to_string()
    }

    #[test]
    fn the_address_is_built_from_base_version_and_model() {
        let expected = "https://g.example/v1beta/models/gemini-x:streamGenerateContent?alt=sse";
        for base_url in ["https://g.example", "https://g.example/", "https://g.example/v1beta/"] {
            for model in ["gemini-x", "models/gemini-x"] {
                assert_eq!(url(base_url, model), expected);
            }
        }
        assert_eq!(
            url("https://g.example/gateway/v1?team=a", "tunedModels/a b?"),
            "https://g.example/gateway/v1/tunedModels/a%20b%3F:streamGenerateContent?team=a&alt=sse",
        );
    }

    #[test]
    fn a_pause_is_read_as_google_writes_it() {
        assert_eq!(seconds("34s"), Some(Duration::from_secs(34)));
        assert_eq!(seconds("0.5s"), Some(Duration::from_millis(500)));
        for odd in ["34", "s", "-1s", "NaNs", "infs", "1e300s", "soon"] {
            assert_eq!(seconds(odd), None, "{odd}");
        }
    }
}
