//! Chain status for health checks: the state of its circuit breakers, without asking a model.

use serde::Serialize;

/// Whether a provider takes calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Availability {
    /// It was asked and takes calls.
    Ok,
    /// It rests, or a probe is testing whether its rest can end; calls skip it.
    CoolingDown,
    /// It takes calls, but nothing is known of it: it was not asked yet, or not since its rest.
    Untried,
}

/// State of the providers as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Overall {
    /// No provider is cooling down.
    Ok,
    /// Some are cooling down.
    Degraded,
    /// All are cooling down.
    Unavailable,
    /// There are none.
    Unconfigured,
}

/// Entry for one provider in a [`ChainStatus`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct ProviderStatus {
    /// Configured name.
    pub name: String,
    /// Whether it takes calls.
    pub status: Availability,
}

/// State of a chain, serializable for a health report.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct ChainStatus {
    /// All providers together.
    pub status: Overall,
    /// Each provider, in the chain's order.
    pub providers: Vec<ProviderStatus>,
}

impl ChainStatus {
    pub(crate) fn new(providers: Vec<ProviderStatus>) -> Self {
        let cooling_down =
            providers.iter().filter(|line| line.status == Availability::CoolingDown).count();
        let status = match cooling_down {
            _ if providers.is_empty() => Overall::Unconfigured,
            0 => Overall::Ok,
            all if all == providers.len() => Overall::Unavailable,
            _ => Overall::Degraded,
        };
        Self { status, providers }
    }
}
