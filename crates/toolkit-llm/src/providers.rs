//! Providers over HTTP: the wire formats, one file per vendor, and the configuration of a provider.
//!
//! Every answer is asked for as a stream; a server that sends it whole is understood, too. At most 1
//! MiB of its text is read; anything but a complete answer in the expected format is an error, never a
//! guess. Fields beside the text (token counts, the model's name) may be
//! malformed or missing without losing the reply.

/// Implements [`Provider`] for a vendor whose type has an `endpoint`, in a module with the `body` of
/// its requests, the `Decoder` of its answers and a function `lacks`, which names the options that
/// the format does not have. `address` makes the URL if it depends on the model.
macro_rules! provider {
    ($vendor:ty $(, $address:path)?) => {
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

            fn unsupported(&self, sampling: &crate::Sampling) -> Vec<&'static str> {
                self.endpoint.unsupported(sampling.options(), lacks(sampling))
            }

            async fn reply(
                &self,
                request: crate::Request<'_>,
            ) -> Result<crate::Reply, crate::ProviderError> {
                let answer = self.stream(request).await?;
                super::decode::collect(answer, &self.endpoint.config).await
            }

            async fn stream(
                &self,
                request: crate::Request<'_>,
            ) -> Result<crate::Answer, crate::ProviderError> {
                let endpoint = &self.endpoint;
                let model = request.model.unwrap_or(&endpoint.config.model);
                let request = crate::Request { model: Some(model), ..request };
                let url = endpoint.url.clone();
                $(let url = $address(url, model.trim());)?
                let response = endpoint.send(url, &request, request::body).await?;
                let decoder = Decoder::new(request.rounds.len() + 1, request.tools.is_some());
                Ok(super::decode::pieces(response, model.to_owned(), decoder))
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
mod messages;
#[cfg(feature = "openai")]
mod openai;
mod options;
#[cfg(feature = "openai")]
mod responses;

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
pub use self::config::{ConfigError, Effort, ProviderConfig};
#[cfg(feature = "gemini")]
pub use self::gemini::Gemini;
#[cfg(feature = "openai")]
pub use self::openai::OpenAi;
#[cfg(feature = "openai")]
pub use self::responses::Responses;
use crate::provider::Provider;

/// A wire format, chosen at run time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Kind {
    /// [`Responses`] at OpenAI itself and at Azure's v1 API, [`OpenAi`] at every compatible server.
    #[cfg(feature = "openai")]
    OpenAi,
    /// [`OpenAi`], wherever it is.
    #[cfg(feature = "openai")]
    Chat,
    /// [`Responses`], wherever it is.
    #[cfg(feature = "openai")]
    Responses,
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
            Self::OpenAi if Responses::is_offered_at(&config) => {
                Ok(Arc::new(Responses::new(client, config)?))
            }
            #[cfg(feature = "openai")]
            Self::OpenAi | Self::Chat => Ok(Arc::new(OpenAi::new(client, config)?)),
            #[cfg(feature = "openai")]
            Self::Responses => Ok(Arc::new(Responses::new(client, config)?)),
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
#[error("use one of openai, chat, responses, anthropic, gemini")]
pub struct UnknownKind;

/// Members of an object, each as raw JSON.
type Members = BTreeMap<String, Box<RawValue>>;

/// Maximum length of a model's name taken from an answer, in bytes.
const MODEL_BYTES_MAX: usize = 200;

/// The model's name from an answer, if it is fit to be shown.
fn shown_model(model: Option<String>) -> Option<String> {
    model.filter(|model| {
        (1..=MODEL_BYTES_MAX).contains(&model.len()) && !model.contains(char::is_control)
    })
}

/// Serializes a value that is known to be valid JSON and cannot fail.
fn raw(value: &(impl serde::Serialize + ?Sized)) -> Box<RawValue> {
    serde_json::value::to_raw_value(value).unwrap_or_else(|_| RawValue::NULL.to_owned())
}

/// Members of an object; one that is null, false or an empty list is left out.
fn members<const N: usize>(members: [(&str, Box<RawValue>); N]) -> Members {
    let is_set = |value: &RawValue| !matches!(value.get(), "null" | "false" | "[]");
    let members = members.into_iter().filter(|(_, value)| is_set(value));
    members.map(|(name, value)| (name.to_owned(), value)).collect()
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
        assert_eq!("responses".parse(), Ok(Kind::Responses));
        assert_eq!(serde_json::from_str::<Kind>(r#""gemini""#).unwrap(), Kind::Gemini);
        assert_eq!("OpenAI".parse::<Kind>(), Err(UnknownKind));
    }
}
