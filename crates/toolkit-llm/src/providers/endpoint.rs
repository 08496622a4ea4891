//! One HTTP exchange with a provider: the request out, a bounded answer or a kind of failure back.

use std::time::Duration;

use reqwest::header::{HeaderName, HeaderValue, RETRY_AFTER};
use reqwest::{Client, Response, Url};
use secrecy::{ExposeSecret, SecretString};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::{ConfigError, ProviderConfig};
use crate::error::ProviderError;
use crate::retry_after::RetryAfter;

/// Bytes of an answer: a hundred times the longest reply that is asked for by default.
const ANSWER_BYTES_MAX: usize = 1 << 20;

/// Bytes of an error's body; it is only looked at for its machine-readable parts.
const ERROR_BYTES_MAX: usize = 64 << 10;

/// Longest wait for an error's body: its status has already said nearly everything.
const ERROR_BODY_TIMEOUT: Duration = Duration::from_secs(2);

/// What a vendor says with the body of an error beyond its status; nothing where the status means
/// what it usually means.
pub(super) type ReadError = fn(status: u16, body: &Value) -> Option<ProviderError>;

/// Where a provider is, and how it knows us.
#[derive(Debug)]
pub(super) struct Endpoint {
    client: Client,
    url: Url,
    /// The header that authenticates, with its whole value.
    credentials: Option<(HeaderName, SecretString)>,
    /// Another header that the vendor wants.
    version: Option<(HeaderName, HeaderValue)>,
    read_error: ReadError,
}

impl Endpoint {
    /// An endpoint that is authenticated by `header`, the key after `prefix`.
    pub(super) fn new(
        client: Client,
        url: Url,
        config: &ProviderConfig,
        (header, prefix): (HeaderName, &str),
        read_error: ReadError,
    ) -> Result<Self, ConfigError> {
        let credentials = config
            .key()
            .map(|key| (header, SecretString::from(format!("{prefix}{key}"))));
        if let Some((_, value)) = &credentials
            && HeaderValue::from_str(value.expose_secret()).is_err()
        {
            return Err(config.error("api_key", "has a character that no header can carry"));
        }
        Ok(Self {
            client,
            url,
            credentials,
            version: None,
            read_error,
        })
    }

    pub(super) fn with_version(mut self, header: HeaderName, value: HeaderValue) -> Self {
        self.version = Some((header, value));
        self
    }

    #[cfg(test)]
    pub(super) fn url(&self) -> &Url {
        &self.url
    }

    /// Sends `body` and reads the answer.
    pub(super) async fn post<T: DeserializeOwned>(
        &self,
        body: &(impl Serialize + Sync),
    ) -> Result<T, ProviderError> {
        let mut request = self.client.post(self.url.clone()).json(body);
        if let Some((header, value)) = &self.credentials
            && let Ok(mut value) = HeaderValue::from_str(value.expose_secret())
        {
            // Keeps the key out of any `Debug` and out of HTTP/2's table of headers.
            value.set_sensitive(true);
            request = request.header(header, value);
        }
        if let Some((header, value)) = &self.version {
            request = request.header(header, value);
        }
        let response = request.send().await.map_err(|error| {
            // The address may hold what the operator does not want in a log.
            ProviderError::Connection(error.without_url().into())
        })?;
        if !response.status().is_success() {
            return Err(self.failure(response).await);
        }
        let bytes = read(response, ANSWER_BYTES_MAX).await?;
        serde_json::from_slice(&bytes).map_err(|_| ProviderError::Unusable {
            reason: "not in the provider's format",
        })
    }

    /// Says what an answer without success means.
    async fn failure(&self, response: Response) -> ProviderError {
        let status = response.status().as_u16();
        let retry_after = retry_after(&response);
        if matches!(status, 400 | 403 | 429) {
            let body = read_error_body(response).await;
            if let Some(error) = (self.read_error)(status, &body) {
                return error;
            }
        }
        match status {
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
}

fn retry_after(response: &Response) -> Option<RetryAfter> {
    RetryAfter::parse(response.headers().get(RETRY_AFTER)?.to_str().ok()?)
}

/// Reads a body up to a limit; a longer one, or one that breaks off, is worth nothing.
async fn read(mut response: Response, limit: usize) -> Result<Vec<u8>, ProviderError> {
    let mut bytes = Vec::new();
    loop {
        match response.chunk().await {
            Ok(Some(chunk)) if chunk.len() > limit - bytes.len() => {
                return Err(ProviderError::Unusable {
                    reason: "longer than the limit",
                });
            }
            Ok(Some(chunk)) => bytes.extend_from_slice(&chunk),
            Ok(None) => return Ok(bytes),
            Err(_) => {
                return Err(ProviderError::Unusable {
                    reason: "cut before its end",
                });
            }
        }
    }
}

/// Reads the body of an error if it comes at once and is JSON.
async fn read_error_body(response: Response) -> Value {
    let body = tokio::time::timeout(ERROR_BODY_TIMEOUT, read(response, ERROR_BYTES_MAX)).await;
    let Ok(Ok(bytes)) = body else {
        return Value::Null;
    };
    serde_json::from_slice(&bytes).unwrap_or_default()
}

/// Adds path segments to a base address, whether it ends with a slash or not.
pub(super) fn join(mut base: Url, segments: &[&str]) -> Url {
    if let Ok(mut path) = base.path_segments_mut() {
        path.pop_if_empty().extend(segments);
    }
    base
}

/// Whether the last segment of an address satisfies `test`.
pub(super) fn ends_with_segment(base: &Url, test: impl Fn(&str) -> bool) -> bool {
    let last = base.path().trim_end_matches('/').rsplit('/').next();
    last.is_some_and(test)
}
