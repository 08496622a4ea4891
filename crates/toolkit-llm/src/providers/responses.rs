//! OpenAI's Responses API (`POST {base_url}/responses`), which lets newer models combine tools and
//! reasoning.
//!
//! Covered: text and images; function calls; reasoning items, which go back with the results of
//! calls as encrypted content, since the vendor stores nothing (`store: false`); refusals. Left
//! out: stored conversations, tools that run at the vendor, background mode, audio.

mod request;
mod stream;

use reqwest::{Client, Url};

use self::stream::Decoder;
use super::endpoint::Endpoint;
use super::openai::{BASE_URL, address, is_azure, key_header, read_error};
use super::options::Droppable;
use super::{ConfigError, ProviderConfig};
use crate::request::{SEED, STOP, Sampling};

const DROPPABLE: &[Droppable] = &[
    ("reasoning.summary", &["reasoning.summary", "reasoning summaries"]),
    ("reasoning.effort", &["reasoning.effort", "reasoning_effort"]),
    ("include", &["include", "reasoning.encrypted_content", "encrypted content"]),
    ("text.format", &["text.format", "json_schema"]),
    ("temperature", &["temperature"]),
    ("top_p", &["top_p"]),
    ("max_output_tokens", &["max_output_tokens"]),
    ("tool_choice", &["tool_choice"]),
    ("store", &["store"]),
    ("stream", &["stream"]),
];

/// OpenAI's Responses API, and servers that speak it.
///
/// `base_url` is the part before `/responses`, as for [`OpenAi`](super::OpenAi).
#[derive(Debug)]
pub struct Responses {
    endpoint: Endpoint,
}

impl Responses {
    /// Creates a provider. Without a `base_url`, it uses OpenAI's own.
    ///
    /// # Errors
    ///
    /// Names the field of `config` that is wrong.
    pub fn new(client: Client, config: ProviderConfig) -> Result<Self, ConfigError> {
        let base = config.check(BASE_URL)?;
        let url = address(&base, &["responses"]);
        let key = key_header(&base);
        let endpoint = Endpoint::new(client, url, config, key, read_error, DROPPABLE)?;
        Ok(Self { endpoint })
    }

    /// Whether the address is known to offer this API: OpenAI's own, or Azure's v1.
    pub(super) fn is_offered_at(config: &ProviderConfig) -> bool {
        let url = config.base_url.as_deref().unwrap_or(BASE_URL);
        Url::parse(url).is_ok_and(|url| {
            let is_v1 = url.path().trim_end_matches('/').ends_with("/openai/v1");
            url.host_str() == Some("api.openai.com") || (is_azure(&url) && is_v1)
        })
    }
}

provider!(Responses);

fn lacks(_: &Sampling) -> &'static [&'static str] {
    &[SEED, STOP]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn openai_itself_and_azures_v1_are_asked_in_this_format() {
        let at = |url: &str| ProviderConfig::new("main", "m").base_url(url).api_key("k");
        for (url, offered) in [
            ("https://api.openai.com/v1", true),
            ("https://our.openai.azure.com/openai/v1/", true),
            ("https://our.services.ai.azure.com/openai/v1", true),
            ("https://our.openai.azure.com/openai/deployments/d?api-version=1", false),
            ("https://openrouter.ai/api/v1", false),
            ("http://localhost:11434/v1", false),
        ] {
            assert_eq!(Responses::is_offered_at(&at(url)), offered, "{url}");
        }
        assert!(Responses::is_offered_at(&ProviderConfig::new("main", "m")));
    }
}
