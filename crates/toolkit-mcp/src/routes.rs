//! Routes: all of the server's paths on one page.
//!
//! Each fixed path is its own resource. For several paths in one resource, the router would run a
//! regular expression on every request, half the cost of a call.

use std::future::ready;

use actix_web::HttpResponse;
use actix_web::http::{Method, StatusCode};
use actix_web::web::{self, Data, ServiceConfig};
use rmcp::ServerHandler;
use toolkit_server::error_response::{self, HttpError};
use toolkit_server::settings::HttpUrl;

use crate::discovery::{self, Documents};
use crate::endpoint::{self, Endpoint};

/// The endpoint. Both spellings are registered, because a POST must not be redirected.
pub(crate) const ENDPOINT: [&str; 2] = ["/toolkit/mcp", "/toolkit/mcp/"];
/// Where other servers have their endpoint, including that of an older transport.
pub(crate) const MISSES: [&str; 8] = [
    "/mcp",
    "/mcp/",
    "/api/mcp",
    "/sse",
    "/toolkit/api/mcp",
    "/toolkit/sse",
    "/toolkit/mcp/sse",
    "/toolkit/mcp/messages",
];
/// The card: by convention below the endpoint, and where older clients and crawlers look.
const CARD: [&str; 3] =
    ["/toolkit/mcp/server-card", "/.well-known/mcp/server-card.json", "/.well-known/mcp.json"];
/// The AI catalog of a domain.
const CATALOG: &str = "/.well-known/ai-catalog.json";
/// The description of a site for models.
const LLMS: &str = "/llms.txt";
/// Paths where clients look for authorization, which this server does not have.
const AUTHORIZATION: [&str; 4] = [
    "/.well-known/oauth-{document:.*}",
    "/.well-known/openid-configuration{tail:.*}",
    "/toolkit/mcp/.well-known/{document:.*}",
    "/register",
];

/// Adds the endpoint's own paths.
pub fn endpoint<H: ServerHandler + Clone>(
    config: &mut ServiceConfig,
    endpoint: &Data<Endpoint<H>>,
) {
    for path in ENDPOINT {
        config.service(
            web::resource(path)
                .app_data(endpoint.clone())
                .post(endpoint::post::<H>)
                .route(web::method(Method::OPTIONS).to(endpoint::options::<H>))
                .default_service(web::to(endpoint::other::<H>)),
        );
    }
}

/// Whether a path is one of these, for layers that must skip them.
pub fn is_ours(path: &str) -> bool {
    path == LLMS || ["/toolkit/mcp", "/.well-known/"].iter().any(|own| path.starts_with(own))
}

/// Adds paths where clients look for the endpoint in vain. They answer with its address.
pub(crate) fn elsewhere(config: &mut ServiceConfig, paths: &[&str], mcp_url: &HttpUrl) {
    let detail = format!("No such path. The MCP endpoint is {mcp_url}.");
    for path in paths {
        let refusal = HttpError::new(StatusCode::NOT_FOUND, detail.clone());
        config.service(
            web::resource(*path).to(move || ready(Err::<HttpResponse, _>(refusal.clone()))),
        );
    }
}

/// Adds the paths of the documents about the server and, if it is open to all, 404s for absent
/// ones.
pub(crate) fn documents(config: &mut ServiceConfig, documents: &Documents, is_open: bool) {
    let cards = CARD.map(|path| (path, &documents.card));
    let others = [(CATALOG, &documents.catalog), (LLMS, &documents.llms)];
    for (path, document) in cards.into_iter().chain(others) {
        config.service(
            web::resource(path)
                .app_data(document.clone())
                .get(discovery::get)
                .route(web::method(Method::OPTIONS).to(discovery::options))
                .default_service(error_response::only("GET, HEAD")),
        );
    }
    if is_open {
        config.service(web::resource(AUTHORIZATION).to(discovery::no_authorization));
    }
}
