//! One HTTP exchange with a provider: sends a request, returns a bounded answer or a classified
//! error.

use std::time::Duration;

use reqwest::header::{CONTENT_TYPE, HeaderName, HeaderValue, RETRY_AFTER};
use reqwest::{Client, Response, Url};
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::decode::not_the_format;
use super::{ConfigError, Members, ProviderConfig, raw};
use crate::error::ProviderError;
use crate::provider::Request;
use crate::retry_after::RetryAfter;

/// Maximum length of an answer, in bytes: a hundred times the longest reply requested by default.
const ANSWER_BYTES_MAX: usize = 1 << 20;

/// Maximum length of an error's body, in bytes; only its machine-readable parts are used.
const ERROR_BYTES_MAX: usize = 64 << 10;

/// Maximum wait for an error's body: its status has already said nearly everything.
const ERROR_BODY_TIMEOUT: Duration = Duration::from_secs(2);

/// Codes and phrases of errors that are about the length or the content of a conversation, in lower
/// case: of the three vendors, Azure, vLLM, llama.cpp, Groq, Mistral, xAI, `DashScope` and LiteLLM.
const OF_CONVERSATION: [&str; 20] = [
    "context_length_exceeded",
    "contextwindowexceeded",
    "exceed_context_size",
    "string_above_max_length",
    "maximum context length",
    "available context size",
    "exceed context limit",
    "maximum model length",
    "maximum prompt length",
    "prompt is too long",
    "input token count",
    "range of input length",
    "reduce the length of the messages",
    "content_filter",
    "content filtering policy",
    "content management policy",
    "content_policy_violation",
    "contentpolicyviolation",
    "data_inspection_failed",
    "invalid_prompt",
];

/// Phrases of errors that are about tools, likewise: of the three vendors, Ollama, vLLM, llama.cpp,
/// Groq, Mistral, `DeepSeek`, `OpenRouter` and LiteLLM. An error about a conversation can mention tools, too.
const OF_TOOLS: [&str; 13] = [
    "does not support tools",
    "does not support tool use",
    "does not support tool calling",
    "does not support function calling",
    "support tool use",
    "function calling is",
    "tool calling is",
    "tool calling` is",
    "tool choice requires",
    "tools param requires",
    "tools is not supported",
    "unsupported parameter: 'tools'",
    "does not support parameters: ['tools'",
];

/// Interprets the body of a vendor's error; `None` if the status has its usual meaning.
pub(super) type ReadError = fn(status: u16, body: &Value) -> Option<ProviderError>;

/// Address and credentials of a provider.
#[derive(Debug)]
pub(super) struct Endpoint {
    /// Its headers include the one with the key.
    pub(super) config: ProviderConfig,
    client: Client,
    /// URL for whole answers.
    pub(super) url: Url,
    read_error: ReadError,
}

impl Endpoint {
    /// Creates an endpoint authenticated by `header`, with the key after `prefix`.
    pub(super) fn new(
        client: Client,
        url: Url,
        mut config: ProviderConfig,
        (header, prefix): (HeaderName, &str),
        read_error: ReadError,
    ) -> Result<Self, ConfigError> {
        if let Some(key) = config.key() {
            let Ok(mut value) = HeaderValue::from_str(&format!("{prefix}{key}")) else {
                return Err(config.error("api_key", "has a character that no header can carry"));
            };
            // Keeps the key out of `Debug` output and out of HTTP/2's header table.
            value.set_sensitive(true);
            config.headers.append(header, value);
        }
        Ok(Self {
            config,
            client,
            url,
            read_error,
        })
    }

    /// Sends `body` to `url` and returns the response if its status is a success.
    ///
    /// Unless `request` is plain, an error's text is searched for mentions of tools and options.
    pub(super) async fn send(
        &self,
        url: &Url,
        mut body: Members,
        request: &Request<'_>,
    ) -> Result<Response, Failure> {
        let explained = !request.is_plain();
        let more = self.config.body_fields.iter();
        body.extend(more.map(|(name, value)| (name.clone(), raw(value))));
        let post = self.client.post(url.clone()).json(&body);
        let post = post.headers(self.config.headers.clone());
        let response = post.send().await.map_err(|error| {
            // The address may hold something that the operator does not want in a log.
            Failure::from(ProviderError::Connection(error.without_url().into()))
        })?;
        if !response.status().is_success() {
            return Err(self.failure(response, explained).await);
        }
        Ok(response)
    }

    /// Classifies an unsuccessful response.
    async fn failure(&self, response: Response, explained: bool) -> Failure {
        let status = response.status().as_u16();
        let retry_after = retry_after(&response);
        let is_read =
            matches!(status, 400 | 403 | 429) || (explained && matches!(status, 404 | 422));
        let text = if is_read {
            read_error_body(response).await
        } else {
            String::new()
        };
        let body = serde_json::from_str(&text).unwrap_or_default();
        let special = matches!(status, 400 | 403 | 429).then(|| (self.read_error)(status, &body));
        Failure {
            status: Some(status),
            error: special
                .flatten()
                .unwrap_or_else(|| of_status(status, retry_after, &text)),
            text,
        }
    }
}

/// Maps a status to an error when the vendor says nothing more specific. `text` is the vendor's
/// error.
pub(super) fn of_status(status: u16, retry_after: Option<RetryAfter>, text: &str) -> ProviderError {
    match status {
        400 if !mentions(text, &OF_CONVERSATION) => ProviderError::BadRequest,
        400 | 413 => ProviderError::Refused { status },
        401..=403 => ProviderError::Denied {
            status,
            reason: "check the key, its rights and the account's credit",
        },
        422 => ProviderError::Declined {
            reason: "status 422",
        },
        429 => ProviderError::RateLimited { retry_after },
        _ => ProviderError::Status { status },
    }
}

fn mentions(text: &str, phrases: &[&str]) -> bool {
    let text = text.to_ascii_lowercase();
    phrases.iter().any(|phrase| text.contains(phrase))
}

/// A failed request, with the text of the vendor's error, which is never passed on.
pub(super) struct Failure {
    error: ProviderError,
    status: Option<u16>,
    text: String,
}

impl From<ProviderError> for Failure {
    fn from(error: ProviderError) -> Self {
        Self {
            error,
            status: None,
            text: String::new(),
        }
    }
}

impl Failure {
    /// Whether the request was refused and the text mentions this option.
    pub(super) fn is_about(&self, word: &str) -> bool {
        matches!(self.status, Some(400 | 422)) && self.text.contains(word)
    }

    /// The error of a request, which may be due to the tools that it carried.
    pub(super) fn into_error(self, carried_tools: bool) -> ProviderError {
        let names_tools = mentions(&self.text, &OF_TOOLS);
        match (self.status, &self.error) {
            // Without tools a refused key stays refused.
            (_, ProviderError::Denied { .. }) if !names_tools => self.error,
            (Some(status @ (400 | 404 | 422)), _) if carried_tools => ProviderError::ToolsRefused {
                status,
                named: names_tools,
            },
            _ => self.error,
        }
    }
}

/// Reads a whole answer.
pub(super) async fn read_whole<T: DeserializeOwned>(
    response: Response,
) -> Result<T, ProviderError> {
    serde_json::from_slice(&read(response, ANSWER_BYTES_MAX).await?).map_err(not_the_format)
}

/// Whether a response is a JSON document, and so a whole answer, even if a stream was requested.
pub(super) fn is_json(response: &Response) -> bool {
    let content_type = response.headers().get(CONTENT_TYPE);
    let text = content_type.and_then(|value| value.to_str().ok());
    let essence = text.and_then(|text| text.split(';').next());
    essence.is_some_and(|essence| essence.trim().eq_ignore_ascii_case("application/json"))
}

fn retry_after(response: &Response) -> Option<RetryAfter> {
    RetryAfter::parse(response.headers().get(RETRY_AFTER)?.to_str().ok()?)
}

/// Reads a body up to a limit; fails if it is longer or breaks off.
async fn read(mut response: Response, limit: usize) -> Result<Vec<u8>, ProviderError> {
    let mut bytes = Vec::new();
    loop {
        match response.chunk().await {
            Ok(Some(chunk)) if chunk.len() > limit - bytes.len() => {
                return Err(ProviderError::unusable("longer than the limit"));
            }
            Ok(Some(chunk)) => bytes.extend_from_slice(&chunk),
            Ok(None) => return Ok(bytes),
            Err(_) => return Err(ProviderError::CUT),
        }
    }
}

/// Reads the body of an error if it arrives promptly.
async fn read_error_body(response: Response) -> String {
    let body = tokio::time::timeout(ERROR_BODY_TIMEOUT, read(response, ERROR_BYTES_MAX)).await;
    let Ok(Ok(bytes)) = body else {
        return String::new();
    };
    String::from_utf8(bytes).unwrap_or_default()
}

/// Appends path segments to a base URL, with or without a trailing slash.
pub(super) fn join(mut base: Url, segments: &[&str]) -> Url {
    if let Ok(mut path) = base.path_segments_mut() {
        path.pop_if_empty().extend(segments);
    }
    base
}

/// Whether the last segment of a URL satisfies `test`.
pub(super) fn ends_with_segment(base: &Url, test: impl Fn(&str) -> bool) -> bool {
    let last = base.path().trim_end_matches('/').rsplit('/').next();
    last.is_some_and(test)
}
