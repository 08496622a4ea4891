//! Error body layer: framework errors, which have no body or plain text, get
//! [`{"detail"}`](crate::error_response) too.

use actix_web::Error;
use actix_web::body::BoxBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::CONTENT_TYPE;
use actix_web::middleware::Next;

use crate::error_response::{self, Detail, ErrorPage, sentence};

pub(super) async fn explain(
    request: ServiceRequest,
    next: Next<BoxBody>,
) -> Result<ServiceResponse, Error> {
    let mut response = next.call(request).await?;
    if !is_bare_refusal(&response) {
        return Ok(response);
    }
    // Keep headers such as `Allow`.
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, error_response::JSON);
    let detail = sentence(response.status());
    Ok(response.map_body(|_, _| BoxBody::new(Detail { detail }.to_json())))
}

fn is_bare_refusal(response: &ServiceResponse) -> bool {
    let status = response.status();
    (status.is_client_error() || status.is_server_error())
        && response.headers().get(CONTENT_TYPE) != Some(&error_response::JSON)
        && response.response().extensions().get::<ErrorPage>().is_none()
}
