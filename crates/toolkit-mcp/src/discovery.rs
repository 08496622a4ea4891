//! Discovery documents for clients, registries and crawlers, prepared at start.
//!
//! Standard: SEP-2127 and MCP's server-card extension ("Discovery": card, AI catalog, CORS,
//! caching); RFC 8615 (well-known URIs); llmstxt.org. Clients still request the card's two older
//! well-known paths. All documents are public and read-only, so every web page may read them.

mod card;
mod llms;

use actix_web::http::StatusCode;
use actix_web::http::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE, HeaderMap, HeaderValue,
};
use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse};
use toolkit_server::error_response::HttpError;
use toolkit_server::settings::PublicUrls;
use toolkit_server::static_response::StaticResponse;

/// They change only with a release. A revalidating cache gets 304.
const CACHE_CONTROL: &str = "public, max-age=3600";

/// The documents, ready to be served.
pub(crate) struct Documents {
    pub(crate) card: Data<StaticResponse>,
    pub(crate) catalog: Data<StaticResponse>,
    pub(crate) llms: Data<StaticResponse>,
}

impl Documents {
    /// Prepares the documents of a server.
    pub(crate) fn new(urls: &PublicUrls) -> Self {
        let document = |content_type, text: String| {
            Data::new(StaticResponse::new(content_type, CACHE_CONTROL, text))
        };
        Self {
            card: document(card::MEDIA_TYPE, card::card(urls).to_string()),
            catalog: document(card::CATALOG_MEDIA_TYPE, card::catalog(urls).to_string()),
            llms: document(llms::MEDIA_TYPE, llms::text(urls)),
        }
    }
}

/// Serves a route's document.
pub(crate) async fn get(request: HttpRequest, document: Data<StaticResponse>) -> HttpResponse {
    open(document.respond(&request))
}

/// Answers a preflight.
pub(crate) async fn options() -> HttpResponse {
    let mut response = HttpResponse::NoContent().finish();
    let headers = response.headers_mut();
    headers.insert(ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static("7200"));
    open(response)
}

/// Answers that there is no authorization. Clients ask before they connect and must not have to
/// wait.
pub(crate) async fn no_authorization() -> Result<HttpResponse, HttpError> {
    let detail = "This server needs no authorization. Connect without it.";
    Err(HttpError::new(StatusCode::NOT_FOUND, detail))
}

/// Allows every web page to read a response.
fn open(mut response: HttpResponse) -> HttpResponse {
    let headers: &mut HeaderMap = response.headers_mut();
    for (name, value) in [
        (ACCESS_CONTROL_ALLOW_ORIGIN, "*"),
        (ACCESS_CONTROL_ALLOW_METHODS, "GET"),
        (ACCESS_CONTROL_ALLOW_HEADERS, "Content-Type, If-None-Match"),
        (ACCESS_CONTROL_EXPOSE_HEADERS, "ETag"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}
