//! `GET /toolkit/api/flags`: feature flags.

use actix_web::HttpResponse;
use actix_web::web::Bytes;
use schemars::JsonSchema;
use serde::Serialize;
use toolkit_server::error_response::JSON;
use toolkit_server::settings::Settings;
use toolkit_server::snapshot::Current;

use crate::state::State;

/// Feature flags.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Flags {
    /// Whether a front end should offer features that need this service.
    backend_enabled: bool,
    /// Whether a front end should offer chat.
    ai_enabled: bool,
    /// Whether a front end should offer paid features.
    paid_enabled: bool,
}

/// Prepares the response once, since settings do not change while the process runs.
pub(crate) fn prepare(settings: &Settings) -> Bytes {
    let flags = Flags {
        backend_enabled: settings.flags.backend_enabled.unwrap_or(true),
        ai_enabled: settings.flags.ai_enabled.unwrap_or(!settings.llm.providers.is_empty()),
        paid_enabled: settings.flags.paid_enabled.unwrap_or(false),
    };
    // A struct of booleans always serializes.
    serde_json::to_vec(&flags).unwrap_or_default().into()
}

/// Serves the flags.
pub(crate) async fn get(state: Current<State>) -> HttpResponse {
    HttpResponse::Ok().content_type(JSON).body(state.flags.clone())
}
