//! OpenAI's Chat Completions API (`POST {base_url}/chat/completions`), as OpenAI and the servers
//! compatible with it speak it: OpenRouter, Groq, Mistral, Ollama, vLLM, llama.cpp, LiteLLM, ….
//!
//! Covered: text in and text out, not streamed; content as a string or an array of parts; errors
//! within a 200, as gateways send them. Left out: tools, images, several choices, the Responses API
//! (few compatible servers have it).
//!
//! The output limit has two names. OpenAI has deprecated `max_tokens` and refuses it for its
//! reasoning models; its compatible servers came to know `max_completion_tokens` late (llama.cpp),
//! ignore it (older Ollama) or refuse the request over it (Mistral), and OpenAI refuses both at
//! once. So OpenAI and Azure OpenAI, known by their host, get `max_completion_tokens`, and every
//! other server `max_tokens`, which all of them take.

use std::time::Duration;

use async_trait::async_trait;
use reqwest::header::AUTHORIZATION;
use reqwest::{Client, Url};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::endpoint::{Endpoint, join};
use super::{ConfigError, Found, ProviderConfig, lenient};
use crate::error::ProviderError;
use crate::message::{FinishReason, Reply, Role, Usage};
use crate::provider::{Provider, Request};

const BASE_URL: &str = "https://api.openai.com/v1";

/// OpenAI, or any server that speaks its Chat Completions format.
///
/// `base_url` is what the vendor's own libraries take: the part before `/chat/completions`,
/// usually ending with `/v1`. An address without a path gets that `/v1`.
#[derive(Debug)]
pub struct OpenAi {
    config: ProviderConfig,
    endpoint: Endpoint,
    limit_name: LimitName,
}

/// How a server calls the output limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LimitName {
    MaxTokens,
    MaxCompletionTokens,
}

impl LimitName {
    fn of(url: &Url) -> Self {
        let host = url.host_str().unwrap_or_default();
        if host == "api.openai.com" || host.ends_with(".openai.azure.com") {
            Self::MaxCompletionTokens
        } else {
            Self::MaxTokens
        }
    }
}

impl OpenAi {
    /// Sets up a provider; without a `base_url`, OpenAI's own.
    ///
    /// # Errors
    ///
    /// The field of `config` that is wrong.
    pub fn new(client: Client, config: ProviderConfig) -> Result<Self, ConfigError> {
        let base = config.check(BASE_URL)?;
        let limit_name = LimitName::of(&base);
        let version: &[&str] = if base.path() == "/" { &["v1"] } else { &[] };
        let url = join(join(base, version), &["chat", "completions"]);
        let endpoint = Endpoint::new(client, url, &config, (AUTHORIZATION, "Bearer "), read_error)?;
        Ok(Self {
            config,
            endpoint,
            limit_name,
        })
    }
}

#[async_trait]
impl Provider for OpenAi {
    fn name(&self) -> &str {
        &self.config.name
    }

    fn timeout(&self) -> Option<Duration> {
        self.config.timeout
    }

    async fn reply(&self, request: Request<'_>) -> Result<Reply, ProviderError> {
        let body = Body::new(&self.config.model, self.limit_name, &request);
        let completion: Completion = self.endpoint.post(&body).await?;
        completion.found()?.into_reply(&self.config)
    }
}

/// Tells faults of our setting up, and of one conversation, from what their statuses usually mean.
fn read_error(status: u16, body: &Value) -> Option<ProviderError> {
    let error = body.get("error")?;
    let word = |field: &str| error.get(field).and_then(Value::as_str).unwrap_or_default();
    let of_setup = matches!(
        word("code"),
        "model_not_found" | "model_decommissioned" | "unsupported_parameter"
    );
    // What LiteLLM without a database calls a key that it does not know.
    let of_key = word("type") == "no_db_connection";
    match status {
        400 if of_setup => Some(ProviderError::Denied {
            status,
            reason: "check the configured model",
        }),
        400 if of_key => Some(ProviderError::Denied {
            status,
            reason: "check the key",
        }),
        // OpenRouter's moderation: the key is fine, this conversation is not.
        403 if error
            .pointer("/metadata/reasons")
            .is_some_and(Value::is_array) =>
        {
            Some(ProviderError::Declined {
                reason: "moderation",
            })
        }
        _ => None,
    }
}

#[derive(Serialize)]
struct Body<'a> {
    model: &'a str,
    messages: Vec<BodyMessage<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_tokens: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_completion_tokens: Option<u32>,
}

#[derive(Serialize)]
struct BodyMessage<'a> {
    role: Role,
    content: &'a str,
}

impl<'a> Body<'a> {
    fn new(model: &'a str, limit_name: LimitName, request: &Request<'a>) -> Self {
        let prompt = request.system_prompt.map(|content| BodyMessage {
            role: Role::System,
            content,
        });
        let said = request.conversation.messages().iter();
        let said = said.map(|message| BodyMessage {
            role: message.role,
            content: &message.content,
        });
        let limit = |name| (limit_name == name).then_some(request.max_output_tokens);
        Self {
            model,
            messages: prompt.into_iter().chain(said).collect(),
            max_tokens: limit(LimitName::MaxTokens),
            max_completion_tokens: limit(LimitName::MaxCompletionTokens),
        }
    }
}

#[derive(Deserialize)]
struct Completion {
    #[serde(default)]
    choices: Vec<Choice>,
    #[serde(default, deserialize_with = "lenient")]
    model: Option<String>,
    #[serde(default, deserialize_with = "lenient")]
    usage: Option<CompletionUsage>,
    /// Gateways report a failure behind them so, with status 200.
    #[serde(default)]
    error: Option<serde::de::IgnoredAny>,
}

#[derive(Deserialize)]
struct Choice {
    message: ChoiceMessage,
    #[serde(default, deserialize_with = "lenient")]
    finish_reason: Option<String>,
}

#[derive(Deserialize)]
struct ChoiceMessage {
    #[serde(default)]
    content: Option<Content>,
    #[serde(default, deserialize_with = "lenient")]
    refusal: Option<String>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Content {
    Text(String),
    Parts(Vec<Part>),
}

#[derive(Deserialize)]
struct Part {
    #[serde(rename = "type")]
    kind: String,
    #[serde(default, deserialize_with = "lenient")]
    text: Option<String>,
}

#[derive(Deserialize)]
struct CompletionUsage {
    prompt_tokens: u64,
    completion_tokens: u64,
}

impl Content {
    /// The text; parts that hold a model's reasoning are not part of what it says.
    fn into_text(self) -> String {
        match self {
            Self::Text(text) => text,
            Self::Parts(parts) => {
                let said = parts.into_iter().filter(|part| part.kind == "text");
                said.filter_map(|part| part.text).collect()
            }
        }
    }
}

impl Completion {
    fn found(self) -> Result<Found, ProviderError> {
        if self.error.is_some() {
            return Err(ProviderError::Unusable {
                reason: "an error with a successful status",
            });
        }
        let Some(choice) = self.choices.into_iter().next() else {
            return Err(ProviderError::Unusable {
                reason: "no choices",
            });
        };
        let mut text = choice
            .message
            .content
            .map(Content::into_text)
            .unwrap_or_default();
        let mut finish_reason = finish_reason(choice.finish_reason.as_deref())?;
        if text.is_empty()
            && let Some(refusal) = choice.message.refusal
        {
            text = refusal;
            finish_reason = FinishReason::ContentFilter;
        }
        let usage = self.usage.map(|usage| Usage {
            input_tokens: usage.prompt_tokens,
            output_tokens: usage.completion_tokens,
        });
        Ok(Found {
            text,
            model: self.model,
            finish_reason,
            usage,
        })
    }
}

fn finish_reason(word: Option<&str>) -> Result<FinishReason, ProviderError> {
    Ok(match word.unwrap_or_default() {
        "stop" | "eos" | "eos_token" | "end_turn" | "stop_sequence" => FinishReason::Stop,
        "length" | "max_tokens" | "model_length" => FinishReason::Length,
        "content_filter" => FinishReason::ContentFilter,
        "tool_calls" | "function_call" => FinishReason::ToolCalls,
        // OpenRouter: the model behind it broke off in the middle.
        "error" => {
            return Err(ProviderError::Unusable {
                reason: "cut by an error behind it",
            });
        }
        _ => FinishReason::Other,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(base_url: &str) -> String {
        let config = ProviderConfig {
            name: "main".to_owned(),
            model: "m".to_owned(),
            base_url: Some(base_url.to_owned()),
            api_key: None,
            timeout: None,
        };
        OpenAi::new(Client::new(), config)
            .unwrap()
            .endpoint
            .url()
            .to_string()
    }

    #[test]
    fn the_address_of_each_well_known_server_is_reached() {
        let _ = rustls::crypto::ring::default_provider().install_default();
        for (base_url, expected) in [
            (
                "https://api.openai.com/v1",
                "https://api.openai.com/v1/chat/completions",
            ),
            (
                "https://api.groq.com/openai/v1/",
                "https://api.groq.com/openai/v1/chat/completions",
            ),
            (
                "https://openrouter.ai/api/v1",
                "https://openrouter.ai/api/v1/chat/completions",
            ),
            (
                "http://localhost:11434",
                "http://localhost:11434/v1/chat/completions",
            ),
            (
                "http://localhost:11434/",
                "http://localhost:11434/v1/chat/completions",
            ),
        ] {
            assert_eq!(url(base_url), expected);
        }
    }

    #[test]
    fn only_openai_itself_gets_the_new_name_of_the_limit() {
        let name = |url: &str| LimitName::of(&Url::parse(url).unwrap());
        assert_eq!(name(BASE_URL), LimitName::MaxCompletionTokens);
        assert_eq!(
            name("https://our.openai.azure.com/openai/v1"),
            LimitName::MaxCompletionTokens
        );
        for other in [
            "http://localhost:11434/v1",
            "https://api.mistral.ai/v1",
            "https://openrouter.ai/api/v1",
            "https://api.openai.com.example.net/v1",
        ] {
            assert_eq!(name(other), LimitName::MaxTokens, "{other}");
        }
    }
}
