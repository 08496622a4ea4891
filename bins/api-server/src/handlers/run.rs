//! `POST /toolkit/api/tools/{slug}/run`: runs one tool.
//!
//! The one path with a variable part. The router would try a regular expression on it, for more than a
//! small run costs otherwise; so it is taken apart here, of all paths below those of the catalog.

use actix_web::http::{Method, StatusCode};
use actix_web::web::{Data, Payload};
use actix_web::{HttpRequest, HttpResponse};
use toolkit_core::input::Accepted;
use toolkit_http::detail::{self, JSON, Refusal};
use toolkit_http::{body, edge};

use crate::error;
use crate::state::State;
use crate::targets::Target;

/// Room for what stands around a small result.
const ENVELOPE_BYTES: usize = 256;

/// The path, as the documentation has it.
const ROUTE: &str = "/toolkit/api/tools/{slug}/run";

/// Runs a tool, where the path is that of a run; there is nothing at all others.
pub(crate) async fn dispatch(
    request: HttpRequest,
    payload: Payload,
    state: Data<State>,
) -> Result<HttpResponse, Refusal> {
    let Some(slug) = slug(request.match_info().as_str()) else {
        return Err(detail::nothing_here());
    };
    edge::set_route(&request, ROUTE);
    if request.method() != Method::POST {
        return Err(detail::wrong_method("POST"));
    }
    run(slug, &request, payload, &state).await
}

/// The slug in the path of a run, percent-decoded as the path is.
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
) -> Result<HttpResponse, Refusal> {
    state.gates.run.admit(request).await?;
    let (tool, opening) = match state.targets.find(slug) {
        Some(Target::Runs { tool, opening }) => (*tool, opening),
        Some(Target::BrowserOnly { detail }) => {
            return Err(Refusal::new(StatusCode::NOT_IMPLEMENTED, detail.clone()));
        }
        None => return Err(error::unknown_tool(slug)),
    };
    edge::set_tool(request, tool.spec().slug.unwrap_or_default());
    let body = body::read_json(request, payload.into_inner(), state.body_bytes_max).await?;
    let mut out = Vec::with_capacity(body.len() + ENVELOPE_BYTES);
    out.extend_from_slice(opening);
    let answer = state.runner.run(tool, Accepted::All, body, out).await;
    let body = answer.map_err(error::of_run)?;
    Ok(HttpResponse::Ok().content_type(JSON).body(body))
}
