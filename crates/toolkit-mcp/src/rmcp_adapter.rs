//! Adapter between actix-web and rmcp's Streamable HTTP service.
//!
//! actix-web uses version 0.2 of the `http` crate and rmcp version 1, so each request is converted.
//! Its body has been read already, with our limits; its `Accept` is set to what the protocol
//! requires, since real clients send less, and the response is JSON in any case.

use std::sync::Arc;

use actix_web::body::to_bytes;
use actix_web::http::StatusCode;
use actix_web::http::header::{self, HeaderName, HeaderValue};
use actix_web::web::Bytes;
use actix_web::{HttpRequest, HttpResponse, HttpResponseBuilder};
use http_body_util::{BodyExt as _, Collected, Full};
use rmcp::ServerHandler;
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};

use toolkit_server::clients::Account;
use toolkit_server::middleware;
use toolkit_server::request_id::RequestId;

use crate::error::{from_refusal, invalid_request};
use crate::protocol::{METHOD_HEADER, NAME_HEADER, VERSION_HEADER};

const ACCEPT: http::HeaderValue =
    http::HeaderValue::from_static("application/json, text/event-stream");
const JSON: http::HeaderValue = http::HeaderValue::from_static("application/json");
/// The headers used by the protocol.
const FORWARDED: [&str; 3] = [VERSION_HEADER, METHOD_HEADER, NAME_HEADER];
const PARAMETER: &str = "mcp-param-";

/// rmcp's service, created once for all workers.
pub struct RmcpAdapter<H>(StreamableHttpService<H, NeverSessionManager>);

/// The original request, for a handler that needs more of it than rmcp passes on.
#[derive(Clone)]
pub(crate) struct Sent {
    /// The arguments of a call, as in the body.
    pub(crate) arguments: Option<Bytes>,
    pub(crate) client: Option<Arc<Account>>,
    pub(crate) id: RequestId,
}

impl<H: ServerHandler + Clone> RmcpAdapter<H> {
    /// Wraps a handler in rmcp's service: without sessions, with JSON responses.
    ///
    /// `Host` and `Origin` have been checked before.
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
    pub(crate) async fn answer(
        &self,
        request: &HttpRequest,
        body: Bytes,
        arguments: Option<Bytes>,
    ) -> HttpResponse {
        let id = middleware::request_id(request);
        let client = Some(Account::of(request));
        let sent = Sent {
            arguments,
            client,
            id,
        };
        let Some(forwarded) = forward(request, body.clone(), sent) else {
            return invalid_request("A header of the request is not text.");
        };
        self.exchange(forwarded, body).await
    }

    /// Passes a message without HTTP to rmcp; an empty response is not sent.
    pub(crate) async fn answer_message(
        &self,
        body: Bytes,
        headers: http::HeaderMap,
        sent: Sent,
    ) -> Vec<u8> {
        let mut forwarded = envelope(body.clone(), sent);
        forwarded.headers_mut().extend(headers);
        let answer = self.exchange(forwarded, body).await.into_body();
        to_bytes(answer).await.map(Vec::from).unwrap_or_default()
    }

    async fn exchange(&self, forwarded: http::Request<Full<Bytes>>, body: Bytes) -> HttpResponse {
        let (parts, answer) = self.0.handle(forwarded).await.into_parts();
        let status = StatusCode::from_u16(parts.status.as_u16())
            .unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let is_refusal = status.is_client_error() || status.is_server_error();
        if is_refusal && parts.headers.get(http::header::CONTENT_TYPE) != Some(&JSON) {
            let text = answer
                .collect()
                .await
                .map(Collected::to_bytes)
                .unwrap_or_default();
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

fn forward(request: &HttpRequest, body: Bytes, sent: Sent) -> Option<http::Request<Full<Bytes>>> {
    let mut forwarded = envelope(body, sent);
    let headers = forwarded.headers_mut();
    for (name, value) in request.headers() {
        let name = name.as_str();
        if FORWARDED.contains(&name) || name.starts_with(PARAMETER) {
            let name = http::HeaderName::from_bytes(name.as_bytes()).ok()?;
            headers.append(name, http::HeaderValue::from_bytes(value.as_bytes()).ok()?);
        }
    }
    Some(forwarded)
}

/// A message as the request that rmcp expects.
fn envelope(body: Bytes, sent: Sent) -> http::Request<Full<Bytes>> {
    let mut forwarded = http::Request::new(Full::new(body));
    *forwarded.method_mut() = http::Method::POST;
    forwarded.extensions_mut().insert(sent);
    let headers = forwarded.headers_mut();
    headers.insert(
        http::header::HOST,
        http::HeaderValue::from_static("localhost"),
    );
    headers.insert(http::header::ACCEPT, ACCEPT);
    headers.insert(http::header::CONTENT_TYPE, JSON);
    forwarded
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
