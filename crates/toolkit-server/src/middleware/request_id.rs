//! Request ID layer: accepts or generates the ID, passes it to handlers and puts it on the
//! response.

use actix_web::body::BoxBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::middleware::Next;
use actix_web::{Error, HttpMessage as _};

use super::amend;
use crate::accounts::{Account, DOCTOR};
use crate::request_id::{RequestId, X_REQUEST_ID};

pub(super) async fn assign(
    request: ServiceRequest,
    next: Next<BoxBody>,
) -> Result<ServiceResponse, Error> {
    let given = request.headers().get(X_REQUEST_ID);
    let id = given.and_then(RequestId::take).unwrap_or_else(RequestId::make);
    if id.as_str().starts_with(DOCTOR) {
        Account::note(request.request(), id.as_str());
    }
    request.extensions_mut().insert(id.clone());
    let outcome = next.call(request).await;
    amend(outcome, move |response| {
        response.headers_mut().insert(X_REQUEST_ID, id.to_header());
    })
}
