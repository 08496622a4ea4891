//! Chain status for health checks: the circuit breakers' state, without calling a model.

use serde::Serialize;

/// Whether a provider takes calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Availability {
    /// It has answered and takes calls.
    Ok,
    /// It is resting, or a probe is testing whether its rest can end. Calls skip it.
    CoolingDown,
    /// It takes calls, but its state is unknown: not called yet, or not since its rest.
    Untried,
}

/// State of all providers together.
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
