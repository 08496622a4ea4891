//! HTTP exchange with a provider: sends a request and returns a response or a classified error.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use reqwest::header::{HeaderName, HeaderValue, RETRY_AFTER};
use reqwest::{Client, Response, Url};
use serde_json::Value;

use super::options::{Change, Changes, Droppable};
use super::{ConfigError, Members, ProviderConfig, raw};
use crate::error::ProviderError;
use crate::provider::Request;
use crate::retry_after::RetryAfter;

/// Maximum length of an error body in bytes. Only its machine-readable parts are used.
const ERROR_BYTES_MAX: usize = 64 << 10;

/// Maximum wait for an error body, since its status already says nearly everything.
const ERROR_BODY_TIMEOUT: Duration = Duration::from_secs(2);

/// Codes and phrases of errors about a conversation's length, in lower case: of the three vendors,
/// Azure, vLLM, llama.cpp, Groq, Mistral, xAI, `DashScope` and LiteLLM.
const OF_LENGTH: [&str; 14] = [
    "context_length_exceeded",
    "contextwindowexceeded",
    "exceed_context_size",
    "string_above_max_length",
    "maximum context length",
    "available context size",
    "exceed context limit",
    "exceeds the context window",
    "maximum model length",
    "maximum prompt length",
    "prompt is too long",
    "input token count",
    "range of input length",
    "reduce the length of the messages",
];

/// The same for errors about its content.
const OF_CONTENT: [&str; 7] = [
    "content_filter",
    "content filtering policy",
    "content management policy",
    "content_policy_violation",
    "contentpolicyviolation",
    "data_inspection_failed",
    "invalid_prompt",
];

/// The same for errors about tools: of the three vendors, Ollama, vLLM, llama.cpp, Groq, Mistral,
/// `DeepSeek`, `OpenRouter` and LiteLLM. An error about a conversation may mention tools too.
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

/// The same for accounts without credit. None counts with a 400, which may repeat what a caller
/// wrote.
const OF_CREDIT: [&str; 10] = [
    "insufficient_quota",
    "insufficient balance",
    "insufficient credit",
    "insufficient_credit",
    "credit balance",
    "credits are depleted",
    "used all available credits",
    "billing_hard_limit",
    "payment_required",
    "api usage limits",
];

/// The same for models that are not, or no longer, served.
const OF_MODEL: [&str; 13] = [
    "model_not_found",
    "model_decommissioned",
    "model_deprecated",
    "has been deprecated",
    "has been retired",
    "been decommissioned",
    "been shut down",
    "no longer available",
    "no longer supported",
    "does not exist",
    "is not found for api version",
    "not a valid model",
    "\"message\":\"model: ",
];

/// The same for models that only the Responses API serves.
const OF_RESPONSES: [&str; 3] =
    ["only supported in v1/responses", "only supported in /v1/responses", "not a chat model"];

/// Maximum number of changes to one request.
const CHANGES_MAX: usize = 4;

/// Interprets a vendor's error body. `None` if the status has its usual meaning.
pub(super) type ReadError = fn(status: u16, body: &Value) -> Option<ProviderError>;

/// Address and credentials of a provider, and the options that its server refuses.
#[derive(Debug)]
pub(super) struct Endpoint {
    /// The headers include the one with the key.
    pub(super) config: ProviderConfig,
    client: Client,
    pub(super) url: Url,
    read_error: ReadError,
    droppable: &'static [Droppable],
    changes: Mutex<Changes>,
}

impl Endpoint {
    /// Creates an endpoint authenticated by `header`, with the key after `prefix`.
    pub(super) fn new(
        client: Client,
        url: Url,
        mut config: ProviderConfig,
        (header, prefix): (HeaderName, &str),
        read_error: ReadError,
        droppable: &'static [Droppable],
    ) -> Result<Self, ConfigError> {
        if let Some(key) = config.key() {
            let Ok(mut value) = HeaderValue::from_str(&format!("{prefix}{key}")) else {
                return Err(config.error("api_key", "has a character that no header can carry"));
            };
            // Keeps the key out of `Debug` output and HTTP/2's header table.
            value.set_sensitive(true);
            config.headers.append(header, value);
        }
        Ok(Self { config, client, url, read_error, droppable, changes: Mutex::default() })
    }

    /// Starts with changes known to be needed.
    pub(super) fn with_changes(mut self, known: impl IntoIterator<Item = Change>) -> Self {
        self.changes = Mutex::new(Changes::new(known));
        self
    }

    /// Those of `options` that are not sent.
    pub(super) fn unsupported(
        &self,
        options: Vec<&'static str>,
        unknown: &[&str],
    ) -> Vec<&'static str> {
        let changes = self.changes();
        let options = options.into_iter();
        options.filter(|option| unknown.contains(option) || changes.drops(option)).collect()
    }

    fn changes(&self) -> Changes {
        // No code panics while holding the lock, and the list is always consistent.
        let changes = self.changes.lock();
        changes.unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Sends a request to `url` and returns the response if its status is a success. If the server
    /// refuses an option, the request is sent again without it.
    pub(super) async fn send(
        &self,
        url: Url,
        request: &Request<'_>,
        body: fn(&ProviderConfig, &Request<'_>, &Changes) -> Members,
    ) -> Result<Response, ProviderError> {
        let mut changes = self.changes();
        let known = changes.len();
        let mut is_general = true;
        loop {
            let mut members = body(&self.config, request, &changes);
            changes.apply(&mut members);
            let failed = match self.post(url.clone(), &members).await {
                Ok(response) => {
                    if is_general {
                        self.remember(changes.since(known));
                    }
                    return Ok(response);
                }
                Err(failed) => failed,
            };
            let asked_for = (changes.len() < known + CHANGES_MAX)
                .then(|| failed.change(&changes, &members, self.droppable));
            let Some(change) = asked_for.flatten() else {
                let carried_tools = request.tools.is_some() && request.rounds.is_empty();
                return Err(failed.into_error(carried_tools));
            };
            // A limit that is too large for one long conversation is right for others.
            is_general &= !mentions(&failed.text, &OF_LENGTH);
            changes.push(change);
        }
    }

    async fn post(&self, url: Url, members: &Members) -> Result<Response, FailedRequest> {
        let mut body = members.clone();
        let more = self.config.body_fields.iter();
        body.extend(more.map(|(name, value)| (name.clone(), raw(value))));
        let post = self.client.post(url).json(&body);
        let post = post.headers(self.config.headers.clone());
        let response = post.send().await.map_err(|error| {
            // The address may contain something that does not belong in a log.
            FailedRequest::from(ProviderError::Connection(error.without_url().into()))
        })?;
        if !response.status().is_success() {
            return Err(self.failed(response).await);
        }
        Ok(response)
    }

    /// Remembers the changes of a successful request.
    fn remember(&self, learned: &[Change]) {
        for &change in learned {
            let mut changes = self.changes.lock().unwrap_or_else(PoisonError::into_inner);
            if changes.has(change) {
                continue;
            }
            changes.push(change);
            drop(changes);
            let name = self.config.name.as_str();
            tracing::warn!(
                llm.provider = name,
                "an LLM provider refuses an option: from now on {change}"
            );
        }
    }

    /// Classifies an unsuccessful response.
    async fn failed(&self, response: Response) -> FailedRequest {
        let status = response.status().as_u16();
        let retry_after = retry_after(&response);
        let is_read = matches!(status, 400 | 402 | 403 | 404 | 410 | 422 | 429);
        let text = if is_read { read_error_body(response).await } else { String::new() };
        let body = serde_json::from_str(&text).unwrap_or_default();
        let special = (self.read_error)(status, &body);
        FailedRequest {
            status: Some(status),
            error: special.unwrap_or_else(|| of_status(status, retry_after, &text)),
            text,
        }
    }
}

/// Maps a status to an error if the vendor says nothing more specific. `text` is the vendor's
/// error.
pub(super) fn of_status(status: u16, retry_after: Option<RetryAfter>, text: &str) -> ProviderError {
    let denied = |reason| ProviderError::Denied { status, reason };
    let mentions = |phrases: &[&str]| mentions(text, phrases);
    match status {
        402 | 403 | 429 if mentions(&OF_CREDIT) => denied(NO_CREDIT),
        402 => denied(NO_CREDIT),
        404 if mentions(&OF_RESPONSES) => {
            denied("the model is served by the Responses API only; set the kind `responses`")
        }
        404 | 410 if mentions(&OF_MODEL) => {
            denied("the model is retired or unknown; configure another")
        }
        400 if mentions(&OF_LENGTH) => ProviderError::TooLong { status },
        400 if mentions(&OF_CONTENT) => ProviderError::Refused { status },
        400 => ProviderError::BadRequest,
        413 => ProviderError::TooLong { status },
        401 | 403 => denied("check the key, its rights and the account's credit"),
        422 => ProviderError::Declined { reason: "status 422" },
        429 => ProviderError::RateLimited { retry_after },
        _ => ProviderError::Status { status },
    }
}

/// Advice for an account that cannot pay.
pub(super) const NO_CREDIT: &str = "the account has no credit";

fn mentions(text: &str, phrases: &[&str]) -> bool {
    let text = text.to_ascii_lowercase();
    phrases.iter().any(|phrase| text.contains(phrase))
}

/// A failed request, with the vendor's error text, which is not passed on.
struct FailedRequest {
    error: ProviderError,
    status: Option<u16>,
    text: String,
}

impl From<ProviderError> for FailedRequest {
    fn from(error: ProviderError) -> Self {
        Self { error, status: None, text: String::new() }
    }
}

impl FailedRequest {
    /// The change that the error asks for.
    fn change(
        &self,
        changes: &Changes,
        members: &Members,
        droppable: &[Droppable],
    ) -> Option<Change> {
        let is_refusal = matches!(self.status, Some(400 | 422));
        let is_about_tools = mentions(&self.text, &OF_TOOLS);
        let next = || changes.next(&self.text, members, droppable);
        (is_refusal && !is_about_tools).then(next).flatten()
    }

    /// The request's error, which may be due to its tools.
    fn into_error(self, carried_tools: bool) -> ProviderError {
        let names_tools = mentions(&self.text, &OF_TOOLS);
        match (self.status, &self.error) {
            // A refused key stays refused without tools.
            (_, ProviderError::Denied { .. }) if !names_tools => self.error,
            (_, ProviderError::TooLong { .. }) => self.error,
            (Some(status @ (400 | 404 | 422)), _) if carried_tools => {
                ProviderError::ToolsRefused { status, named: names_tools }
            }
            _ => self.error,
        }
    }
}

fn retry_after(response: &Response) -> Option<RetryAfter> {
    RetryAfter::parse(response.headers().get(RETRY_AFTER)?.to_str().ok()?)
}

/// Reads a body up to a limit. `None` if it is longer or breaks off.
async fn read(mut response: Response, limit: usize) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    while let Some(chunk) = response.chunk().await.ok()? {
        if chunk.len() > limit - bytes.len() {
            return None;
        }
        bytes.extend_from_slice(&chunk);
    }
    Some(bytes)
}

/// Reads an error body if it arrives promptly.
async fn read_error_body(response: Response) -> String {
    let body = tokio::time::timeout(ERROR_BODY_TIMEOUT, read(response, ERROR_BYTES_MAX)).await;
    let bytes = body.ok().flatten().unwrap_or_default();
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
