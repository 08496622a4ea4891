//! `POST /toolkit/api/tools/{slug}/run`: runs one tool.

use std::convert::identity;

use actix_web::web::{Path, Payload};
use actix_web::{HttpRequest, HttpResponse};
use toolkit_core::input::Surface;
use toolkit_core::registry;
use toolkit_server::accounts::Account;
use toolkit_server::connections;
use toolkit_server::error_response::{HttpError, JSON};
use toolkit_server::snapshot::Current;
use toolkit_server::{body, middleware};

use crate::error::ApiError;
use crate::state::State;

/// Runs a tool.
pub(crate) async fn post(
    slug: Path<String>,
    request: HttpRequest,
    payload: Payload,
    state: Current<State>,
) -> Result<HttpResponse, HttpError> {
    state.rate_limits.run.admit(&request).await?;
    let Some(slug) = toolkit_catalog::find(&slug).map(|entry| entry.slug) else {
        return Err(ApiError::UnknownTool(slug.into_inner()).into());
    };
    let Some(tool) = registry::by_slug(slug) else {
        let page = state.site.address(&format!("/tools/{slug}")).to_string();
        return Err(ApiError::BrowserOnly { slug, page }.into());
    };
    middleware::set_tool(&request, slug);
    let body = body::read_json(&request, payload.into_inner(), state.body_bytes_max).await?;
    let begin = ["{\"ok\":true,\"slug\":\"", slug, "\","];
    let client = Account::of(&request);
    let run = state.runner.run(Some(&client), tool, Surface::Rest, body, &begin, identity);
    let body = connections::hold(&request, run.await.map_err(ApiError::from)?);
    Ok(HttpResponse::Ok().content_type(JSON).body(body))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use toolkit_catalog::ENTRIES;

    use super::*;

    #[test]
    fn the_server_side_entries_are_exactly_the_tools_with_a_slug() {
        let entries: BTreeSet<_> =
            ENTRIES.iter().filter(|entry| entry.server_side).map(|entry| entry.slug).collect();
        let tools: BTreeSet<_> =
            registry::TOOLS.iter().filter_map(|tool| tool.spec().slug).collect();
        assert_eq!(entries, tools);
    }

    #[test]
    fn a_tool_and_its_catalog_entry_have_the_same_description() {
        for entry in ENTRIES {
            if let Some(tool) = registry::by_slug(entry.slug) {
                assert_eq!(tool.spec().summary, entry.description, "{}", entry.slug);
            }
        }
    }
}
