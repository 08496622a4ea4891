//! Section `llm`: language model providers of chat.

use std::time::Duration;

use toml::Value;

use super::schema::{Kind, Setting, choice, section};
use super::value::{HttpUrl, Secret};

section! {
    /// The chain of language models of chat.
    pub struct Llm {
        /// How long a chat request may take with all its providers, in milliseconds; a streamed
        /// reply, until it begins.
        pub deadline_ms: u64 = 30_000, range(100, 600_000);
        /// What a model is told before the messages of the client.
        pub system_prompt: Option<String> = None,
            example("You answer questions about developer tools.");
        /// The longest reply, in tokens.
        pub max_output_tokens: u32 = 1_024, range(1, 1_000_000);
        /// How many rounds of tools a chat may have before the model must answer; 0 offers no
        /// tools.
        pub tool_rounds: u32 = 4, range(0, 8);
        /// How long a provider may be silent in the middle of a streamed reply, in milliseconds.
        pub stream_idle_ms: u64 = 30_000, range(1_000, 600_000);
        /// How long a streamed reply may take from its start to its end, in milliseconds.
        pub stream_total_ms: u64 = 300_000, range(1_000, 3_600_000);
        /// The providers, in the order in which they are asked. Without any, chat answers 503.
        pub providers: Vec<Provider> = Vec::new();
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

section! {
    /// One language model.
    pub struct Provider {
        /// The name under which answers, health and the log speak of it.
        pub name: String = String::new(), required(), example("main");
        /// The protocol that it speaks.
        pub kind: ProviderKind = ProviderKind::Openai, required(), example("openai");
        /// The model that is asked.
        pub model: String = String::new(), required(), example("gpt-5-mini");
        /// The URL of its API, up to and without the endpoint's path.
        pub base_url: Option<HttpUrl> = None, example("https://api.openai.com/v1"),
            default_note("the vendor's own for `kind`");
        /// Its key.
        pub api_key: Option<Secret> = None, example("sk-0000000000000000");
        /// The environment variable that holds its key, instead of `api_key`.
        pub api_key_env: Option<String> = None, example("OPENAI_API_KEY");
        /// How long one attempt may take, in milliseconds.
        pub timeout_ms: u64 = 15_000, range(100, 600_000);
        /// Whether it is asked with tools. Turn it off for models that take none.
        pub tools: bool = true;
    }
}

impl Provider {
    /// How long one attempt may take.
    pub fn timeout(&self) -> Duration {
        Duration::from_millis(self.timeout_ms)
    }
}

/// The loader sets the keys of each provider by themselves, so that a fault names the key.
impl Setting for Vec<Provider> {
    fn kind() -> Kind {
        match Provider::kind() {
            Kind::Table(keys) => Kind::Tables(keys),
            other => other,
        }
    }

    fn read(_: &Value) -> Option<Self> {
        None
    }

    fn shown(&self) -> Option<Value> {
        let values: Option<Vec<_>> = self.iter().map(Setting::shown).collect();
        values.map(Value::Array)
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
