//! `GET /toolkit/api/tools` and its alias: the catalog, prepared once at start.

use actix_web::{HttpRequest, HttpResponse};
use schemars::JsonSchema;
use serde::Serialize;
use toolkit_catalog::{Category, ENTRIES, Entry};
use toolkit_server::settings::PublicUrls;
use toolkit_server::snapshot::Current;
use toolkit_server::static_response::StaticResponse;

use crate::state::State;

/// Changes only with a release. A revalidating cache gets 304.
const CACHE_CONTROL: &str = "public, max-age=300";

/// The tools of the service.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub(crate) struct Catalog<'a> {
    /// All tools.
    tools: &'static [Entry],
    /// Number of tools.
    count: usize,
    /// Categories, in the order of the tools.
    categories: [Category; Category::ALL.len()],
    /// URL of the MCP server.
    mcp: &'a str,
    /// URL of the MCP documentation.
    docs: &'a str,
}

/// Prepares the response.
pub(crate) fn prepare(urls: &PublicUrls) -> StaticResponse {
    let docs = urls.web_base_url.join("/docs/mcp");
    let catalog = Catalog {
        tools: ENTRIES,
        count: ENTRIES.len(),
        categories: Category::ALL,
        mcp: urls.mcp_url.as_str(),
        docs: docs.as_str(),
    };
    // A struct of strings always serializes.
    let body = serde_json::to_vec(&catalog).unwrap_or_default();
    StaticResponse::new("application/json", CACHE_CONTROL, body)
}

/// Serves the catalog.
pub(crate) async fn get(request: HttpRequest, state: Current<State>) -> HttpResponse {
    state.catalog.respond(&request)
}
