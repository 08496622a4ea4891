//! `Cache-Control` layer: responses to POST are not stored, unless the handler allows it.

use actix_web::Error;
use actix_web::body::BoxBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::Method;
use actix_web::http::header::{CACHE_CONTROL, HeaderValue};
use actix_web::middleware::Next;

use super::amend;

const NO_STORE: HeaderValue = HeaderValue::from_static("no-store");

pub(super) async fn mark(
    request: ServiceRequest,
    next: Next<BoxBody>,
) -> Result<ServiceResponse, Error> {
    if request.method() != Method::POST {
        return next.call(request).await;
    }
    amend(next.call(request).await, |response| {
        let headers = response.headers_mut();
        if !headers.contains_key(CACHE_CONTROL) {
            headers.insert(CACHE_CONTROL, NO_STORE);
        }
    })
}
