//! HEAD responses: the headers of the GET response, and no body.
//!
//! Standard: RFC 9110, section 9.3.2. actix-http omits the body itself, unless a client has already
//! sent its next request: then it would write one, which the client would read as the next
//! response.

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};

use actix_web::body::{BodySize, MessageBody};
use actix_web::web::Bytes;

/// A body that only has a length.
pub(super) struct Length(pub(super) BodySize);

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
