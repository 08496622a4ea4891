//! Providers over HTTP: the wire formats, one file per vendor, and the configuration of a provider.
//!
//! At most 1 MiB of an answer's text is read; anything but a complete answer in the expected format
//! is an error, never a guess. Fields beside the text (token counts, the model's name) may be
//! malformed or missing without losing the reply.

#[cfg(feature = "anthropic")]
mod anthropic;
mod config;
mod decode;
mod endpoint;
#[cfg(feature = "gemini")]
mod gemini;
#[cfg(feature = "openai")]
mod openai;
#[cfg(any(feature = "openai", feature = "anthropic"))]
mod scan;
#[cfg(any(feature = "anthropic", feature = "gemini"))]
mod turns;

use std::collections::BTreeMap;
use std::str::FromStr;

use reqwest::Client;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

#[cfg(feature = "anthropic")]
pub use self::anthropic::Anthropic;
pub use self::config::{ConfigError, ProviderConfig};
#[cfg(feature = "gemini")]
pub use self::gemini::Gemini;
#[cfg(feature = "openai")]
pub use self::openai::OpenAi;
use crate::error::ProviderError;
use crate::message::{FinishReason, Reply, Usage};
use crate::provider::{AnswerEnd, Provider};
use crate::tools::ToolCall;

/// A wire format, chosen at run time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Kind {
    /// [`OpenAi`] and every compatible server.
    #[cfg(feature = "openai")]
    OpenAi,
    /// [`Anthropic`].
    #[cfg(feature = "anthropic")]
    Anthropic,
    /// [`Gemini`].
    #[cfg(feature = "gemini")]
    Gemini,
}

impl Kind {
    /// Creates a provider that speaks this format.
    ///
    /// # Errors
    ///
    /// Names the field of `config` that is wrong.
    pub fn provider(
        self,
        client: Client,
        config: ProviderConfig,
    ) -> Result<Box<dyn Provider>, ConfigError> {
        match self {
            #[cfg(feature = "openai")]
            Self::OpenAi => Ok(Box::new(OpenAi::new(client, config)?)),
            #[cfg(feature = "anthropic")]
            Self::Anthropic => Ok(Box::new(Anthropic::new(client, config)?)),
            #[cfg(feature = "gemini")]
            Self::Gemini => Ok(Box::new(Gemini::new(client, config)?)),
        }
    }
}

impl FromStr for Kind {
    type Err = UnknownKind;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            #[cfg(feature = "openai")]
            "openai" => Ok(Self::OpenAi),
            #[cfg(feature = "anthropic")]
            "anthropic" => Ok(Self::Anthropic),
            #[cfg(feature = "gemini")]
            "gemini" => Ok(Self::Gemini),
            _ => Err(UnknownKind),
        }
    }
}

/// Error: no wire format has this name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("use one of openai, anthropic, gemini")]
pub struct UnknownKind;

/// Members of an object, each as raw JSON.
type Members = BTreeMap<String, Box<RawValue>>;

/// Contents of an answer, as read by a format.
#[derive(Debug)]
struct Found {
    text: String,
    model: Option<String>,
    finish_reason: FinishReason,
    usage: Option<Usage>,
    calls: Vec<ToolCall>,
    /// The answer in the provider's own form, if there are calls.
    history: Option<Box<RawValue>>,
}

/// Maximum length of a model's name taken from an answer, in bytes.
const MODEL_BYTES_MAX: usize = 200;

/// The model's name from an answer, if it is fit to be shown.
fn shown_model(model: Option<String>) -> Option<String> {
    model.filter(|model| {
        (1..=MODEL_BYTES_MAX).contains(&model.len()) && !model.contains(char::is_control)
    })
}

impl Found {
    /// Builds the reply; fails if there is no text.
    fn into_reply(self, config: &ProviderConfig) -> Result<Reply, ProviderError> {
        if self.text.trim().is_empty() {
            return Err(ProviderError::without_text(self.finish_reason));
        }
        let model = shown_model(self.model).unwrap_or_else(|| config.model.clone());
        Ok(Reply::new(self.text, &config.name, model)
            .with_finish_reason(self.finish_reason)
            .with_usage(self.usage))
    }

    /// Splits it into the model, the text and the end.
    fn into_parts(self, model: &str) -> (String, String, AnswerEnd) {
        let end = AnswerEnd::new(self.finish_reason)
            .with_usage(self.usage)
            .with_calls(self.calls, self.history);
        let model = shown_model(self.model).unwrap_or_else(|| model.to_owned());
        (model, self.text, end)
    }
}

/// Serializes a value that is known to be valid JSON and cannot fail.
fn raw(value: &(impl serde::Serialize + ?Sized)) -> Box<RawValue> {
    serde_json::value::to_raw_value(value).unwrap_or_else(|_| RawValue::NULL.to_owned())
}

/// Reads a member if it is present and has this type.
fn read<T: DeserializeOwned>(members: &Members, name: &str) -> Option<T> {
    serde_json::from_str(members.get(name)?.get()).ok()
}

/// Reads a field that a reply can do without: anything unexpected counts as absent.
fn lenient<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: DeserializeOwned,
{
    let json = <&RawValue>::deserialize(deserializer)?.get();
    Ok(serde_json::from_str(json).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

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
