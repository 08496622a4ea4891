//! Host and Origin checks: accepted host names, and web pages that may call the endpoint.
//!
//! Standard: MCP 2026-07-28, "Streamable HTTP", security warning (DNS rebinding); the Fetch
//! standard, section 3.2 (CORS); RFC 9112, section 3.2.2 (a target with its own host overrides
//! `Host`).

use actix_web::HttpRequest;
use actix_web::http::StatusCode;
use actix_web::http::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE, HOST, HeaderMap, HeaderValue, ORIGIN,
    VARY,
};
use toolkit_core::input::Echo;
use toolkit_server::error_response::HttpError;
use toolkit_server::settings::{Hosts, Origins};

use crate::protocol::{NotSingle, single};

/// GET and DELETE are answered too, with a 405 that pages should be able to read.
const METHODS: HeaderValue = HeaderValue::from_static("GET, POST, DELETE");
const ALLOWED: HeaderValue = HeaderValue::from_static(
    "Content-Type, Accept, Authorization, MCP-Protocol-Version, Mcp-Method, Mcp-Name, \
     Mcp-Session-Id, Last-Event-ID, X-Request-Id, Traceparent, Tracestate, Baggage",
);
const EXPOSED: HeaderValue =
    HeaderValue::from_static("MCP-Protocol-Version, Mcp-Session-Id, Retry-After, X-Request-Id");
/// How long browsers may cache a preflight, in seconds: Chromium's maximum.
const MAX_AGE_SECONDS: HeaderValue = HeaderValue::from_static("7200");

/// The rules for `Host` and `Origin`.
#[derive(Debug)]
pub struct Guard {
    hosts: Hosts,
    origins: Origins,
}

/// The origin of a web page that may call and read the response, if a page sent the request.
#[derive(Debug)]
pub(crate) struct AllowedOrigin(Option<HeaderValue>);

impl Guard {
    /// Creates the guard.
    pub fn new(hosts: Hosts, origins: Origins) -> Self {
        Self { hosts, origins }
    }

    /// Checks a request's host and origin.
    pub(crate) fn admit(&self, request: &HttpRequest) -> Result<AllowedOrigin, HttpError> {
        let target = request.uri().authority().map(|authority| Ok(Some(authority.as_str())));
        let host = target.unwrap_or_else(|| single(request.headers(), HOST.as_str()));
        let host = host.ok().flatten().unwrap_or_default();
        if !self.hosts.allows(host) {
            let detail = format!(
                "This server does not accept the host name {}. The operator can list it in \
                 `mcp.allowed_hosts`.",
                Echo(host)
            );
            return Err(HttpError::new(StatusCode::FORBIDDEN, detail));
        }
        match single(request.headers(), ORIGIN.as_str()) {
            Ok(None) => Ok(AllowedOrigin(None)),
            Ok(Some(origin)) if self.origins.allows(origin) => {
                Ok(AllowedOrigin(request.headers().get(ORIGIN).cloned()))
            }
            Ok(Some(origin)) => Err(foreign(origin)),
            Err(NotSingle) => Err(foreign("")),
        }
    }
}

fn foreign(origin: &str) -> HttpError {
    let detail = format!(
        "Web pages of the origin {} may not call this server. The operator can list it in \
         `mcp.allowed_origins`.",
        Echo(origin)
    );
    HttpError::new(StatusCode::FORBIDDEN, detail)
}

impl AllowedOrigin {
    /// Allows the page to read a response.
    pub(crate) fn add_cors_headers(&self, headers: &mut HeaderMap) {
        if let Some(origin) = &self.0 {
            headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, origin.clone());
            headers.insert(ACCESS_CONTROL_EXPOSE_HEADERS, EXPOSED);
        }
    }

    /// Lists the methods and headers that the page may send.
    pub(crate) fn add_preflight_headers(&self, headers: &mut HeaderMap) {
        if self.0.is_some() {
            headers.insert(ACCESS_CONTROL_ALLOW_METHODS, METHODS);
            headers.insert(ACCESS_CONTROL_ALLOW_HEADERS, ALLOWED);
            headers.insert(ACCESS_CONTROL_MAX_AGE, MAX_AGE_SECONDS);
        }
    }
}

/// Marks a response as dependent on the calling page, so that no cache serves it to another.
pub(crate) fn vary(headers: &mut HeaderMap) {
    headers.append(VARY, HeaderValue::from_static("Origin"));
}
