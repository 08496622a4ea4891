//! `GET /toolkit/api/tools` and its alias: the catalog, prepared once when the server starts.

use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse};
use schemars::JsonSchema;
use serde::Serialize;
use toolkit_catalog::{Category, ENTRIES, Entry};
use toolkit_http::settings::PublicUrls;
use toolkit_http::static_response::StaticResponse;

use crate::state::State;

/// It changes with a release only; a cache that asks again gets 304.
const CACHE_CONTROL: &str = "public, max-age=300";

/// The tools of the service.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub(crate) struct Catalog<'a> {
    /// Every tool.
    tools: &'static [Entry],
    /// The number of tools.
    count: usize,
    /// The categories, in the order of the tools.
    categories: [Category; Category::ALL.len()],
    /// The address of the MCP server.
    mcp: &'a str,
    /// The address of the MCP documentation.
    docs: &'a str,
}

/// Prepares the answer.
pub(crate) fn prepare(urls: &PublicUrls) -> StaticResponse {
    let docs = urls.web_base_url.join("/docs/mcp");
    let catalog = Catalog {
        tools: ENTRIES,
        count: ENTRIES.len(),
        categories: Category::ALL,
        mcp: urls.mcp_url.as_str(),
        docs: docs.as_str(),
    };
    // A struct of strings always has a JSON text.
    let body = serde_json::to_vec(&catalog).unwrap_or_default();
    StaticResponse::new("application/json", CACHE_CONTROL, body)
}

/// Gives the catalog.
pub(crate) async fn get(request: HttpRequest, state: Data<State>) -> HttpResponse {
    state.catalog.respond(&request)
}
