//! Google's Gemini API (`POST {base_url}/v1beta/models/{model}:generateContent`).
//!
//! Covered: text in and text out, not streamed; instructions in `systemInstruction`; blocked
//! prompts and blocked candidates. Left out: tools, files, several candidates, Vertex AI's
//! addresses and tokens, the Interactions API. The key goes in `x-goog-api-key`, never in the
//! address.

use std::time::Duration;

use async_trait::async_trait;
use reqwest::Client;
use reqwest::header::HeaderName;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::endpoint::{Endpoint, ends_with_segment, join};
use super::turns::{Turn, Turns};
use super::{ConfigError, Found, ProviderConfig, lenient};
use crate::error::ProviderError;
use crate::message::{FinishReason, Reply, Usage};
use crate::provider::{Provider, Request};
use crate::retry_after::RetryAfter;

const BASE_URL: &str = "https://generativelanguage.googleapis.com";
const KEY_HEADER: HeaderName = HeaderName::from_static("x-goog-api-key");

/// Google's Gemini API.
///
/// `base_url` is the part before `/v1beta/models`; one that ends with a version (`/v1`, `/v1beta`)
/// is understood too. A model may be given with its collection (`tunedModels/…`).
#[derive(Debug)]
pub struct Gemini {
    config: ProviderConfig,
    endpoint: Endpoint,
}

impl Gemini {
    /// Sets up a provider; without a `base_url`, Google's own.
    ///
    /// # Errors
    ///
    /// The field of `config` that is wrong.
    pub fn new(client: Client, config: ProviderConfig) -> Result<Self, ConfigError> {
        let base = config.check(BASE_URL)?;
        let has_version = ends_with_segment(&base, |segment| {
            segment
                .strip_prefix('v')
                .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
        });
        let version: &[&str] = if has_version { &[] } else { &["v1beta"] };
        let method = format!("{}:generateContent", resource(config.model.trim()));
        let segments: Vec<&str> = version.iter().copied().chain(method.split('/')).collect();
        let endpoint = Endpoint::new(
            client,
            join(base, &segments),
            &config,
            (KEY_HEADER, ""),
            read_error,
        )?;
        Ok(Self { config, endpoint })
    }
}

/// The model with its collection: `models/` unless another one is named.
fn resource(model: &str) -> String {
    if model.contains('/') {
        model.to_owned()
    } else {
        format!("models/{model}")
    }
}

#[async_trait]
impl Provider for Gemini {
    fn name(&self) -> &str {
        &self.config.name
    }

    fn timeout(&self) -> Option<Duration> {
        self.config.timeout
    }

    async fn reply(&self, request: Request<'_>) -> Result<Reply, ProviderError> {
        let body = Body::new(&request);
        let answer: Answer = self.endpoint.post(&body).await?;
        answer.found()?.into_reply(&self.config)
    }
}

/// Reads what Google puts into the details of an error: a wrong key has status 400 like a wrong
/// request, and the pause after a 429 stands in the body, not in `Retry-After`.
fn read_error(status: u16, body: &Value) -> Option<ProviderError> {
    let error = body.get("error")?;
    let detail = |field: &str| {
        let mut details = error
            .get("details")
            .and_then(Value::as_array)
            .into_iter()
            .flatten();
        details.find_map(|detail| detail.get(field)?.as_str())
    };
    match status {
        400 if detail("reason").is_some_and(|reason| reason.starts_with("API_KEY_")) => {
            Some(ProviderError::Denied {
                status,
                reason: "check the key",
            })
        }
        400 if error.get("status").and_then(Value::as_str) == Some("FAILED_PRECONDITION") => {
            Some(ProviderError::Denied {
                status,
                reason: "check the account's region and billing",
            })
        }
        429 => {
            let retry_after = Some(RetryAfter::Delay(seconds(detail("retryDelay")?)?));
            Some(ProviderError::RateLimited { retry_after })
        }
        _ => None,
    }
}

/// Reads a `google.protobuf.Duration` as it is written in JSON: `34s`, `34.074824224s`.
fn seconds(text: &str) -> Option<Duration> {
    let seconds = text.strip_suffix('s')?.parse().ok()?;
    Duration::try_from_secs_f64(seconds).ok()
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Body<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    system_instruction: Option<BodyContent<'a>>,
    contents: Vec<BodyContent<'a>>,
    generation_config: GenerationConfig,
}

#[derive(Serialize)]
struct BodyContent<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    role: Option<&'static str>,
    parts: Vec<BodyPart<'a>>,
}

#[derive(Serialize)]
struct BodyPart<'a> {
    text: &'a str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct GenerationConfig {
    max_output_tokens: u32,
}

impl<'a> Body<'a> {
    fn new(request: &Request<'a>) -> Self {
        let Turns {
            instructions,
            turns,
        } = Turns::new(request);
        let instructions = Some(instructions).filter(|texts| !texts.is_empty());
        Self {
            system_instruction: instructions.map(|texts| BodyContent {
                role: None,
                parts: parts(texts),
            }),
            contents: turns.into_iter().map(BodyContent::from).collect(),
            generation_config: GenerationConfig {
                max_output_tokens: request.max_output_tokens,
            },
        }
    }
}

impl<'a> From<Turn<'a>> for BodyContent<'a> {
    fn from(turn: Turn<'a>) -> Self {
        let role = if turn.by_model { "model" } else { "user" };
        Self {
            role: Some(role),
            parts: parts(turn.texts),
        }
    }
}

fn parts(texts: Vec<&str>) -> Vec<BodyPart<'_>> {
    texts.into_iter().map(|text| BodyPart { text }).collect()
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Answer {
    #[serde(default)]
    candidates: Vec<Candidate>,
    #[serde(default, deserialize_with = "lenient")]
    prompt_feedback: Option<PromptFeedback>,
    #[serde(default, deserialize_with = "lenient")]
    usage_metadata: Option<UsageMetadata>,
    #[serde(default, deserialize_with = "lenient")]
    model_version: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct PromptFeedback {
    block_reason: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Candidate {
    /// Absent where a filter left nothing.
    #[serde(default)]
    content: Option<CandidateContent>,
    #[serde(default, deserialize_with = "lenient")]
    finish_reason: Option<String>,
}

#[derive(Deserialize)]
struct CandidateContent {
    #[serde(default)]
    parts: Vec<CandidatePart>,
}

#[derive(Deserialize)]
struct CandidatePart {
    #[serde(default)]
    text: Option<String>,
    /// Whether it is the model's reasoning, and not what it says.
    #[serde(default)]
    thought: bool,
}

/// A count of zero is left out; there is no prompt of zero tokens.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
#[expect(clippy::struct_field_names, reason = "the names of the wire format")]
struct UsageMetadata {
    prompt_token_count: u64,
    #[serde(default)]
    candidates_token_count: u64,
    #[serde(default)]
    thoughts_token_count: u64,
}

impl Answer {
    fn found(self) -> Result<Found, ProviderError> {
        let Some(candidate) = self.candidates.into_iter().next() else {
            let block = self
                .prompt_feedback
                .filter(|feedback| !feedback.block_reason.is_empty());
            return Err(block.map_or(
                ProviderError::Unusable {
                    reason: "no candidates",
                },
                |_| ProviderError::Declined {
                    reason: "the prompt was blocked",
                },
            ));
        };
        let parts = candidate
            .content
            .map(|content| content.parts)
            .unwrap_or_default();
        let said = parts.into_iter().filter(|part| !part.thought);
        Ok(Found {
            text: said.filter_map(|part| part.text).collect(),
            model: self.model_version,
            finish_reason: finish_reason(candidate.finish_reason.as_deref()),
            usage: self.usage_metadata.map(Usage::from),
        })
    }
}

impl From<UsageMetadata> for Usage {
    fn from(usage: UsageMetadata) -> Self {
        Self {
            input_tokens: usage.prompt_token_count,
            output_tokens: usage
                .candidates_token_count
                .saturating_add(usage.thoughts_token_count),
        }
    }
}

fn finish_reason(word: Option<&str>) -> FinishReason {
    match word.unwrap_or_default() {
        "STOP" => FinishReason::Stop,
        "MAX_TOKENS" => FinishReason::Length,
        "SAFETY" | "RECITATION" | "BLOCKLIST" | "PROHIBITED_CONTENT" | "SPII" => {
            FinishReason::ContentFilter
        }
        _ => FinishReason::Other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(base_url: &str, model: &str) -> String {
        let config = ProviderConfig {
            name: "main".to_owned(),
            model: model.to_owned(),
            base_url: Some(base_url.to_owned()),
            api_key: None,
            timeout: None,
        };
        Gemini::new(Client::new(), config)
            .unwrap()
            .endpoint
            .url()
            .to_string()
    }

    #[test]
    fn the_address_is_built_from_base_version_and_model() {
        let _ = rustls::crypto::ring::default_provider().install_default();
        let expected = "https://g.example/v1beta/models/gemini-x:generateContent";
        for base_url in [
            "https://g.example",
            "https://g.example/",
            "https://g.example/v1beta/",
        ] {
            for model in ["gemini-x", "models/gemini-x", " gemini-x "] {
                assert_eq!(url(base_url, model), expected);
            }
        }
        assert_eq!(
            url("https://g.example/gateway/v1", "tunedModels/a b?"),
            "https://g.example/gateway/v1/tunedModels/a%20b%3F:generateContent",
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
