//! Section `llm`: language model providers of chat.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::value::{HttpUrl, Secret};

/// The chain of language models of chat.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Llm {
    /// How long a chat request may take with all its providers, in milliseconds; a streamed reply, until it
    /// begins.
    #[schemars(range(min = 100, max = 600_000))]
    pub deadline_ms: u64,
    /// What a model is told before the messages of the client.
    #[schemars(example = "You answer questions about developer tools.")]
    pub system_prompt: Option<String>,
    /// The longest reply, in tokens.
    #[schemars(range(min = 1, max = 1_000_000))]
    pub max_output_tokens: u32,
    /// How many rounds of tools a chat may have before the model must answer; 0 offers no tools.
    #[schemars(range(min = 0, max = 8))]
    pub tool_rounds: u32,
    /// How long a provider may be silent in the middle of a streamed reply, in milliseconds.
    #[schemars(range(min = 1_000, max = 600_000))]
    pub stream_idle_ms: u64,
    /// How long a streamed reply may take from its start to its end, in milliseconds.
    #[schemars(range(min = 1_000, max = 3_600_000))]
    pub stream_total_ms: u64,
    /// The providers, in the order in which they are asked. Without any, chat answers 503.
    pub providers: Vec<Provider>,
}

impl Default for Llm {
    fn default() -> Self {
        Self {
            deadline_ms: 30_000,
            system_prompt: None,
            max_output_tokens: 1_024,
            tool_rounds: 4,
            stream_idle_ms: 30_000,
            stream_total_ms: 300_000,
            providers: Vec::new(),
        }
    }
}

impl Llm {
    /// How long a chat request may take with all its providers.
    pub fn deadline(&self) -> Duration {
        Duration::from_millis(self.deadline_ms)
    }

    /// How long a provider may be silent in the middle of a streamed reply.
    pub fn stream_idle(&self) -> Duration {
        Duration::from_millis(self.stream_idle_ms)
    }

    /// How long a streamed reply may take.
    pub fn stream_total(&self) -> Duration {
        Duration::from_millis(self.stream_total_ms)
    }
}

/// One language model.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Provider {
    /// The name under which answers, health and the log speak of it.
    #[schemars(example = &"main")]
    pub name: String,
    /// The protocol that it speaks.
    #[schemars(example = &"openai")]
    pub kind: ProviderKind,
    /// The model that is asked.
    #[schemars(example = "gpt-5-mini")]
    pub model: String,
    /// The URL of its API, up to and without the endpoint's path.
    #[schemars(
        example = "https://api.openai.com/v1",
        extend("x-default" = "the vendor's own for `kind`")
    )]
    #[serde(default)]
    pub base_url: Option<HttpUrl>,
    /// Its key.
    #[schemars(example = "sk-0000000000000000")]
    #[serde(default)]
    pub api_key: Option<Secret>,
    /// The environment variable that holds its key, instead of `api_key`.
    #[schemars(example = &"OPENAI_API_KEY")]
    #[serde(default)]
    pub api_key_env: Option<String>,
    /// How long one attempt may take, in milliseconds.
    #[schemars(range(min = 100, max = 600_000))]
    #[serde(default = "timeout_ms")]
    pub timeout_ms: u64,
    /// Whether it is asked with tools. Turn it off for models that take none.
    #[serde(default = "takes_tools")]
    pub tools: bool,
}

impl Provider {
    /// How long one attempt may take.
    pub fn timeout(&self) -> Duration {
        Duration::from_millis(self.timeout_ms)
    }

    /// The provider with nothing but what every one has.
    pub(super) fn bare() -> Self {
        Self {
            name: "main".to_owned(),
            kind: ProviderKind::Openai,
            model: "model".to_owned(),
            base_url: None,
            api_key: None,
            api_key_env: None,
            timeout_ms: timeout_ms(),
            tools: takes_tools(),
        }
    }
}

const fn takes_tools() -> bool {
    true
}

const fn timeout_ms() -> u64 {
    15_000
}

/// The protocol of a provider.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ProviderKind {
    /// `OpenAI`'s chat completions, which many servers speak: `OpenRouter`, Groq, Ollama, vLLM,
    /// llama.cpp.
    Openai,
    /// Anthropic's messages.
    Anthropic,
    /// Google's Gemini.
    Gemini,
}
