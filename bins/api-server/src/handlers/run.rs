//! `POST /toolkit/api/tools/{slug}/run`: runs one tool.

use actix_web::http::StatusCode;
use actix_web::web::{Data, Payload};
use actix_web::{HttpRequest, HttpResponse};
use toolkit_core::input::Accepted;
use toolkit_http::detail::{JSON, Refusal};
use toolkit_http::{body, edge};

use crate::error;
use crate::state::State;
use crate::targets::Target;

/// Room for what stands around a small result.
const ENVELOPE_BYTES: usize = 256;

/// Runs the tool of a slug.
pub(crate) async fn run(
    request: HttpRequest,
    payload: Payload,
    state: Data<State>,
) -> Result<HttpResponse, Refusal> {
    state.gates.run.admit(&request).await?;
    let slug = request.match_info().query("slug");
    let (tool, opening) = match state.targets.find(slug) {
        Some(Target::Runs { tool, opening }) => (*tool, opening),
        Some(Target::BrowserOnly { detail }) => {
            return Err(Refusal::new(StatusCode::NOT_IMPLEMENTED, detail.clone()));
        }
        None => return Err(error::unknown_tool(slug)),
    };
    edge::set_tool(&request, tool.spec().slug.unwrap_or_default());
    let body = body::read_json(&request, payload.into_inner(), state.body_bytes_max).await?;
    let mut out = Vec::with_capacity(body.len() + ENVELOPE_BYTES);
    out.extend_from_slice(opening);
    let answer = state.runner.run(tool, Accepted::All, body, out).await;
    let body = answer.map_err(error::of_run)?;
    Ok(HttpResponse::Ok().content_type(JSON).body(body))
}
