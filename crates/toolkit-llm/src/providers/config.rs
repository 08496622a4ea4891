//! Provider configuration: address, key, model and timeout.

use std::time::Duration;

use reqwest::Url;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use secrecy::{ExposeSecret, SecretString};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// How much a model reasons before it answers.
///
/// | here | Chat Completions, Responses | Anthropic | Gemini |
/// |---|---|---|---|
/// | `none` | `none` | thinking is disabled | `minimal` |
/// | `minimal` | `minimal` | `low` | `minimal` |
/// | `low`, `medium`, `high` | the same | the same | the same |
/// | `xhigh` | `xhigh` | `xhigh` | `high` |
///
/// If a server refuses it, the request is sent again without.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Effort {
    /// Not at all.
    None,
    /// As little as possible.
    Minimal,
    /// Little.
    Low,
    /// The middle.
    Medium,
    /// Much.
    High,
    /// As much as possible.
    Xhigh,
}

/// Configuration of one provider.
///
/// ```
/// use toolkit_llm::providers::ProviderConfig;
///
/// let own = ProviderConfig::new("own", "qwen3:8b").base_url("http://127.0.0.1:11434/v1");
/// let vendor = ProviderConfig::new("vendor", "claude-sonnet-5").api_key("sk-ant-…");
/// # let _ = (own, vendor);
/// ```
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct ProviderConfig {
    /// Name shown in replies, statuses and logs. Unique in a chain.
    pub name: String,
    /// The model, as the provider names it.
    pub model: String,
    /// Base URL, `http` or `https`. The vendor's own if absent.
    pub base_url: Option<String>,
    /// API key. A self-hosted server may need none.
    pub api_key: Option<SecretString>,
    /// Maximum silence. See [`Provider::timeout`](crate::Provider::timeout).
    pub timeout: Option<Duration>,
    /// How much the model reasons. The vendor's default if absent.
    pub effort: Option<Effort>,
    /// Whether the provider is offered tools. True by default.
    pub tools: bool,
    /// Extra request headers.
    pub headers: HeaderMap,
    /// Extra fields of the request body, besides those that the format writes.
    pub body_fields: Map<String, Value>,
}

impl ProviderConfig {
    /// Configures a provider at its vendor's own address, without a key.
    pub fn new(name: impl Into<String>, model: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            model: model.into(),
            base_url: None,
            api_key: None,
            timeout: None,
            effort: None,
            tools: true,
            headers: HeaderMap::new(),
            body_fields: Map::new(),
        }
    }

    /// Sets the base URL.
    #[must_use]
    pub fn base_url(mut self, base_url: impl Into<String>) -> Self {
        self.base_url = Some(base_url.into());
        self
    }

    /// Sets the API key.
    #[must_use]
    pub fn api_key(mut self, api_key: impl Into<SecretString>) -> Self {
        self.api_key = Some(api_key.into());
        self
    }

    /// Sets how much the model reasons.
    #[must_use]
    pub fn effort(mut self, effort: Effort) -> Self {
        self.effort = Some(effort);
        self
    }

    /// Sets the maximum silence, before and during the answer.
    #[must_use]
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = Some(timeout);
        self
    }

    /// Adds a header to each request, such as one that a gateway requires. `Debug` does not show
    /// its value.
    ///
    /// ```
    /// use toolkit_llm::providers::ProviderConfig;
    /// use toolkit_llm::reqwest::header::{HeaderName, HeaderValue};
    ///
    /// let team = HeaderValue::from_static("chat");
    /// let config = ProviderConfig::new("own", "qwen3:8b")
    ///     .base_url("http://127.0.0.1:11434/v1")
    ///     .header(HeaderName::from_static("x-team"), team)
    ///     .body_field("service_tier", "flex");
    /// # let _ = config;
    /// ```
    #[must_use]
    pub fn header(mut self, name: HeaderName, mut value: HeaderValue) -> Self {
        value.set_sensitive(true);
        self.headers.append(name, value);
        self
    }

    /// Adds a field to each request's body, such as a vendor-specific option.
    #[must_use]
    pub fn body_field(mut self, name: impl Into<String>, value: impl Into<Value>) -> Self {
        self.body_fields.insert(name.into(), value.into());
        self
    }

    /// Sets whether the provider is offered tools.
    #[must_use]
    pub fn tools(mut self, tools: bool) -> Self {
        self.tools = tools;
        self
    }
}

/// Error: an unusable [`ProviderConfig`]. Its text repeats neither the key nor the address.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{field}` of the LLM provider `{provider}` {reason}")]
#[non_exhaustive]
pub struct ConfigError {
    /// The provider's name.
    pub provider: String,
    /// The invalid field.
    pub field: &'static str,
    /// What is wrong with it, and what is accepted.
    pub reason: &'static str,
}

impl ProviderConfig {
    pub(super) fn error(&self, field: &'static str, reason: &'static str) -> ConfigError {
        ConfigError { provider: self.name.clone(), field, reason }
    }

    /// Checks the rules that all formats share, and parses the address.
    pub(super) fn check(&self, vendor_url: &str) -> Result<Url, ConfigError> {
        if self.name.trim().is_empty() {
            return Err(self.error("name", "is empty; give it a name"));
        }
        if self.model.trim().is_empty() {
            return Err(self.error("model", "is empty; name a model"));
        }
        if self.base_url.is_none() && self.key().is_none() {
            return Err(self.error("api_key", "is missing; the vendor's own address needs one"));
        }
        let text = self.base_url.as_deref().unwrap_or(vendor_url);
        check_url(text).map_err(|reason| self.error("base_url", reason))
    }

    /// The key without the white space that files and environments tend to add.
    pub(super) fn key(&self) -> Option<&str> {
        let key = self.api_key.as_ref().map(|key| key.expose_secret().trim());
        key.filter(|key| !key.is_empty())
    }
}

fn check_url(text: &str) -> Result<Url, &'static str> {
    let url = Url::parse(text).map_err(|_| "is not a URL; give http://… or https://…")?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err("has another scheme than http or https");
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err("holds a user name or password; give the key as `api_key`");
    }
    if url.fragment().is_some() {
        return Err("has a fragment; end it with its path or its query");
    }
    Ok(url)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn config() -> ProviderConfig {
        ProviderConfig::new("main", "m").base_url("http://127.0.0.1:1/v1")
    }

    #[test]
    fn an_address_is_http_or_https_without_credentials_or_fragment() {
        for (text, words) in [
            ("", "not a URL"),
            ("api.example.com/v1", "not a URL"),
            ("https://", "not a URL"),
            ("ftp://example.com", "another scheme"),
            ("file:///etc/passwd", "another scheme"),
            ("https://user@example.com", "user name or password"),
            ("https://:hunter2@example.com", "user name or password"),
            ("https://example.com/#hunter2", "a fragment"),
        ] {
            let config = ProviderConfig { base_url: Some(text.to_owned()), ..config() };
            let error = config.check("https://vendor.example").unwrap_err();
            let text = error.to_string();
            assert!(text.starts_with("`base_url` of the LLM provider `main`"), "{text}");
            assert!(text.contains(words) && !text.contains("hunter2"), "{text}");
        }
    }

    #[test]
    fn a_vendor_needs_a_key_and_a_self_hosted_server_does_not() {
        assert!(config().check("https://vendor.example").is_ok());
        for key in [None, Some(""), Some(" \n")] {
            let api_key = key.map(SecretString::from);
            let config = ProviderConfig { base_url: None, api_key, ..config() };
            let error = config.check("https://vendor.example").unwrap_err();
            assert_eq!(error.field, "api_key");
        }
    }

    #[test]
    fn a_name_and_a_model_are_required() {
        let unnamed = ProviderConfig { name: " ".to_owned(), ..config() };
        assert_eq!(unnamed.check("").unwrap_err().field, "name");
        let without_model = ProviderConfig { model: String::new(), ..config() };
        assert_eq!(without_model.check("").unwrap_err().field, "model");
    }
}
