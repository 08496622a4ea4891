//! Discovery documents for clients, registries and crawlers, prepared at start-up.
//!
//! Standard: SEP-2127 and the server-card extension of MCP ("Discovery": card, AI catalog, CORS,
//! caching); RFC 8615 (well-known URIs); llmstxt.org. Clients still request the card's two older
//! well-known paths. All are public and read-only, so every web page may read them.

mod card;
mod llms;

use actix_web::http::StatusCode;
use actix_web::http::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE, HeaderMap, HeaderValue,
};
use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse};
use serde_json::Value as Json;
use toolkit_http::error_response::HttpError;
use toolkit_http::settings::PublicUrls;
use toolkit_http::static_response::StaticResponse;

/// They change only with a release; a revalidating cache gets 304.
const CACHE_CONTROL: &str = "public, max-age=3600";

/// The documents.
pub(crate) struct Documents {
    card: StaticResponse,
    catalog: StaticResponse,
    llms: StaticResponse,
}

impl Documents {
    /// Prepares the documents of a server.
    pub(crate) fn new(urls: &PublicUrls) -> Self {
        let json = |content_type, value: &Json| {
            StaticResponse::new(content_type, CACHE_CONTROL, value.to_string())
        };
        Self {
            card: json(card::MEDIA_TYPE, &card::card(urls)),
            catalog: json(card::CATALOG_MEDIA_TYPE, &card::catalog(urls)),
            llms: StaticResponse::new(llms::MEDIA_TYPE, CACHE_CONTROL, llms::text(urls)),
        }
    }
}

/// Serves the card.
pub(crate) async fn card(request: HttpRequest, documents: Data<Documents>) -> HttpResponse {
    open(documents.card.respond(&request))
}

/// Serves the catalog.
pub(crate) async fn catalog(request: HttpRequest, documents: Data<Documents>) -> HttpResponse {
    open(documents.catalog.respond(&request))
}

/// Serves `llms.txt`.
pub(crate) async fn llms(request: HttpRequest, documents: Data<Documents>) -> HttpResponse {
    open(documents.llms.respond(&request))
}

/// Answers a preflight.
pub(crate) async fn options() -> HttpResponse {
    let mut response = HttpResponse::NoContent().finish();
    let headers = response.headers_mut();
    headers.insert(ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static("7200"));
    open(response)
}

/// Answers that authorization is not used: clients ask before they connect, and must not have to
/// wait.
pub(crate) async fn no_authorization() -> Result<HttpResponse, HttpError> {
    let detail = "This server needs no authorization; connect without any.";
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
