//! HTTP providers: the wire formats, one file per vendor, and provider configuration.
//!
//! Every answer is requested as a stream, but a whole answer is understood too. At most 1 MiB of
//! its text is read. Anything but a complete answer in the expected format is an error. Fields
//! beside the text (token counts, the model's name) may be malformed or missing without losing the
//! reply.

/// Implements [`Provider`] for a vendor whose type has an `endpoint`, in a module with the request
/// `body`, the answer `Decoder` and a function `lacks`, which names the options that the format
/// does not have. `address` makes the URL if it depends on the model.
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

mod anthropic;
mod config;
mod decode;
mod endpoint;
mod gemini;
mod messages;
mod openai;
mod options;
mod responses;

use std::collections::BTreeMap;
use std::sync::Arc;

use reqwest::Client;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

pub use self::anthropic::Anthropic;
pub use self::config::{ConfigError, Effort, ProviderConfig};
pub use self::gemini::Gemini;
pub use self::openai::OpenAi;
pub use self::responses::Responses;
use crate::provider::Provider;

/// A wire format, chosen at run time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Kind {
    /// [`Responses`] for OpenAI itself and Azure's v1 API, [`OpenAi`] for every compatible server.
    OpenAi,
    /// [`OpenAi`], wherever it is.
    Chat,
    /// [`Responses`] at any address.
    Responses,
    /// [`Anthropic`].
    Anthropic,
    /// [`Gemini`].
    Gemini,
}

impl Kind {
    /// Creates a provider for this format.
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
            Self::OpenAi if Responses::is_offered_at(&config) => {
                Ok(Arc::new(Responses::new(client, config)?))
            }
            Self::OpenAi | Self::Chat => Ok(Arc::new(OpenAi::new(client, config)?)),
            Self::Responses => Ok(Arc::new(Responses::new(client, config)?)),
            Self::Anthropic => Ok(Arc::new(Anthropic::new(client, config)?)),
            Self::Gemini => Ok(Arc::new(Gemini::new(client, config)?)),
        }
    }
}

/// Members of an object, each as raw JSON.
type Members = BTreeMap<String, Box<RawValue>>;

/// Maximum length of a model name taken from an answer, in bytes.
const MODEL_BYTES_MAX: usize = 200;

/// The model's name from an answer, if fit to be shown.
fn shown_model(model: Option<String>) -> Option<String> {
    model.filter(|model| {
        (1..=MODEL_BYTES_MAX).contains(&model.len()) && !model.contains(char::is_control)
    })
}

/// Serializes a value that is known to be valid JSON and cannot fail.
fn raw(value: &(impl serde::Serialize + ?Sized)) -> Box<RawValue> {
    serde_json::value::to_raw_value(value).unwrap_or_else(|_| RawValue::NULL.to_owned())
}

/// Members of an object, leaving out null, false and empty lists.
fn members<const N: usize>(members: [(&str, Box<RawValue>); N]) -> Members {
    let is_set = |value: &RawValue| !matches!(value.get(), "null" | "false" | "[]");
    let members = members.into_iter().filter(|(_, value)| is_set(value));
    members.map(|(name, value)| (name.to_owned(), value)).collect()
}

/// Reads a member if it is present and has this type.
fn read<T: DeserializeOwned>(members: &Members, name: &str) -> Option<T> {
    serde_json::from_str(members.get(name)?.get()).ok()
}

/// Reads a field that a reply can do without. Anything unexpected counts as absent.
fn lenient<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: DeserializeOwned,
{
    let json = <&RawValue>::deserialize(deserializer)?.get();
    Ok(serde_json::from_str(json).unwrap_or_default())
}
