//! Large response bodies: written in pieces, without a second copy.
//!
//! actix-http copies each piece of a body into its write buffer. A body in one piece is copied as a
//! whole: megabytes of memory per connection, which are kept until the client has received the last
//! of them.

use std::convert::Infallible;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll};

use actix_web::HttpRequest;
use actix_web::body::{BodySize, BoxBody, MessageBody};
use actix_web::web::Bytes;

use crate::connection::Connection;

/// Size of a piece. actix-http doubles its write buffer from 8 KiB as needed: with this size and
/// [`limits::WRITE_BURST`](crate::limits::WRITE_BURST), to 64 KiB at most, and writes 60 KiB at once.
const PIECE: usize = 30 << 10;

/// Size up to which a body is written in one piece: actix-http keeps a buffer of this size anyway.
const WHOLE_MAX: usize = 128 << 10;

/// Body of the response to a request; a large one is written in pieces.
pub fn body(request: &HttpRequest, bytes: impl Into<Bytes>) -> BoxBody {
    let rest = bytes.into();
    if rest.len() > WHOLE_MAX
        && let Some(connection) = Connection::of(request)
        // After the end of the input, actix-http writes its buffer and nothing more.
        && !connection.is_input_over()
    {
        return BoxBody::new(Pieces { rest, connection });
    }
    BoxBody::new(rest)
}

/// Rest of a body of known length.
struct Pieces {
    rest: Bytes,
    connection: Rc<Connection>,
}

impl MessageBody for Pieces {
    type Error = Infallible;

    fn size(&self) -> BodySize {
        BodySize::Sized(self.rest.len() as u64)
    }

    fn poll_next(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Bytes, Infallible>>> {
        if self.rest.is_empty() {
            return Poll::Ready(None);
        }
        let length = self.rest.len().min(PIECE);
        let piece = self.rest.split_to(length);
        // The write deadline applies to the whole response.
        self.connection.keep_blocked(!self.rest.is_empty());
        Poll::Ready(Some(Ok(piece)))
    }
}

#[cfg(test)]
mod tests {
    use std::future::poll_fn;

    use actix_web::HttpMessage as _;

    use super::*;
    use crate::connection::deadlines::Watch;

    async fn pieces(length: usize) -> Vec<usize> {
        let rest: Vec<u8> = (0..=250).cycle().take(length).collect();
        let mut body = Pieces {
            rest: Bytes::from(rest.clone()),
            connection: Rc::new(Watch::default()).open(),
        };
        assert_eq!(body.size(), BodySize::Sized(length as u64));
        let (mut whole, mut lengths) = (Vec::new(), Vec::new());
        while let Some(Ok(piece)) = poll_fn(|cx| Pin::new(&mut body).poll_next(cx)).await {
            whole.extend_from_slice(&piece);
            lengths.push(piece.len());
        }
        assert!(whole == rest, "a body of {length} bytes was changed");
        lengths
    }

    #[actix_web::test]
    async fn only_a_large_body_of_a_client_that_still_sends_is_written_in_pieces() {
        let first = async |bytes: usize, connection: Option<Rc<Connection>>| {
            let request = actix_web::test::TestRequest::default().to_http_request();
            if let Some(connection) = connection {
                request.extensions_mut().insert(connection);
            }
            let mut body = body(&request, vec![b'x'; bytes]);
            assert_eq!(body.size(), BodySize::Sized(bytes as u64));
            let piece = poll_fn(|cx| Pin::new(&mut body).poll_next(cx)).await;
            piece.unwrap().unwrap().len()
        };
        let open = || Some(Rc::new(Watch::default()).open());
        assert_eq!(first(128 << 10, open()).await, 128 << 10);
        assert_eq!(first((128 << 10) + 1, open()).await, 30 << 10);
        assert_eq!(first(1 << 20, None).await, 1 << 20);
        assert_eq!(first(1 << 20, Some(Connection::detached())).await, 1 << 20);
    }

    #[actix_web::test]
    async fn a_body_is_written_in_pieces() {
        assert_eq!(pieces(1).await, [1]);
        assert_eq!(pieces(PIECE).await, [PIECE]);
        assert_eq!(pieces(2 * PIECE + 1).await, [PIECE, PIECE, 1]);
        assert_eq!(pieces(4 * PIECE).await, [PIECE; 4]);
    }
}
