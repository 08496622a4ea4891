//! `GET /toolkit/api/health`: health check of the service, its database and its models.

use std::time::Duration;

use actix_web::HttpResponse;
use actix_web::web::Data;
use schemars::JsonSchema;
use serde::Serialize;

use toolkit_llm::{Availability, Chain, Overall};

use crate::state::State;

/// The response must be sent within a second, even when the database hangs.
const PING_TIMEOUT: Duration = Duration::from_millis(700);

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

/// State of the language models, according to their last calls; the health check calls none.
#[derive(Debug, Serialize, JsonSchema)]
struct Llm {
    /// Overall status: `degraded` if some circuit breakers are open after failures, `unavailable`
    /// if all are.
    status: LlmStatus,
    /// Each provider, in the order in which they are asked.
    providers: Vec<Provider>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum LlmStatus {
    Ok,
    Degraded,
    Unavailable,
    Unconfigured,
}

/// A provider of language models.
#[derive(Debug, Serialize, JsonSchema)]
struct Provider {
    /// Name of the provider, chosen by the operator.
    name: String,
    /// Whether the provider accepts calls.
    status: ProviderStatus,
}

#[derive(Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum ProviderStatus {
    Ok,
    CoolingDown,
    Untried,
}

/// Serves the report.
pub(crate) async fn get(state: Data<State>) -> HttpResponse {
    let database = database(&state).await;
    let llm = llm(&state.chain);
    let is_resting = llm
        .providers
        .iter()
        .any(|provider| provider.status == ProviderStatus::CoolingDown);
    let status = match database.status {
        DatabaseStatus::Ok if !is_resting => Status::Ok,
        DatabaseStatus::Ok | DatabaseStatus::Unavailable => Status::Degraded,
    };
    HttpResponse::Ok().json(Health {
        status,
        version: env!("CARGO_PKG_VERSION"),
        uptime_seconds: state.started.elapsed().as_secs(),
        database,
        llm,
    })
}

fn llm(chain: &Chain) -> Llm {
    let state = chain.status();
    let provider = |line: toolkit_llm::ProviderStatus| Provider {
        name: line.name,
        status: match line.status {
            Availability::Ok => ProviderStatus::Ok,
            Availability::CoolingDown => ProviderStatus::CoolingDown,
            Availability::Untried => ProviderStatus::Untried,
        },
    };
    Llm {
        status: match state.status {
            Overall::Ok => LlmStatus::Ok,
            Overall::Degraded => LlmStatus::Degraded,
            Overall::Unavailable => LlmStatus::Unavailable,
            Overall::Unconfigured => LlmStatus::Unconfigured,
        },
        providers: state.providers.into_iter().map(provider).collect(),
    }
}

async fn database(state: &State) -> Database {
    let backend = state.store.backend().as_str();
    match tokio::time::timeout(PING_TIMEOUT, state.store.ping()).await {
        Ok(Ok(latency)) => {
            let latency_ms = Some((latency.as_secs_f64() * 1e6).round() / 1e3);
            Database {
                status: DatabaseStatus::Ok,
                backend,
                latency_ms,
            }
        }
        Ok(Err(_)) | Err(_) => Database {
            status: DatabaseStatus::Unavailable,
            backend,
            latency_ms: None,
        },
    }
}
