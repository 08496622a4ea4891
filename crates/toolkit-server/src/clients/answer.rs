//! Responses: written in pieces, and counted until they have been written.
//!
//! actix-http copies each piece of a body into its write buffer. A body in one piece would be copied
//! as a whole, and the copy kept until the client has taken the last of it.

use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll};

use actix_http::Response;
use actix_web::HttpRequest;
use actix_web::body::{BodySize, MessageBody};
use actix_web::web::Bytes;
use pin_project_lite::pin_project;

use super::{Account, Connection, Held};

/// Size of a piece. actix-http doubles its write buffer from 8 KiB as needed: with this size and
/// [`limits::WRITE_BURST`](crate::limits::WRITE_BURST), to 64 KiB at most.
const PIECE: usize = 30 << 10;

/// Counts the result of a request as memory of its client until it has been written.
pub fn hold(request: &HttpRequest, result: impl Into<Bytes>) -> Bytes {
    let result = result.into();
    if let Some(connection) = Connection::of(request) {
        connection.keep(Account::of(request).hold(result.len()));
    }
    result
}

/// Writes the body of a response at the pace of its client.
pub(crate) fn paced<B: MessageBody>(
    response: Response<B>,
    connection: Option<Rc<Connection>>,
) -> Response<Paced<B>> {
    response.map_body(|_, body| {
        // Whatever the body is: what the request held ends with it.
        let held = connection.as_deref().and_then(Connection::take_held);
        let is_in_memory = matches!(body.size(), BodySize::Sized(1..));
        let connection = connection.filter(|_| is_in_memory);
        if let Some(connection) = &connection {
            connection.keep_blocked(true);
        }
        let writing = Writing {
            rest: Bytes::new(),
            connection,
            _held: held,
        };
        Paced { body, writing }
    })
}

pin_project! {
    /// The body of a response.
    pub struct Paced<B> {
        #[pin]
        body: B,
        writing: Writing,
    }
}

struct Writing {
    rest: Bytes,
    /// Unless the response is streamed, or has no body.
    connection: Option<Rc<Connection>>,
    _held: Option<Held>,
}

impl Writing {
    /// The next piece of what has been taken from the body.
    fn piece(&mut self) -> Bytes {
        // After the end of the input, actix-http writes its buffer and nothing more.
        let is_last = |connection: &Rc<Connection>| connection.is_input_over();
        let length = match &self.connection {
            Some(connection) if !is_last(connection) => self.rest.len().min(PIECE),
            _ => self.rest.len(),
        };
        self.rest.split_to(length)
    }
}

impl<B: MessageBody> MessageBody for Paced<B> {
    type Error = B::Error;

    fn size(&self) -> BodySize {
        self.body.size()
    }

    fn poll_next(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Bytes, B::Error>>> {
        let this = self.project();
        if this.writing.rest.is_empty() {
            match this.body.poll_next(cx) {
                Poll::Ready(Some(Ok(bytes))) => this.writing.rest = bytes,
                other => return other,
            }
        }
        Poll::Ready(Some(Ok(this.writing.piece())))
    }
}

impl Drop for Writing {
    fn drop(&mut self) {
        if let Some(connection) = &self.connection {
            connection.keep_blocked(false);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::future::poll_fn;

    use actix_web::http::StatusCode;

    use super::*;

    async fn pieces(bytes: usize, connection: &Rc<Connection>) -> Vec<usize> {
        let whole: Vec<u8> = (0..=250).cycle().take(bytes).collect();
        let response = Response::with_body(StatusCode::OK, whole.clone());
        let mut body = paced(response, Some(Rc::clone(connection))).into_body();
        assert_eq!(body.size(), BodySize::Sized(bytes as u64));
        let (mut written, mut lengths) = (Vec::new(), Vec::new());
        while let Some(Ok(piece)) = poll_fn(|cx| std::pin::pin!(&mut body).poll_next(cx)).await {
            written.extend_from_slice(&piece);
            lengths.push(piece.len());
        }
        assert!(written == whole, "a body of {bytes} bytes was changed");
        lengths
    }

    #[actix_web::test]
    async fn a_body_is_written_in_pieces_unless_the_client_has_ended_its_side() {
        let watch = Rc::new(crate::clients::deadlines::Watch::default());
        let connection = watch.accept([127, 0, 0, 1].into()).unwrap();
        assert_eq!(pieces(1, &connection).await, [1]);
        assert_eq!(pieces(2 * PIECE + 1, &connection).await, [PIECE, PIECE, 1]);
        connection.received(0);
        assert_eq!(pieces(2 * PIECE + 1, &connection).await, [2 * PIECE + 1]);
    }

    #[actix_web::test]
    async fn a_result_is_held_until_its_response_is_dropped() {
        let watch = Rc::new(crate::clients::deadlines::Watch::default());
        let connection = watch.accept([127, 0, 0, 1].into()).unwrap();
        let memory = || connection.account.memory();
        connection.keep(connection.account.hold(5));
        connection.keep(connection.account.hold(7));
        assert_eq!(memory(), 7, "the body is no longer held");
        let response = Response::with_body(StatusCode::OK, "a result");
        let response = paced(response, Some(Rc::clone(&connection)));
        assert_eq!(memory(), 7);
        drop(response);
        assert_eq!(memory(), 0);
        connection.keep(connection.account.hold(5));
        drop(paced(
            Response::with_body(StatusCode::OK, ""),
            Some(Rc::clone(&connection)),
        ));
        assert_eq!(memory(), 0, "a response without a body");
    }
}
