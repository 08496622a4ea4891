//! CORS: which origins may call, and what they may send and read.
//!
//! Standard: Fetch, section 3.2. Credentials are never allowed, so no page can act as somebody.

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

/// For as long as browsers let a preflight hold; Chromium's limit.
const MAX_AGE_SECONDS: HeaderValue = HeaderValue::from_static("7200");

/// What web pages may do.
#[derive(Clone, Debug)]
pub struct Cors {
    /// Whether the handlers answer preflights and put the headers on answers.
    by_handlers: bool,
    origins: Origins,
    methods: HeaderValue,
    allowed: HeaderValue,
    exposed: HeaderValue,
}

impl Cors {
    /// Lets pages of these origins call with the headers of a JSON API, and read what it says.
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

    /// Leaves web pages to the handlers, where not all paths have the same rules.
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

    /// Whether a request only asks whether another one may be sent, and is answered here.
    pub(super) fn takes(&self, request: &ServiceRequest) -> bool {
        !self.by_handlers
            && request.method() == Method::OPTIONS
            && request.headers().contains_key(ORIGIN)
            && request
                .headers()
                .contains_key(ACCESS_CONTROL_REQUEST_METHOD)
    }

    /// Answers a preflight. A page that may not call learns nothing, and its browser tells it so.
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

    /// Puts its headers on an answer.
    pub(super) fn dress(
        &self,
        headers: &mut HeaderMap,
        origin: Option<&HeaderValue>,
        cacheable: bool,
    ) {
        if self.by_handlers {
            return;
        }
        if self.origins == Origins::Any {
            // Also without an origin, where a cache may hand the answer to a page later.
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
