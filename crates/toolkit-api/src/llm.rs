//! Language model chain: built from the settings, with its metrics.

use std::sync::Arc;
use std::time::Duration;

use reqwest::Client;
use secrecy::SecretString;
use toolkit_llm::providers::{ConfigError, Kind, ProviderConfig};
use toolkit_llm::{Attempt, Availability, CallOutcome, Chain, Observer};
use toolkit_server::settings::{Llm, Provider, ProviderKind};

/// Builds the chain.
///
/// # Errors
///
/// The first provider with an invalid configuration, and why.
pub(crate) fn chain(settings: &Llm, client: &Client) -> Result<Chain, ConfigError> {
    describe();
    let providers = settings
        .providers
        .iter()
        .map(|provider| kind(provider.kind).provider(client.clone(), config(provider)))
        .collect::<Result<_, _>>()?;
    Ok(Chain::new(providers)
        .with_deadline(settings.deadline())
        .with_system_prompt(settings.system_prompt.clone().unwrap_or_default())
        .with_max_output_tokens(settings.max_output_tokens)
        .with_stream_idle(settings.stream_idle())
        .with_stream_total(settings.stream_total())
        .with_observer(Arc::new(Counting)))
}

fn kind(kind: ProviderKind) -> Kind {
    match kind {
        ProviderKind::Openai => Kind::OpenAi,
        ProviderKind::Anthropic => Kind::Anthropic,
        ProviderKind::Gemini => Kind::Gemini,
    }
}

fn config(provider: &Provider) -> ProviderConfig {
    let url = provider.base_url.as_ref();
    let key = provider.api_key.as_ref();
    let mut config = ProviderConfig::new(&provider.name, &provider.model)
        .timeout(provider.timeout())
        .tools(provider.tools);
    config.base_url = url.map(|url| url.as_str().to_owned());
    config.api_key = key.map(|key| SecretString::from(key.expose()));
    config
}

fn describe() {
    metrics::describe_counter!(
        "toolkit_llm_attempts_total",
        "Calls of language models by provider and outcome; a retry is a call of its own."
    );
    metrics::describe_histogram!(
        "toolkit_llm_attempt_duration_seconds",
        "How long calls of language models took, by provider."
    );
    metrics::describe_histogram!(
        "toolkit_llm_first_content_seconds",
        "How long models took to the first content of a streamed reply, by provider."
    );
    metrics::describe_counter!(
        "toolkit_llm_tokens_total",
        "Tokens as the providers count them, by provider and direction."
    );
    metrics::describe_counter!(
        "toolkit_chat_tool_calls_total",
        "Calls of tools by models, by tool and outcome; a name that is not a tool's is `unknown`."
    );
    metrics::describe_counter!(
        "toolkit_llm_rests_total",
        "How often a provider was given a rest after failures."
    );
    metrics::describe_gauge!(
        "toolkit_llm_cooling_down",
        "1 while a provider rests after failures, otherwise 0."
    );
}

/// Counts the attempts of a chain.
struct Counting;

impl Observer for Counting {
    fn attempted(&self, attempt: Attempt<'_>) {
        let provider = attempt.provider.to_owned();
        metrics::counter!(
            "toolkit_llm_attempts_total",
            "provider" => provider.clone(),
            "outcome" => attempt.outcome.as_str(),
        )
        .increment(1);
        metrics::histogram!("toolkit_llm_attempt_duration_seconds", "provider" => provider.clone())
            .record(attempt.duration);
        if let Some(first_content) = attempt.first_content {
            metrics::histogram!("toolkit_llm_first_content_seconds", "provider" => provider.clone())
                .record(first_content);
        }
        if let Some(usage) = attempt.usage {
            count_tokens(&provider, "input", usage.input_tokens);
            count_tokens(&provider, "output", usage.output_tokens);
        }
    }

    fn tool_called(&self, name: Option<&str>, outcome: CallOutcome) {
        let tool = name.unwrap_or("unknown").to_owned();
        metrics::counter!("toolkit_chat_tool_calls_total", "tool" => tool, "outcome" => outcome.as_str())
            .increment(1);
    }

    fn rested(&self, provider: &str, _rest: Duration) {
        metrics::counter!("toolkit_llm_rests_total", "provider" => provider.to_owned())
            .increment(1);
    }
}

fn count_tokens(provider: &str, direction: &'static str, tokens: u64) {
    let provider = provider.to_owned();
    metrics::counter!("toolkit_llm_tokens_total", "provider" => provider, "direction" => direction)
        .increment(tokens);
}

/// Exports the state of each provider as metrics.
pub(crate) fn gauge(chain: &Chain) {
    for provider in chain.status().providers {
        let is_resting = provider.status == Availability::CoolingDown;
        metrics::gauge!("toolkit_llm_cooling_down", "provider" => provider.name)
            .set(f64::from(u8::from(is_resting)));
    }
}
