//! HEAD layer: answers as GET would, with the same headers and no body.
//!
//! Standard: RFC 9110, section 9.3.2. actix-http omits the body itself, unless the client has
//! already sent its next request. It would then write a body that the client reads as the next
//! response.

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};

use actix_web::Error;
use actix_web::body::{BodySize, BoxBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::Method;
use actix_web::middleware::Next;
use actix_web::web::Bytes;

pub(super) async fn omit_body(
    mut request: ServiceRequest,
    next: Next<BoxBody>,
) -> Result<ServiceResponse, Error> {
    if request.method() != Method::HEAD {
        return next.call(request).await;
    }
    request.head_mut().method = Method::GET;
    let response = next.call(request).await?;
    Ok(response.map_body(|_, body| BoxBody::new(Length(body.size()))))
}

/// A body with a length but no content.
struct Length(BodySize);

impl MessageBody for Length {
    type Error = Infallible;

    fn size(&self) -> BodySize {
        self.0
    }

    fn poll_next(
        self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Bytes, Infallible>>> {
        Poll::Ready(None)
    }
}
