//! CORS layer: which web pages of other origins may call and read, and the answers to preflights.
//!
//! Standard: Fetch, section 3.2. Credentials are never allowed, so a page cannot act as a user. A
//! page without permission learns nothing, and its browser reports the refusal.

use std::sync::Arc;

use actix_web::body::BoxBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::Method;
use actix_web::http::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE, ACCESS_CONTROL_REQUEST_METHOD,
    HeaderMap, HeaderValue, ORIGIN, VARY,
};
use actix_web::middleware::Next;
use actix_web::{Error, HttpResponse};

use super::amend;
use crate::settings::Origins;

const METHODS: HeaderValue = HeaderValue::from_static("GET, HEAD, POST");
const ALLOWED: HeaderValue = HeaderValue::from_static(
    "Content-Type, X-Api-Key, Idempotency-Key, X-Request-Id, If-None-Match, Traceparent, Tracestate",
);
const EXPOSED: HeaderValue = HeaderValue::from_static("X-Request-Id, Retry-After, ETag");
/// How long browsers may cache a preflight, in seconds: Chromium's maximum.
const MAX_AGE_SECONDS: HeaderValue = HeaderValue::from_static("7200");

/// A rule for further origins, which may change while the server runs.
#[derive(Clone, Default, derive_more::Debug)]
#[debug("Also")]
pub(super) struct Also(pub(super) Option<Arc<Rule>>);

type Rule = dyn Fn(&str, &str) -> bool + Send + Sync;

impl Also {
    fn allows(&self, path: &str, origin: &HeaderValue) -> bool {
        let rule = self.0.as_ref().zip(origin.to_str().ok());
        rule.is_some_and(|(rule, origin)| rule(path, origin))
    }
}

/// Without origins, the handlers decide.
pub(super) async fn allow(
    origins: Option<Arc<Origins>>,
    also: Also,
    request: ServiceRequest,
    next: Next<BoxBody>,
) -> Result<ServiceResponse, Error> {
    let Some(origins) = origins else {
        return next.call(request).await;
    };
    let origin = request.headers().get(ORIGIN).cloned();
    let permission = match &*origins {
        // A cached response may later be served to a page.
        Origins::Any
            if origin.is_some() || matches!(*request.method(), Method::GET | Method::HEAD) =>
        {
            Some(HeaderValue::from_static("*"))
        }
        Origins::Any => None,
        Origins::Listed(_) | Origins::Loopback => {
            let path = request.path();
            let is_listed = |origin: &HeaderValue| {
                origin.to_str().is_ok_and(|it| origins.allows(it)) || also.allows(path, origin)
            };
            origin.clone().filter(is_listed)
        }
    };
    let outcome = if is_preflight(&request) {
        let mut response = HttpResponse::NoContent().finish();
        if permission.is_some() {
            describe(response.headers_mut());
        }
        Ok(request.into_response(response))
    } else {
        next.call(request).await
    };
    amend(outcome, move |response| {
        let headers = response.headers_mut();
        if *origins != Origins::Any {
            headers.append(VARY, HeaderValue::from_static("Origin"));
        }
        if let Some(permission) = &permission {
            headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, permission.clone());
            if origin.is_some() {
                headers.insert(ACCESS_CONTROL_EXPOSE_HEADERS, EXPOSED);
            }
        }
    })
}

fn is_preflight(request: &ServiceRequest) -> bool {
    let has = |name| request.headers().contains_key(name);
    request.method() == Method::OPTIONS && has(ORIGIN) && has(ACCESS_CONTROL_REQUEST_METHOD)
}

/// Lists the methods and headers that a page may send.
fn describe(headers: &mut HeaderMap) {
    headers.insert(ACCESS_CONTROL_ALLOW_METHODS, METHODS);
    headers.insert(ACCESS_CONTROL_ALLOW_HEADERS, ALLOWED);
    headers.insert(ACCESS_CONTROL_MAX_AGE, MAX_AGE_SECONDS);
}
