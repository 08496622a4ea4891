//! Error responses, with the server's actual messages.

use std::time::Duration;

use actix_web::http::StatusCode;
use serde_json::{Value as Json, json};
use toolkit_catalog::ENTRIES;
use toolkit_core::input::Surface;
use toolkit_core::registry;
use toolkit_llm::LlmErrorKind;
use toolkit_server::error_response::{self, HttpError};
use toolkit_server::settings::{PublicUrls, Settings};
use toolkit_server::{body, rate_limiter};

use super::parts::json_response;
use crate::error::ApiError;

/// Every error response, by component name.
pub(super) fn responses(urls: &PublicUrls) -> Json {
    let body_bytes_max = Settings::default().http.body_limit_bytes;
    let unknown_tool = ApiError::UnknownTool("no-such-tool".to_owned());
    let too_many = rate_limiter::too_many(Duration::from_secs(2));
    json!({
        "NotFound": response("No such tool.", unknown_tool),
        "RequestTimeout": response("The body did not arrive in time.", body::too_slow()),
        "TooLarge": response("The body is over the limit.", body::too_large(body_bytes_max)),
        "UnsupportedMediaType": response("The body is not declared as JSON.", body::not_json()),
        "Unprocessable": response(
            "The input was refused. The sentence names it, its position, and what is accepted.",
            out_of_range(),
        ),
        "TooManyRequests": with_header(
            response("Too many requests from this address.", too_many),
            "Retry-After",
            "Whole seconds until the next request is accepted.",
            json!({"type": "integer", "minimum": 1}),
        ),
        "HeadTooLarge": response(
            "The head of the request is too large.",
            HttpError::new(
                StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE,
                error_response::sentence(StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE),
            ),
        ),
        "Internal": response("A server error. It is safe to try again.", ApiError::Internal),
        "BrowserOnly": response(
            "The tool runs in the browser. The sentence names its page.",
            browser_only(urls),
        ),
        "Unauthorized": with_header(
            response("The key is missing or invalid.", ApiError::Unauthorized),
            "WWW-Authenticate",
            "Names the header for the key.",
            json!({"type": "string"}),
        ),
        "Forbidden": response("The key does not open this endpoint.", ApiError::KeyNotFor("chat")),
        "BadGateway": response("Every model failed.", ApiError::Model(LlmErrorKind::Failed.into())),
        "GatewayTimeout": response(
            "No model answered in time.",
            ApiError::Model(LlmErrorKind::DeadlineExceeded.into()),
        ),
        "Unavailable": unavailable(),
    })
}

/// A response with `{"detail"}`.
fn response(description: &str, error: impl Into<HttpError>) -> Json {
    let example = json!({"detail": error.into().detail()});
    json_response(description, "Error", Some(example))
}

/// The same response with a header.
fn with_header(mut response: Json, name: &str, description: &str, schema: Json) -> Json {
    response["headers"] = json!({name: {"description": description, "schema": schema}});
    response
}

/// The UUID generator's message for a count out of range.
fn out_of_range() -> ApiError {
    let refusal = registry::by_slug("uuid-generator")
        .and_then(|tool| tool.demonstrate(r#"{"count": 0}"#, Surface::Rest).err());
    refusal.map_or(ApiError::Internal, |refusal| ApiError::InvalidInput(refusal.to_string()))
}

/// The response to running the first browser-only tool.
fn browser_only(urls: &PublicUrls) -> ApiError {
    let mut entries = ENTRIES.iter();
    let entry = entries.find(|entry| !entry.server_side);
    entry.map_or(ApiError::Internal, |entry| ApiError::BrowserOnly {
        slug: entry.slug,
        page: urls.web_base_url.join(&format!("/tools/{}", entry.slug)).to_string(),
    })
}

/// Endpoints are unavailable for different reasons.
fn unavailable() -> Json {
    let description =
        "The server is busy, or something that the request needs is unavailable. Try again later.";
    let mut response = json_response(description, "Error", None);
    let example = |summary: &str, error: ApiError| {
        let error = HttpError::from(error);
        json!({"summary": summary, "value": {"detail": error.detail()}})
    };
    response["content"]["application/json"]["examples"] = json!({
        "busy": example("Many large inputs at the same time", ApiError::Busy),
        "database": example("The database is unavailable", ApiError::DatabaseUnavailable),
        "outcome": example("The database did not confirm a commit", ApiError::OutcomeUnknown),
        "progress": example(
            "The first request with the same `Idempotency-Key` is in progress",
            ApiError::StillRunning,
        ),
        "key": example(
            "The database is unavailable, and the key is new",
            ApiError::KeyUnverified,
        ),
        "models": example(
            "No model is configured",
            ApiError::Model(LlmErrorKind::Unconfigured.into()),
        ),
        "turnstile": example("Turnstile is unavailable", ApiError::TurnstileUnavailable),
    });
    response
}
