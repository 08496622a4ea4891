//! `GET /toolkit/api/health`: how the service is.

use std::time::Duration;

use actix_web::HttpResponse;
use actix_web::web::Data;
use schemars::JsonSchema;
use serde::Serialize;

use crate::state::State;

/// The answer must come within a second, also when the database hangs.
const PING_TIMEOUT: Duration = Duration::from_millis(700);

/// How the service is.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Health {
    /// `degraded` when the database is unavailable or a model provider is resting.
    status: Status,
    /// The version of the server.
    version: &'static str,
    /// Whole seconds since the process started.
    uptime_seconds: u64,
    /// The database.
    database: Database,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Status {
    Ok,
    Degraded,
}

/// The database.
#[derive(Debug, Serialize, JsonSchema)]
struct Database {
    /// Whether it answers.
    status: DatabaseStatus,
    /// `sqlite` or `postgres`.
    backend: &'static str,
    /// Milliseconds that it took to answer, or null when it did not.
    latency_ms: Option<f64>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum DatabaseStatus {
    Ok,
    Unavailable,
}

/// Gives the report.
pub(crate) async fn get(state: Data<State>) -> HttpResponse {
    let database = database(&state).await;
    let status = match database.status {
        DatabaseStatus::Ok => Status::Ok,
        DatabaseStatus::Unavailable => Status::Degraded,
    };
    HttpResponse::Ok().json(Health {
        status,
        version: env!("CARGO_PKG_VERSION"),
        uptime_seconds: state.started.elapsed().as_secs(),
        database,
    })
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
