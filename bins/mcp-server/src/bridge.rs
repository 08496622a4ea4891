//! Between actix-web and rmcp's Streamable HTTP service.
//!
//! actix-web is on version 0.2 of the `http` crate and rmcp on 1, so a request is made anew. Its body
//! was read already, with our limits; its `Accept` is set to what the protocol asks for, since real
//! clients send less, and the answer is JSON in any case.

use std::sync::Arc;

use actix_web::http::StatusCode;
use actix_web::http::header::{self, HeaderName, HeaderValue};
use actix_web::web::Bytes;
use actix_web::{HttpRequest, HttpResponse, HttpResponseBuilder};
use http_body_util::{BodyExt as _, Full};
use rmcp::ServerHandler;
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};

const ACCEPT: http::HeaderValue =
    http::HeaderValue::from_static("application/json, text/event-stream");
const JSON: http::HeaderValue = http::HeaderValue::from_static("application/json");
/// The headers on which the protocol rests.
const FORWARDED: [&str; 4] = [
    "mcp-protocol-version",
    "mcp-method",
    "mcp-name",
    "mcp-session-id",
];
const PARAMETER: &str = "mcp-param-";

/// rmcp's service, made once for all workers.
pub struct Bridge<H>(StreamableHttpService<H, NeverSessionManager>);

impl<H: ServerHandler + Clone + Sync> Bridge<H> {
    /// Puts a handler behind the protocol: without sessions, with answers in JSON.
    ///
    /// `Host` and `Origin` are checked before a request comes here.
    pub fn new(handler: H, body_bytes_max: usize) -> Self {
        let config = StreamableHttpServerConfig::default()
            .with_legacy_session_mode(false)
            .with_json_response(true)
            .with_max_request_body_bytes(body_bytes_max)
            .disable_allowed_hosts()
            .disable_allowed_origins();
        let sessions = Arc::new(NeverSessionManager::default());
        Self(StreamableHttpService::new(
            move || Ok(handler.clone()),
            sessions,
            config,
        ))
    }

    /// Has rmcp answer a POST.
    pub async fn answer(&self, request: &HttpRequest, body: Bytes) -> HttpResponse {
        let Some(forwarded) = forward(request, body) else {
            return crate::error::invalid_request("The request's headers are not text.");
        };
        let (parts, body) = self.0.handle(forwarded).await.into_parts();
        let status = StatusCode::from_u16(parts.status.as_u16())
            .unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let is_json = parts.headers.get(http::header::CONTENT_TYPE) == Some(&JSON);
        if status.is_client_error() && !is_json {
            let text = body
                .collect()
                .await
                .map(|body| body.to_bytes())
                .unwrap_or_default();
            return crate::error::from_refusal(status, &String::from_utf8_lossy(&text));
        }
        let mut response = HttpResponseBuilder::new(status);
        for (name, value) in &parts.headers {
            let name = HeaderName::from_bytes(name.as_str().as_bytes());
            let value = HeaderValue::from_bytes(value.as_bytes());
            if let (Ok(name), Ok(value)) = (name, value)
                && name != header::CONTENT_LENGTH
            {
                response.insert_header((name, value));
            }
        }
        match http_body::Body::size_hint(&body).exact() {
            Some(_) => match body.collect().await {
                Ok(body) => response.body(body.to_bytes()),
                Err(never) => match never {},
            },
            None => response.streaming(body.into_data_stream()),
        }
    }
}

fn forward(request: &HttpRequest, body: Bytes) -> Option<http::Request<Full<Bytes>>> {
    let mut forwarded = http::Request::new(Full::new(body));
    *forwarded.method_mut() = http::Method::POST;
    *forwarded.uri_mut() = http::Uri::from_static("/");
    let headers = forwarded.headers_mut();
    headers.insert(http::header::ACCEPT, ACCEPT);
    headers.insert(http::header::CONTENT_TYPE, JSON);
    for (name, value) in request.headers() {
        let name = name.as_str();
        if FORWARDED.contains(&name) || name.starts_with(PARAMETER) {
            let name = http::HeaderName::from_bytes(name.as_bytes()).ok()?;
            headers.append(name, http::HeaderValue::from_bytes(value.as_bytes()).ok()?);
        }
    }
    Some(forwarded)
}
