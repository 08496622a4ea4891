//! `POST /toolkit/api/tools/{slug}/run`: runs one tool.

use actix_web::web::{Data, Path, Payload};
use actix_web::{HttpRequest, HttpResponse};
use toolkit_core::input::Surface;
use toolkit_server::clients::{self, Account};
use toolkit_server::error_response::{HttpError, JSON};
use toolkit_server::{body, middleware};

use crate::error::ApiError;
use crate::slugs::Target;
use crate::state::State;

/// Bytes of a response around a small result.
const ENVELOPE_BYTES: usize = 256;

/// Bytes preallocated for a result; a tool reserves more for a larger one.
const RESULT_BYTES: usize = 4 << 10;

/// Runs a tool.
pub(crate) async fn post(
    slug: Path<String>,
    request: HttpRequest,
    payload: Payload,
    state: Data<State>,
) -> Result<HttpResponse, HttpError> {
    state.rate_limits.run.admit(&request).await?;
    let (slug, tool, opening) = match state.slugs.find(&slug) {
        Some(Target::Runs {
            slug,
            tool,
            opening,
        }) => (slug, *tool, opening),
        Some(Target::BrowserOnly { slug, page }) => {
            let page = page.clone();
            return Err(ApiError::BrowserOnly { slug, page }.into());
        }
        None => return Err(ApiError::UnknownTool(slug.into_inner()).into()),
    };
    middleware::set_tool(&request, slug);
    let body = body::read_json(&request, payload.into_inner(), state.body_bytes_max).await?;
    let mut out = Vec::with_capacity(body.len().min(RESULT_BYTES) + ENVELOPE_BYTES);
    out.extend_from_slice(opening);
    let client = Account::of(&request);
    let run = state
        .runner
        .run(Some(&client), tool, Surface::Rest, body, out);
    let body = clients::hold(&request, run.await.map_err(ApiError::from)?);
    Ok(HttpResponse::Ok().content_type(JSON).body(body))
}
