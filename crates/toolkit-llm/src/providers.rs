//! The wire formats, one per file, and what they need to know of a provider.
//!
//! A provider's answer is read up to 1 MiB; anything that is not a whole answer in its format is an
//! error, never a guess. Fields beside the text (token counts, the model's name) may be odd or
//! missing without costing the reply.

mod anthropic;
mod endpoint;
mod gemini;
mod openai;
mod turns;

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use reqwest::{Client, Url};
use secrecy::{ExposeSecret, SecretString};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer};

pub use self::anthropic::Anthropic;
pub use self::gemini::Gemini;
pub use self::openai::OpenAi;
use crate::error::ProviderError;
use crate::message::{FinishReason, Reply, Usage};
use crate::provider::Provider;

/// How to reach one provider.
#[derive(Debug, Clone)]
pub struct ProviderConfig {
    /// The name under which it appears in replies, statuses and logs; one of its own in a chain.
    pub name: String,
    /// The model, as the provider names it.
    pub model: String,
    /// Where it is, `http` or `https`; the vendor's own address when absent.
    pub base_url: Option<String>,
    /// The key; a server of one's own may need none.
    pub api_key: Option<SecretString>,
    /// The longest that one turn may take; see [`Provider::timeout`].
    pub timeout: Option<Duration>,
}

/// A wire format, to choose at run time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// [`OpenAi`] and every compatible server.
    OpenAi,
    /// [`Anthropic`].
    Anthropic,
    /// [`Gemini`].
    Gemini,
}

impl Kind {
    /// Sets up a provider that speaks this format.
    ///
    /// # Errors
    ///
    /// The field of `config` that is wrong.
    pub fn provider(
        self,
        client: Client,
        config: ProviderConfig,
    ) -> Result<Box<dyn Provider>, ConfigError> {
        Ok(match self {
            Self::OpenAi => Box::new(OpenAi::new(client, config)?),
            Self::Anthropic => Box::new(Anthropic::new(client, config)?),
            Self::Gemini => Box::new(Gemini::new(client, config)?),
        })
    }
}

impl FromStr for Kind {
    type Err = UnknownKind;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "openai" => Ok(Self::OpenAi),
            "anthropic" => Ok(Self::Anthropic),
            "gemini" => Ok(Self::Gemini),
            _ => Err(UnknownKind),
        }
    }
}

/// The name of no wire format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("use one of openai, anthropic, gemini")]
pub struct UnknownKind;

/// A [`ProviderConfig`] that cannot work. Its text repeats neither the key nor the address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfigError {
    /// The provider's name.
    pub provider: String,
    /// The field that is wrong.
    pub field: &'static str,
    /// What is wrong with it, and what is accepted.
    pub reason: &'static str,
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            provider,
            field,
            reason,
        } = self;
        write!(f, "`{field}` of the LLM provider `{provider}` {reason}")
    }
}

impl std::error::Error for ConfigError {}

impl ProviderConfig {
    fn error(&self, field: &'static str, reason: &'static str) -> ConfigError {
        ConfigError {
            provider: self.name.clone(),
            field,
            reason,
        }
    }

    /// Checks what all formats have in common, and parses the address.
    fn check(&self, vendor_url: &str) -> Result<Url, ConfigError> {
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
    fn key(&self) -> Option<&str> {
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
    if url.query().is_some() || url.fragment().is_some() {
        return Err("has a query or a fragment; end it with its path");
    }
    Ok(url)
}

/// What a format's reader found in an answer.
struct Found {
    text: String,
    model: Option<String>,
    finish_reason: FinishReason,
    usage: Option<Usage>,
}

/// Longest name of a model that is taken over from an answer.
const MODEL_BYTES_MAX: usize = 200;

impl Found {
    /// Makes the reply, unless there is no text.
    fn into_reply(self, config: &ProviderConfig) -> Result<Reply, ProviderError> {
        if self.text.trim().is_empty() {
            return Err(match self.finish_reason {
                FinishReason::ContentFilter => ProviderError::Declined {
                    reason: "a content filter left nothing",
                },
                FinishReason::Length => ProviderError::Unusable {
                    reason: "no text before the output was full",
                },
                _ => ProviderError::Unusable { reason: "no text" },
            });
        }
        let plain = |model: &String| {
            (1..=MODEL_BYTES_MAX).contains(&model.len()) && !model.contains(char::is_control)
        };
        Ok(Reply {
            text: self.text,
            provider: config.name.clone(),
            model: self
                .model
                .filter(plain)
                .unwrap_or_else(|| config.model.clone()),
            finish_reason: self.finish_reason,
            usage: self.usage,
        })
    }
}

/// Reads a field that a reply can do without: whatever does not fit is taken as absent.
fn lenient<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: DeserializeOwned,
{
    let value = serde_json::Value::deserialize(deserializer)?;
    Ok(serde_json::from_value(value).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn config() -> ProviderConfig {
        ProviderConfig {
            name: "main".to_owned(),
            model: "m".to_owned(),
            base_url: Some("http://127.0.0.1:1/v1".to_owned()),
            api_key: None,
            timeout: None,
        }
    }

    #[test]
    fn an_address_is_http_or_https_without_credentials_query_or_fragment() {
        for (text, words) in [
            ("", "not a URL"),
            ("api.example.com/v1", "not a URL"),
            ("https://", "not a URL"),
            ("ftp://example.com", "another scheme"),
            ("file:///etc/passwd", "another scheme"),
            ("https://user@example.com", "user name or password"),
            ("https://:hunter2@example.com", "user name or password"),
            ("https://example.com/?key=hunter2", "a query"),
            ("https://example.com/#v1", "a fragment"),
        ] {
            let config = ProviderConfig {
                base_url: Some(text.to_owned()),
                ..config()
            };
            let error = config.check("https://vendor.example").unwrap_err();
            let text = error.to_string();
            assert!(
                text.starts_with("`base_url` of the LLM provider `main`"),
                "{text}"
            );
            assert!(text.contains(words) && !text.contains("hunter2"), "{text}");
        }
    }

    #[test]
    fn the_vendors_own_address_needs_a_key_and_a_server_of_ones_own_does_not() {
        assert!(config().check("https://vendor.example").is_ok());
        for key in [None, Some(""), Some(" \n")] {
            let api_key = key.map(SecretString::from);
            let config = ProviderConfig {
                base_url: None,
                api_key,
                ..config()
            };
            let error = config.check("https://vendor.example").unwrap_err();
            assert_eq!(error.field, "api_key");
        }
    }

    #[test]
    fn a_name_and_a_model_are_required() {
        let unnamed = ProviderConfig {
            name: " ".to_owned(),
            ..config()
        };
        assert_eq!(unnamed.check("").unwrap_err().field, "name");
        let without_model = ProviderConfig {
            model: String::new(),
            ..config()
        };
        assert_eq!(without_model.check("").unwrap_err().field, "model");
    }

    #[test]
    fn a_kind_is_read_by_its_name() {
        assert_eq!("openai".parse(), Ok(Kind::OpenAi));
        assert_eq!(
            serde_json::from_str::<Kind>(r#""gemini""#).unwrap(),
            Kind::Gemini
        );
        assert_eq!("OpenAI".parse::<Kind>(), Err(UnknownKind));
    }
}
