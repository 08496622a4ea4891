//! Language model chain: built from the settings, with its metrics.

use std::sync::Arc;
use std::time::Duration;

use reqwest::Client;
use secrecy::SecretString;
use toolkit_llm::providers::{ConfigError, Effort, Kind, ProviderConfig};
use toolkit_llm::reqwest::header::HeaderValue;
use toolkit_llm::{Attempt, Availability, CallOutcome, Chain, Observer};
use toolkit_server::settings::{self, Headers, Llm, Provider, ProviderKind};

/// Builds the chain.
///
/// # Errors
///
/// The first provider with an invalid configuration, and the reason.
pub(crate) fn chain(settings: &Llm, client: &Client) -> Result<Chain, ConfigError> {
    describe();
    let providers = settings
        .providers
        .iter()
        .map(|provider| kind(provider.kind).provider(client.clone(), config(settings, provider)))
        .collect::<Result<_, _>>()?;
    Ok(Chain::new(providers)
        .with_deadline(settings.deadline())
        .with_system_prompt(settings.system_prompt.clone().unwrap_or_default())
        .with_max_output_tokens(settings.max_output_tokens)
        .with_stream_total(settings.stream_total())
        .with_observer(Arc::new(Counting)))
}

fn kind(kind: ProviderKind) -> Kind {
    match kind {
        ProviderKind::Openai => Kind::OpenAi,
        ProviderKind::Chat => Kind::Chat,
        ProviderKind::Responses => Kind::Responses,
        ProviderKind::Anthropic => Kind::Anthropic,
        ProviderKind::Gemini => Kind::Gemini,
    }
}

fn effort(effort: settings::Effort) -> Effort {
    match effort {
        settings::Effort::None => Effort::None,
        settings::Effort::Minimal => Effort::Minimal,
        settings::Effort::Low => Effort::Low,
        settings::Effort::Medium => Effort::Medium,
        settings::Effort::High => Effort::High,
        settings::Effort::Xhigh => Effort::Xhigh,
    }
}

fn config(settings: &Llm, provider: &Provider) -> ProviderConfig {
    let url = provider.base_url.as_ref();
    let key = provider.api_key.as_ref();
    let mut config = ProviderConfig::new(&provider.name, &provider.model)
        .timeout(settings.timeout(provider))
        .tools(provider.tools);
    config.effort = provider.effort.map(effort);
    for (name, value) in provider.headers.iter().flat_map(Headers::expose) {
        // The settings accept no other values.
        if let Ok(value) = HeaderValue::from_str(value) {
            config = config.header(name.as_str().parse().expect("a header's name"), value);
        }
    }
    for (name, value) in provider.body.iter().flatten() {
        let value = serde_json::to_value(value).unwrap_or_default();
        config = config.body_field(name, value);
    }
    config.base_url = url.map(|url| url.as_str().to_owned());
    config.api_key = key.map(|key| SecretString::from(key.expose()));
    config
}

fn describe() {
    metrics::describe_counter!(
        "toolkit_llm_attempts_total",
        "Language model calls by provider and outcome. A retry counts separately."
    );
    metrics::describe_histogram!(
        "toolkit_llm_attempt_duration_seconds",
        "Duration of language model calls, by provider."
    );
    metrics::describe_histogram!(
        "toolkit_llm_first_content_seconds",
        "Time to the first content of a streamed reply, by provider."
    );
    metrics::describe_counter!(
        "toolkit_llm_tokens_total",
        "Tokens as counted by the providers, by provider and direction."
    );
    metrics::describe_counter!(
        "toolkit_key_tokens_total",
        "Language model tokens used in chats, by key ID."
    );
    metrics::describe_counter!(
        "toolkit_chat_tool_calls_total",
        "Tool calls by models, by tool and outcome. Unknown tools count as `unknown`."
    );
    metrics::describe_counter!(
        "toolkit_llm_rests_total",
        "Times a provider was rested after failures."
    );
    metrics::describe_gauge!(
        "toolkit_llm_cooling_down",
        "1 while a provider rests after failures, otherwise 0."
    );
}

/// Counts a chain's attempts.
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

/// Exports each provider's state as metrics.
pub(crate) fn gauge(chain: &Chain) {
    for provider in chain.status().providers {
        let is_resting = provider.status == Availability::CoolingDown;
        metrics::gauge!("toolkit_llm_cooling_down", "provider" => provider.name)
            .set(f64::from(u8::from(is_resting)));
    }
}
