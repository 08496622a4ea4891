//! Wire formats, one file per vendor, and the configuration of a provider.
//!
//! An answer is read up to 1 MiB of text; anything that is not a whole answer in its format is an
//! error, never a guess. Fields beside the text (token counts, the model's name) may be odd or
//! missing without costing the reply.

#[cfg(feature = "anthropic")]
mod anthropic;
mod config;
mod decode;
mod endpoint;
#[cfg(feature = "gemini")]
mod gemini;
#[cfg(feature = "openai")]
mod openai;
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

/// A wire format, to choose at run time.
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

/// The name of no wire format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("use one of openai, anthropic, gemini")]
pub struct UnknownKind;

/// The members of an object, each as it was written.
type Members = BTreeMap<String, Box<RawValue>>;

/// What a format's reader found in an answer.
#[derive(Debug)]
struct Found {
    text: String,
    model: Option<String>,
    finish_reason: FinishReason,
    usage: Option<Usage>,
    calls: Vec<ToolCall>,
    /// The answer in the provider's own form, where there are calls.
    history: Option<Box<RawValue>>,
}

/// Longest name of a model that is taken over from an answer.
const MODEL_BYTES_MAX: usize = 200;

/// The name of a model from an answer, if it is fit to be shown.
fn shown_model(model: Option<String>) -> Option<String> {
    model.filter(|model| {
        (1..=MODEL_BYTES_MAX).contains(&model.len()) && !model.contains(char::is_control)
    })
}

impl Found {
    /// Makes the reply, unless there is no text.
    fn into_reply(self, config: &ProviderConfig) -> Result<Reply, ProviderError> {
        if self.text.trim().is_empty() {
            return Err(ProviderError::without_text(self.finish_reason));
        }
        let model = shown_model(self.model).unwrap_or_else(|| config.model.clone());
        Ok(Reply::new(self.text, &config.name, model)
            .with_finish_reason(self.finish_reason)
            .with_usage(self.usage))
    }

    /// Takes it apart: the model, the text, the end.
    fn into_parts(self, model: &str) -> (String, String, AnswerEnd) {
        let end = AnswerEnd::new(self.finish_reason)
            .with_usage(self.usage)
            .with_calls(self.calls, self.history);
        let model = shown_model(self.model).unwrap_or_else(|| model.to_owned());
        (model, self.text, end)
    }
}

/// Writes what is known to be JSON; there is nothing in it that could fail.
fn raw(value: &(impl serde::Serialize + ?Sized)) -> Box<RawValue> {
    serde_json::value::to_raw_value(value).unwrap_or_else(|_| RawValue::NULL.to_owned())
}

/// Reads a member if it is there and of this type.
fn read<T: DeserializeOwned>(members: &Members, name: &str) -> Option<T> {
    serde_json::from_str(members.get(name)?.get()).ok()
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
