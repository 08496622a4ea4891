//! Section `llm`: language model providers of chat.

use std::time::Duration;

use super::schema::{choice, section};
use super::value::{HttpUrl, Secret};

section! {
    /// The chain of language models of chat.
    pub struct Llm {
        /// Deadline of a chat request over all its providers, in milliseconds; for a streamed
        /// reply, until its first content.
        pub deadline_ms: u64 = 30_000, range(100, 600_000);
        /// Instructions to the model, before the messages of the client.
        pub system_prompt: Option<String> = None,
            example("You answer questions about developer tools.");
        /// Maximum length of a reply, in tokens.
        pub max_output_tokens: u32 = 1_024, range(1, 1_000_000);
        /// Maximum number of rounds of tool calls before the model must answer; 0 offers no tools.
        pub tool_rounds: u32 = 4, range(0, 8);
        /// Maximum silence of a provider during a streamed reply, in milliseconds.
        pub stream_idle_ms: u64 = 30_000, range(1_000, 600_000);
        /// Maximum duration of a streamed reply, in milliseconds.
        pub stream_total_ms: u64 = 300_000, range(1_000, 3_600_000);
        /// Providers, in the order in which they are tried. Without any, chat answers 503.
        pub providers: Vec<Provider> = Vec::new();
    }
}

impl Llm {
    /// Returns the time limit of a chat request over all providers.
    pub fn deadline(&self) -> Duration {
        Duration::from_millis(self.deadline_ms)
    }

    /// Returns the time limit for silence of a provider during a streamed reply.
    pub fn stream_idle(&self) -> Duration {
        Duration::from_millis(self.stream_idle_ms)
    }

    /// Returns the time limit of a streamed reply.
    pub fn stream_total(&self) -> Duration {
        Duration::from_millis(self.stream_total_ms)
    }
}

section! {
    /// One language model.
    pub struct Provider {
        /// Name in responses, health, log and metrics.
        pub name: String = String::new(), required(true), example("main");
        /// Protocol of the API.
        pub kind: ProviderKind = ProviderKind::Openai, required(true), example("openai");
        /// Name of the model.
        pub model: String = String::new(), required(true), example("gpt-5-mini");
        /// URL of the API, without the path of the endpoint.
        pub base_url: Option<HttpUrl> = None, example("https://api.openai.com/v1"),
            default_note("that of the vendor");
        /// API key.
        pub api_key: Option<Secret> = None, example("sk-0000000000000000");
        /// Environment variable with the API key, instead of `api_key`.
        pub api_key_env: Option<String> = None, example("OPENAI_API_KEY");
        /// Timeout of a request to this provider, including a retry, in milliseconds.
        pub timeout_ms: u64 = 15_000, range(100, 600_000);
        /// Whether tools are offered to the model. Turn it off for models that do not support them.
        pub tools: bool = true;
    }
}

impl Provider {
    /// Returns the time limit of a request to this provider.
    pub fn timeout(&self) -> Duration {
        Duration::from_millis(self.timeout_ms)
    }
}

choice! {
    /// The protocol of a provider.
    pub enum ProviderKind {
        /// `OpenAI`'s chat completions, which many servers speak: `OpenRouter`, Groq, Ollama, vLLM,
        /// llama.cpp.
        Openai = "openai",
        /// Anthropic's messages.
        Anthropic = "anthropic",
        /// Google's Gemini.
        Gemini = "gemini",
    }
}
