//! The chain of language models, as the settings want it, and what is counted of it.

use std::sync::Arc;
use std::time::Duration;

use reqwest::Client;
use secrecy::SecretString;
use toolkit_http::settings::{Llm, Provider, ProviderKind};
use toolkit_llm::providers::{ConfigError, Kind, ProviderConfig};
use toolkit_llm::{Attempt, Availability, Chain, Observer};

/// Sets up the chain.
///
/// # Errors
///
/// The first provider that cannot work, and why.
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
    ProviderConfig {
        name: provider.name.clone(),
        model: provider.model.clone(),
        base_url: url.map(|url| url.as_str().to_owned()),
        api_key: key.map(|key| SecretString::from(key.expose())),
        timeout: Some(provider.timeout()),
    }
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
        metrics::histogram!("toolkit_llm_attempt_duration_seconds", "provider" => provider)
            .record(attempt.duration);
    }

    fn rested(&self, provider: &str, _rest: Duration) {
        metrics::counter!("toolkit_llm_rests_total", "provider" => provider.to_owned())
            .increment(1);
    }
}

/// Tells the state of each provider to the metrics.
pub(crate) fn gauge(chain: &Chain) {
    for provider in chain.status().providers {
        let is_resting = provider.status == Availability::CoolingDown;
        metrics::gauge!("toolkit_llm_cooling_down", "provider" => provider.name)
            .set(f64::from(u8::from(is_resting)));
    }
}
