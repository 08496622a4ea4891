//! `POST /toolkit/api/tools/{slug}/run`: runs one tool.
//!
//! The only path with a parameter. The router would match it with a regular expression, which costs
//! more than the rest of a small run, so the path is parsed here.

use actix_web::http::Method;
use actix_web::web::{Data, Payload};
use actix_web::{HttpRequest, HttpResponse};
use toolkit_core::input::Surface;
use toolkit_server::error_response::{self, HttpError, JSON};
use toolkit_server::{body, large_body, middleware};

use crate::error::ApiError;
use crate::slugs::Target;
use crate::state::State;

/// Bytes of a response around a small result.
const ENVELOPE_BYTES: usize = 256;

/// Bytes preallocated for a result; a tool reserves more for a larger one.
const RESULT_BYTES: usize = 4 << 10;

/// The path as documented.
const ROUTE: &str = "/toolkit/api/tools/{slug}/run";

/// Runs a tool if the path is that of a run; any other path below the catalog is 404.
pub(crate) async fn dispatch(
    request: HttpRequest,
    payload: Payload,
    state: Data<State>,
) -> Result<HttpResponse, HttpError> {
    let Some(slug) = slug(request.match_info().as_str()) else {
        return Err(error_response::nothing_here());
    };
    middleware::set_route(&request, ROUTE);
    if request.method() != Method::POST {
        return Err(error_response::wrong_method("POST"));
    }
    run(slug, &request, payload, &state).await
}

/// The percent-decoded slug in the path of a run.
fn slug(path: &str) -> Option<&str> {
    let (before, after) = ROUTE.split_once("{slug}")?;
    let slug = path.strip_prefix(before)?.strip_suffix(after)?;
    (!slug.is_empty() && !slug.contains('/')).then_some(slug)
}

async fn run(
    slug: &str,
    request: &HttpRequest,
    payload: Payload,
    state: &State,
) -> Result<HttpResponse, HttpError> {
    state.rate_limits.run.admit(request).await?;
    let (tool, opening) = match state.slugs.find(slug) {
        Some(Target::Runs { tool, opening }) => (*tool, opening),
        Some(Target::BrowserOnly { slug, page }) => {
            let page = page.clone();
            return Err(ApiError::BrowserOnly { slug, page }.into());
        }
        None => return Err(ApiError::UnknownTool(slug.to_owned()).into()),
    };
    middleware::set_tool(request, tool.spec().slug.unwrap_or_default());
    let body = body::read_json(request, payload.into_inner(), state.body_bytes_max).await?;
    let mut out = Vec::with_capacity(body.len().min(RESULT_BYTES) + ENVELOPE_BYTES);
    out.extend_from_slice(opening);
    let answer = state.runner.run(tool, Surface::Rest, body, out).await;
    let body = answer.map_err(ApiError::from)?;
    let body = large_body::body(request, body);
    Ok(HttpResponse::Ok().content_type(JSON).body(body))
}
