//! Adapter between actix-web and rmcp's Streamable HTTP service.
//!
//! actix-web uses version 0.2 of the `http` crate and rmcp version 1, so each request is converted.
//! Its body has already been read, with our limits. Its `Accept` is set to what the protocol
//! requires, since real clients send less, and the response is always JSON.

use std::sync::Arc;

use actix_web::http::StatusCode;
use actix_web::http::header::{self, HeaderName, HeaderValue};
use actix_web::web::Bytes;
use actix_web::{HttpRequest, HttpResponse, HttpResponseBuilder};
use http_body_util::{BodyExt as _, Collected, Full};
use rmcp::ServerHandler;
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};

use crate::error::{from_refusal, invalid_request};
use crate::protocol::{METHOD_HEADER, NAME_HEADER, VERSION_HEADER};

const HOST: http::HeaderValue = http::HeaderValue::from_static("localhost");
const ACCEPT: http::HeaderValue =
    http::HeaderValue::from_static("application/json, text/event-stream");
const JSON: http::HeaderValue = http::HeaderValue::from_static("application/json");
/// The headers used by the protocol.
const FORWARDED: [&str; 3] = [VERSION_HEADER, METHOD_HEADER, NAME_HEADER];
const PARAMETER: &str = "mcp-param-";

/// rmcp's service, created once for all workers.
pub struct RmcpAdapter<H>(StreamableHttpService<H, NeverSessionManager>);

impl<H: ServerHandler + Clone> RmcpAdapter<H> {
    /// Wraps a handler in rmcp's service, without sessions and with JSON responses.
    ///
    /// `Host` and `Origin` have already been checked.
    pub fn new(handler: H, body_bytes_max: usize) -> Self {
        let config = StreamableHttpServerConfig::default()
            .with_legacy_session_mode(false)
            .with_json_response(true)
            .with_max_request_body_bytes(body_bytes_max)
            .disable_allowed_hosts()
            .disable_allowed_origins();
        let sessions = Arc::new(NeverSessionManager::default());
        let service = StreamableHttpService::new(move || Ok(handler.clone()), sessions, config);
        Self(service)
    }

    /// Passes a POST to rmcp.
    pub(crate) async fn answer(&self, request: &HttpRequest, body: Bytes) -> HttpResponse {
        let Some(forwarded) = forward(request, body.clone()) else {
            return invalid_request("A header of the request is not text.");
        };
        let (parts, answer) = self.0.handle(forwarded).await.into_parts();
        let status = StatusCode::from_u16(parts.status.as_u16())
            .unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let is_refusal = status.is_client_error() || status.is_server_error();
        if is_refusal && parts.headers.get(http::header::CONTENT_TYPE) != Some(&JSON) {
            let text = answer.collect().await.map(Collected::to_bytes).unwrap_or_default();
            return from_refusal(status, &String::from_utf8_lossy(&text), &body);
        }
        let mut response = HttpResponseBuilder::new(status);
        copy_headers(&parts.headers, &mut response);
        match http_body::Body::size_hint(&answer).exact() {
            Some(_) => match answer.collect().await {
                Ok(answer) => response.body(answer.to_bytes()),
                Err(never) => match never {},
            },
            None => response.streaming(answer.into_data_stream()),
        }
    }
}

fn forward(request: &HttpRequest, body: Bytes) -> Option<http::Request<Full<Bytes>>> {
    let mut forwarded = http::Request::post("/").body(Full::new(body)).ok()?;
    let headers = forwarded.headers_mut();
    headers.insert(http::header::HOST, HOST);
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

fn copy_headers(from: &http::HeaderMap, response: &mut HttpResponseBuilder) {
    for (name, value) in from {
        let name = HeaderName::from_bytes(name.as_str().as_bytes());
        let value = HeaderValue::from_bytes(value.as_bytes());
        if let (Ok(name), Ok(value)) = (name, value)
            && name != header::CONTENT_LENGTH
        {
            response.insert_header((name, value));
        }
    }
}
