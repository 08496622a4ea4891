//! CORS: allowed origins, and the headers that they may send and read.
//!
//! Standard: Fetch, section 3.2. Credentials are never allowed, so no page can act as a user.

use actix_web::HttpResponse;
use actix_web::dev::ServiceRequest;
use actix_web::http::Method;
use actix_web::http::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE, ACCESS_CONTROL_REQUEST_METHOD,
    HeaderMap, HeaderValue, ORIGIN, VARY,
};

use crate::settings::Origins;

const ANY: HeaderValue = HeaderValue::from_static("*");

/// Seconds for which browsers may cache a preflight; Chromium's limit.
const MAX_AGE_SECONDS: HeaderValue = HeaderValue::from_static("7200");

/// Permissions of web pages.
#[derive(Clone, Debug)]
pub struct Cors {
    /// Whether the handlers answer preflights and set the response headers.
    by_handlers: bool,
    origins: Origins,
    methods: HeaderValue,
    allowed: HeaderValue,
    exposed: HeaderValue,
}

impl Cors {
    /// Lets pages of these origins call with the headers of a JSON API, and read the responses.
    pub fn new(origins: Origins) -> Self {
        Self {
            by_handlers: false,
            origins,
            methods: HeaderValue::from_static("GET, HEAD, POST"),
            allowed: HeaderValue::from_static(
                "Content-Type, X-Api-Key, X-Request-Id, If-None-Match, Traceparent, Tracestate",
            ),
            exposed: HeaderValue::from_static("X-Request-Id, Retry-After, ETag"),
        }
    }

    /// Leaves CORS to the handlers, where not all paths have the same rules.
    pub fn by_handlers() -> Self {
        Self {
            by_handlers: true,
            ..Self::off()
        }
    }

    /// Lets no page read anything.
    pub(super) fn off() -> Self {
        Self::new(Origins::Listed(Vec::new()))
    }

    /// Sets the methods that pages may use.
    #[must_use]
    pub fn methods(mut self, methods: &'static str) -> Self {
        self.methods = HeaderValue::from_static(methods);
        self
    }

    /// Sets the headers that pages may send.
    #[must_use]
    pub fn allowed_headers(mut self, names: &'static str) -> Self {
        self.allowed = HeaderValue::from_static(names);
        self
    }

    /// Sets the headers that pages may read.
    #[must_use]
    pub fn exposed_headers(mut self, names: &'static str) -> Self {
        self.exposed = HeaderValue::from_static(names);
        self
    }

    /// Whether a request is a preflight, answered here.
    pub(super) fn takes(&self, request: &ServiceRequest) -> bool {
        !self.by_handlers
            && request.method() == Method::OPTIONS
            && request.headers().contains_key(ORIGIN)
            && request
                .headers()
                .contains_key(ACCESS_CONTROL_REQUEST_METHOD)
    }

    /// Answers a preflight. A page without permission learns nothing; its browser reports the
    /// refusal.
    pub(super) fn preflight(&self, origin: Option<&HeaderValue>) -> HttpResponse {
        let mut response = HttpResponse::NoContent().finish();
        if self.allows(origin) {
            let headers = response.headers_mut();
            headers.insert(ACCESS_CONTROL_ALLOW_METHODS, self.methods.clone());
            headers.insert(ACCESS_CONTROL_ALLOW_HEADERS, self.allowed.clone());
            headers.insert(ACCESS_CONTROL_MAX_AGE, MAX_AGE_SECONDS);
        }
        response
    }

    /// Adds the CORS headers to a response.
    pub(super) fn add_headers(
        &self,
        headers: &mut HeaderMap,
        origin: Option<&HeaderValue>,
        cacheable: bool,
    ) {
        if self.by_handlers {
            return;
        }
        if self.origins == Origins::Any {
            // Also without an origin, since a cache may hand the response to a page later.
            if origin.is_some() || cacheable {
                headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, ANY);
            }
        } else {
            headers.append(VARY, HeaderValue::from_static("Origin"));
            if let Some(origin) = origin.filter(|origin| self.allows(Some(*origin))) {
                headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, origin.clone());
            }
        }
        if origin.is_some() && headers.contains_key(ACCESS_CONTROL_ALLOW_ORIGIN) {
            headers.insert(ACCESS_CONTROL_EXPOSE_HEADERS, self.exposed.clone());
        }
    }

    fn allows(&self, origin: Option<&HeaderValue>) -> bool {
        let origin = origin.and_then(|origin| origin.to_str().ok());
        origin.is_some_and(|origin| self.origins.allows(origin))
    }
}
