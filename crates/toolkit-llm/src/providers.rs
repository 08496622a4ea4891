//! Providers over HTTP: the wire formats, one file per vendor, and the configuration of a provider.
//!
//! At most 1 MiB of an answer's text is read; anything but a complete answer in the expected format
//! is an error, never a guess. Fields beside the text (token counts, the model's name) may be
//! malformed or missing without losing the reply.

/// Implements [`Provider`] for a vendor whose type has an `endpoint` and a function `send`, in a
/// module with the `Decoder` of its streams.
///
/// `found` takes a whole answer apart, given the number of its round and whether its request was
/// plain.
macro_rules! provider {
    ($vendor:ty, takes_seed_and_format: $takes:literal, found: $found:expr) => {
        #[async_trait::async_trait]
        impl crate::Provider for $vendor {
            fn name(&self) -> &str {
                &self.endpoint.config.name
            }

            fn timeout(&self) -> Option<std::time::Duration> {
                self.endpoint.config.timeout
            }

            fn takes_tools(&self) -> bool {
                self.endpoint.config.tools
            }

            fn takes_seed(&self) -> bool {
                $takes
            }

            fn takes_response_format(&self) -> bool {
                $takes
            }

            async fn reply(&self, request: Request<'_>) -> Result<crate::Reply, ProviderError> {
                let request = Request {
                    streamed: false,
                    ..request
                };
                let sent = self.send(&request).await;
                let response = sent.map_err(|failure| failure.into_error(false))?;
                let (answer, found) = (endpoint::read_whole(response).await?, $found);
                found(answer, 1, true)?.into_reply(&self.endpoint.config)
            }

            async fn stream(&self, request: Request<'_>) -> Result<crate::Answer, ProviderError> {
                let sent = self.send(&request).await;
                let carried_tools = request.tools.is_some() && request.rounds.is_empty();
                let response = sent.map_err(|failure| failure.into_error(carried_tools))?;
                let model = &self.endpoint.config.model;
                let round = request.rounds.len() + 1;
                if request.streamed && !endpoint::is_json(&response) {
                    let decoder = Decoder::new(round, request.tools.is_some());
                    return Ok(decode::pieces(response, model.clone(), decoder));
                }
                let (answer, found) = (endpoint::read_whole(response).await?, $found);
                Ok(found(answer, round, request.is_plain())?.into_answer(model))
            }
        }
    };
}

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
use std::sync::Arc;

use reqwest::Client;
use serde::de::value::Error as ValueError;
use serde::de::{DeserializeOwned, IntoDeserializer as _};
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
use crate::message::Reply;
use crate::provider::{Answer, AnswerEnd, Provider, whole};

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
    ) -> Result<Arc<dyn Provider>, ConfigError> {
        match self {
            #[cfg(feature = "openai")]
            Self::OpenAi => Ok(Arc::new(OpenAi::new(client, config)?)),
            #[cfg(feature = "anthropic")]
            Self::Anthropic => Ok(Arc::new(Anthropic::new(client, config)?)),
            #[cfg(feature = "gemini")]
            Self::Gemini => Ok(Arc::new(Gemini::new(client, config)?)),
        }
    }
}

impl FromStr for Kind {
    type Err = UnknownKind;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::deserialize(text.into_deserializer()).map_err(|_: ValueError| UnknownKind)
    }
}

/// Error: no wire format has this name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("use one of openai, anthropic, gemini")]
pub struct UnknownKind;

/// Members of an object, each as raw JSON.
type Members = BTreeMap<String, Box<RawValue>>;

/// Contents of an answer, as read by a format.
struct Found {
    text: String,
    model: Option<String>,
    end: AnswerEnd,
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
            return Err(ProviderError::without_text(self.end.finish_reason));
        }
        let model = shown_model(self.model).unwrap_or_else(|| config.model.clone());
        Ok(Reply {
            finish_reason: self.end.finish_reason,
            usage: self.end.usage,
            ..Reply::new(self.text, &config.name, model)
        })
    }

    fn into_answer(self, model: &str) -> Answer {
        let model = shown_model(self.model).unwrap_or_else(|| model.to_owned());
        whole(model, self.text, self.end)
    }
}

/// Serializes a value that is known to be valid JSON and cannot fail.
fn raw(value: &(impl serde::Serialize + ?Sized)) -> Box<RawValue> {
    serde_json::value::to_raw_value(value).unwrap_or_else(|_| RawValue::NULL.to_owned())
}

/// Members of an object; one that is null, false or an empty list is left out.
fn members<const N: usize>(members: [(&str, Box<RawValue>); N]) -> Members {
    let is_set = |value: &RawValue| !matches!(value.get(), "null" | "false" | "[]");
    let members = members.into_iter().filter(|(_, value)| is_set(value));
    members
        .map(|(name, value)| (name.to_owned(), value))
        .collect()
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
