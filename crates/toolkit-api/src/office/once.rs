//! Requests with an `Idempotency-Key`, which take effect once even if repeated.
//!
//! Standard: draft-ietf-httpapi-idempotency-key-header-07, except that every error in the header is
//! 422, as for other inputs. The key's value is not parsed, so quotes are part of it.

use actix_web::HttpRequest;
use time::OffsetDateTime;
use toolkit_server::error_response::HttpError;
use toolkit_store::{Attempt, Claim, Claimed};

use crate::error::{self, ApiError};
use crate::state::State;

/// The header that carries the key.
const HEADER: &str = "idempotency-key";

/// Maximum characters of a key.
const CHARACTERS_MAX: usize = 255;

/// The request's key, if any.
///
/// # Errors
///
/// 422 when it is invalid.
pub(crate) fn key(request: &HttpRequest) -> Result<Option<&str>, ApiError> {
    let mut values = request.headers().get_all(HEADER);
    let (Some(value), other) = (values.next(), values.next()) else {
        return Ok(None);
    };
    let wrong = |what: String| {
        Err(ApiError::InvalidInput(format!(
            "`Idempotency-Key` {what}. It must be 1 to {CHARACTERS_MAX} visible ASCII characters."
        )))
    };
    if other.is_some() {
        return wrong("is sent twice".to_owned());
    }
    match value.as_bytes() {
        [] => wrong("is empty".to_owned()),
        key if !key.iter().all(u8::is_ascii_graphic) => {
            wrong("has a character that is not visible ASCII".to_owned())
        }
        key if key.len() > CHARACTERS_MAX => wrong(format!("has {} characters", key.len())),
        _ => Ok(value.to_str().ok()),
    }
}

/// Runs a request, or answers it as the first request with its key was answered.
///
/// # Errors
///
/// Those of the work; 422 when the key was used for another request, 503 while the first is still
/// running.
pub(crate) async fn once(
    state: &State,
    request: &HttpRequest,
    attempt: Option<Attempt>,
    work: impl AsyncFnOnce(Option<Claim>) -> Result<String, ApiError>,
) -> Result<String, HttpError> {
    let Some(attempt) = attempt else {
        return Ok(work(None).await?);
    };
    let claimed = state.store.claim(attempt, OffsetDateTime::now_utc()).await;
    let claimed = claimed.map_err(|failure| match error::of_store(request, &failure) {
        // Whether or not the claim is stored, the work has not begun.
        ApiError::OutcomeUnknown => ApiError::DatabaseUnavailable,
        error => error,
    })?;
    match claimed {
        Claimed::First(claim) => {
            let answer = work(Some(claim)).await;
            if answer.is_err() {
                // Otherwise the claim ends with its lease.
                let _ = state.store.release(claim).await;
            }
            Ok(answer?)
        }
        Claimed::Answered(answer) => Ok(answer),
        Claimed::Running => Err(ApiError::StillRunning.into()),
        Claimed::Different(endpoint) => Err(ApiError::InvalidInput(format!(
            "`Idempotency-Key` was used for another request to /toolkit/api/{endpoint}. \
             Send each request with its own key."
        ))
        .into()),
    }
}
