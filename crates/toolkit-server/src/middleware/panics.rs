//! Panic layer: a panic becomes a 500 and the worker continues.

use actix_web::Error;
use actix_web::body::BoxBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::middleware::Next;

use crate::error_response::HttpError;
use crate::panics::{self, Panic};

/// Answers with an error, because the request was dropped and there is nothing to build a response
/// from.
pub(super) async fn catch(
    request: ServiceRequest,
    next: Next<BoxBody>,
) -> Result<ServiceResponse, Error> {
    let request_id = super::request_id(request.request());
    let handled = panics::caught(async { next.call(request).await }).await;
    handled.unwrap_or_else(|Panic { place, reason }| {
        tracing::error!(%request_id, place, reason, "a handler panicked");
        Err(HttpError::internal().into())
    })
}
