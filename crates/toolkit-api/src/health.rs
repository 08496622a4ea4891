//! `GET /toolkit/api/health`: health check of the service, its database and its models.

use actix_web::HttpResponse;
use schemars::JsonSchema;
use serde::Serialize;
use toolkit_llm::{Availability, Chain, ChainStatus, Overall, ProviderStatus};
use toolkit_server::snapshot::Current;
use toolkit_server::version;

use crate::state::State;

/// State of the service.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Health {
    /// `degraded` if the database is unavailable or a provider's circuit breaker is open.
    status: Status,
    /// Version of the server.
    version: &'static str,
    /// Whole seconds since the process started.
    uptime_seconds: u64,
    /// State of the database.
    database: Database,
    /// State of the language models.
    llm: Llm,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Status {
    Ok,
    Degraded,
}

/// State of the database.
#[derive(Debug, Serialize, JsonSchema)]
struct Database {
    /// Whether the database responds.
    status: DatabaseStatus,
    /// `sqlite` or `postgres`.
    backend: &'static str,
    /// Response time in milliseconds, or null if it did not respond.
    latency_ms: Option<f64>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum DatabaseStatus {
    Ok,
    Unavailable,
}

/// State of the language models after their last calls. The health check makes none.
#[derive(Debug, Serialize, JsonSchema)]
struct Llm {
    /// Overall status: `degraded` if some circuit breakers are open after failures, `unavailable`
    /// if all are.
    #[schemars(with = "String", extend("enum" = ["ok", "degraded", "unavailable", "unconfigured"]))]
    status: Overall,
    /// Each provider, in the order of preference.
    providers: Vec<Provider>,
}

/// A provider of language models.
#[derive(Debug, Serialize, JsonSchema)]
struct Provider {
    /// Provider name, as configured by the operator.
    name: String,
    /// Whether the provider accepts calls.
    #[schemars(with = "String", extend("enum" = ["ok", "cooling_down", "untried"]))]
    status: Availability,
}

/// Serves the report.
pub(crate) async fn get(state: Current<State>) -> HttpResponse {
    let database = database(&state).await;
    let llm = llm(&state.chain);
    let is_resting =
        llm.providers.iter().any(|provider| provider.status == Availability::CoolingDown);
    let status = match database.status {
        DatabaseStatus::Ok if !is_resting => Status::Ok,
        DatabaseStatus::Ok | DatabaseStatus::Unavailable => Status::Degraded,
    };
    HttpResponse::Ok().json(Health {
        status,
        version: version::get(),
        uptime_seconds: state.started.elapsed().as_secs(),
        database,
        llm,
    })
}

fn llm(chain: &Chain) -> Llm {
    let ChainStatus { status, providers, .. } = chain.status();
    let provider = |ProviderStatus { name, status, .. }| Provider { name, status };
    Llm { status, providers: providers.into_iter().map(provider).collect() }
}

async fn database(state: &State) -> Database {
    let latency = state.store.ping().await.ok();
    Database {
        status: latency.map_or(DatabaseStatus::Unavailable, |_| DatabaseStatus::Ok),
        backend: state.store.backend().as_str(),
        latency_ms: latency.map(|latency| (latency.as_secs_f64() * 1e6).round() / 1e3),
    }
}
