//! Section `llm`: language model providers for chat.

use std::time::Duration;

use super::schema::{choice, section};
use super::value::{Headers, ModelUrl, ProxyUrl, Secret};

section! {
    /// The chain of language models for chat.
    pub struct Llm {
        /// Deadline of a chat request across all providers, in milliseconds. For a streamed reply,
        /// until its first content.
        pub deadline_ms: u64 = 180_000, range(100, 600_000);
        /// Instructions to the model, placed before the client's messages.
        pub system_prompt: Option<String> = None,
            example("You answer questions about developer tools.");
        /// Maximum length of a reply including its reasoning, in tokens.
        pub max_output_tokens: u32 = 8_192, range(1, 1_000_000);
        /// Maximum number of rounds of tool calls before the model must answer; 0 offers no tools.
        pub tool_rounds: u32 = 4, range(0, 8);
        /// Whether clients get the reasoning of models that expose it.
        pub show_reasoning: bool = false;
        /// HTTP proxy for requests to providers. Hosts listed in the variable `NO_PROXY` and
        /// loopback addresses bypass it. If unset, `HTTPS_PROXY` applies to https URLs.
        pub proxy: Option<ProxyUrl> = None, example("http://proxy.example.org:3128");
        /// Maximum duration of a streamed reply, in milliseconds.
        pub stream_total_ms: u64 = 300_000, range(1_000, 3_600_000);
        /// Providers, in the order in which they are tried. Without any, chat answers 503.
        pub providers: Vec<Provider> = Vec::new();
    }
}

impl Llm {
    /// Time limit of a chat request across all providers.
    pub fn deadline(&self) -> Duration {
        Duration::from_millis(self.deadline_ms)
    }

    /// Maximum silence of a provider.
    pub fn timeout(&self, provider: &Provider) -> Duration {
        Duration::from_millis(provider.timeout_ms.unwrap_or(TIMEOUT_MS_DEFAULT))
    }

    /// Time limit of a streamed reply.
    pub fn stream_total(&self) -> Duration {
        Duration::from_millis(self.stream_total_ms)
    }
}

section! {
    /// One language model.
    pub struct Provider {
        /// Name in responses, health checks, logs and metrics.
        pub name: String = String::new(), required(true), example("main");
        /// API protocol. `openai` means `responses` for OpenAI itself and Azure's v1 API, and
        /// `chat` for any other server.
        pub kind: ProviderKind = ProviderKind::Openai, required(true), example("openai");
        /// Name of the model.
        pub model: String = String::new(), required(true), example("gpt-5.6");
        /// Base URL of the API, without the endpoint's path.
        pub base_url: Option<ModelUrl> = None, example("https://api.openai.com/v1"),
            default_note("that of the vendor");
        /// API key.
        pub api_key: Option<Secret> = None, example("sk-0000000000000000");
        /// Environment variable with the API key, instead of `api_key`.
        pub api_key_env: Option<String> = None, example("OPENAI_API_KEY");
        /// Maximum silence of this provider, before and during its answer, in milliseconds.
        pub timeout_ms: Option<u64> = None, range(100, 600_000), example(60_000),
            default_note("`60000`");
        /// How much the model reasons. If a provider refuses it, the request is repeated without.
        pub effort: Option<Effort> = None, example("low"), default_note("that of the vendor");
        /// Extra request headers, such as one that a gateway requires.
        pub headers: Option<Headers> = None, example(one("x-team", "chat"));
        /// Extra members of the request body, such as a vendor-specific option.
        pub body: Option<toml::Table> = None, example(one("service_tier", "flex"));
        /// Whether the model is offered tools. Turn it off for models that don't support them.
        pub tools: bool = true;
    }
}

/// Default of the providers' `timeout_ms`.
const TIMEOUT_MS_DEFAULT: u64 = 60_000;

/// A table with one member, as an example.
fn one(name: &str, value: &str) -> toml::Table {
    [(name.to_owned(), value.into())].into_iter().collect()
}

choice! {
    /// How much a model reasons before it answers.
    pub enum Effort {
        /// Not at all.
        None = "none",
        /// As little as possible.
        Minimal = "minimal",
        /// Little.
        Low = "low",
        /// The middle.
        Medium = "medium",
        /// Much.
        High = "high",
        /// As much as possible.
        Xhigh = "xhigh",
    }
}

choice! {
    /// The protocol of a provider.
    pub enum ProviderKind {
        /// `OpenAI` in the format of the address: `Responses` at its own, `Chat` elsewhere.
        Openai = "openai",
        /// `OpenAI`'s chat completions, which many servers speak: `OpenRouter`, Groq, Ollama, vLLM,
        /// llama.cpp.
        Chat = "chat",
        /// `OpenAI`'s responses.
        Responses = "responses",
        /// Anthropic's messages.
        Anthropic = "anthropic",
        /// Google's Gemini.
        Gemini = "gemini",
    }
}
