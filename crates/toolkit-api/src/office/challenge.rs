//! `GET /toolkit/api/captcha`: an ALTCHA challenge.

use actix_web::http::StatusCode;
use actix_web::http::header::{CACHE_CONTROL, HeaderValue};
use actix_web::{HttpRequest, HttpResponse};
use time::OffsetDateTime;
use toolkit_server::error_response::HttpError;
use toolkit_server::snapshot::Current;

use crate::error::of_store;
use crate::office::captcha::Captcha;
use crate::state::State;

/// Makes a challenge.
pub(crate) async fn get(
    request: HttpRequest,
    state: Current<State>,
) -> Result<HttpResponse, HttpError> {
    state.rate_limits.links.admit(&request).await?;
    let Some(Captcha::Altcha(challenges)) = &state.captcha else {
        let detail = "This service has no challenges: `captcha.kind` is not altcha.";
        return Err(HttpError::new(StatusCode::NOT_FOUND, detail));
    };
    let no_store = (CACHE_CONTROL, HeaderValue::from_static("no-store"));
    let challenge = challenges.challenge(OffsetDateTime::now_utc()).await;
    let challenge = challenge.map_err(|error| of_store(&request, &error))?;
    Ok(HttpResponse::Ok().insert_header(no_store).json(challenge))
}
