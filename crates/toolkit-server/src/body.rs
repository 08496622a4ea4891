//! Request body: type and size checks, and reading.
//!
//! Standard: RFC 9110, sections 8.3 (`Content-Type`), 8.4 (`Content-Encoding`) and 8.6
//! (`Content-Length`), RFC 6839, section 3.1 (`+json`). Replaces `web::Json`, so that all statuses
//! and messages are chosen here. The connection enforces the deadline, so it only applies under
//! [`crate::server`].

mod media_type;

use std::future::poll_fn;
use std::pin::pin;

use actix_web::dev::Payload;
use actix_web::error::PayloadError;
use actix_web::http::StatusCode;
use actix_web::http::header::{CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE, TRANSFER_ENCODING};
use actix_web::web::{Bytes, BytesMut};
use actix_web::{HttpRequest, http::header::HeaderMap};
use futures_core::Stream;
use tokio::time::timeout;

use crate::accounts::{Account, Charge, SMALL};
use crate::connections::{Connection, End, Shared};
use crate::error_response::HttpError;
use crate::limits;

/// Reads a body that must be JSON. A request without a body yields no bytes and needs no type.
///
/// # Errors
///
/// 415 for another type or an encoded body, 413 over `limit`, 408 when it does not arrive in time,
/// 422 when it ends early, 503 when too many bodies are being read.
pub async fn read_json(
    request: &HttpRequest,
    payload: Payload,
    limit: usize,
) -> Result<Bytes, HttpError> {
    let headers = request.headers();
    match check_type(headers) {
        Ok(()) => read(request, payload, limit).await,
        // A chunked body only turns out to be empty at its end.
        Err(refusal) if is_chunked(headers) && !headers.contains_key(CONTENT_TYPE) => {
            let body = read(request, payload, limit).await?;
            body.is_empty().then_some(body).ok_or(refusal)
        }
        Err(refusal) => Err(refusal),
    }
}

/// Reads a body of any type.
///
/// # Errors
///
/// As for [`read_json`], except for the type.
pub async fn read(
    request: &HttpRequest,
    payload: Payload,
    limit: usize,
) -> Result<Bytes, HttpError> {
    check_encoding(request.headers())?;
    let declared = declared(request.headers());
    if declared.is_some_and(|length| length > limit as u64) {
        return Err(too_large(limit));
    }
    if declared.is_none_or(|length| length == 0) && !is_chunked(request.headers()) {
        return Ok(Bytes::new());
    }
    let client = Account::of(request);
    let mut charge = client.charge(limits::REQUEST_BYTES);
    let connection = Connection::of(request);
    let length = declared.and_then(|length| usize::try_from(length).ok());
    let body = collect(payload, length, limit, &client, &mut charge).await;
    let body = body.map_err(|fault| explain(connection.as_ref(), &fault, limit))?;
    if let Some(connection) = connection {
        connection.borrow_mut().held = Some(charge);
    }
    Ok(body)
}

/// Whether a request declares a body.
pub(crate) fn has_body(headers: &HeaderMap) -> bool {
    is_chunked(headers) || declared(headers).is_some_and(|length| length > 0)
}

/// Whether the body's length is unknown until its end.
pub(crate) fn is_chunked(headers: &HeaderMap) -> bool {
    headers.contains_key(TRANSFER_ENCODING)
}

/// The declared length of the body.
pub(crate) fn declared(headers: &HeaderMap) -> Option<u64> {
    headers.get(CONTENT_LENGTH)?.to_str().ok()?.trim().parse().ok()
}

/// Checks the body's type, if there is a body.
fn check_type(headers: &HeaderMap) -> Result<(), HttpError> {
    let mut types = headers.get_all(CONTENT_TYPE);
    match (types.next(), types.next()) {
        (Some(value), None) if media_type::is_json(value.as_bytes()) => Ok(()),
        _ if !has_body(headers) => Ok(()),
        (Some(_), None) => Err(not_json()),
        (Some(_), Some(_)) => Err(wrong_type("The body has several `Content-Type` headers")),
        (None, _) => Err(wrong_type("The body has no `Content-Type` header")),
    }
}

fn check_encoding(headers: &HeaderMap) -> Result<(), HttpError> {
    let lines = headers.get_all(CONTENT_ENCODING);
    let mut codings = lines.flat_map(|line| line.as_bytes().split(|&byte| byte == b','));
    if codings.all(|coding| coding.trim_ascii().eq_ignore_ascii_case(b"identity")) {
        return Ok(());
    }
    let detail = "Encoded bodies are not accepted. Send it without `Content-Encoding`.";
    Err(HttpError::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, detail))
}

/// Refuses a body of another type: 415.
pub fn not_json() -> HttpError {
    wrong_type("The body is not JSON by its `Content-Type`")
}

fn wrong_type(what: &str) -> HttpError {
    let detail = format!("{what}; send `Content-Type: application/json`.");
    HttpError::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, detail)
}

/// Refuses a body over the limit: 413.
pub fn too_large(limit: usize) -> HttpError {
    let detail = format!("The body is over the limit of {limit} bytes.");
    HttpError::new(StatusCode::PAYLOAD_TOO_LARGE, detail)
}

/// Refuses a body that arrives too slowly: 408.
pub fn too_slow() -> HttpError {
    let seconds = limits::BODY_DEADLINE.as_secs();
    let detail = format!("The body did not arrive within {seconds} seconds.");
    HttpError::new(StatusCode::REQUEST_TIMEOUT, detail)
}

/// Refuses a request because its client, or all clients together, hold too much: 503.
fn too_much() -> HttpError {
    metrics::counter!("toolkit_http_requests_shed_total").increment(1);
    let detail = "Too much is in progress. Read the responses to earlier requests, then try again in \
                  a moment.";
    HttpError::new(StatusCode::SERVICE_UNAVAILABLE, detail).retry_after(limits::BUSY_RETRY)
}

/// Why a body could not be read.
enum Fault {
    TooLarge,
    /// Memory did not become free in time.
    NoRoom,
    Payload(PayloadError),
}

/// Reads a body and counts it as it arrives, waiting while there is no memory for more.
async fn collect(
    payload: Payload,
    length: Option<usize>,
    limit: usize,
    client: &Account,
    charge: &mut Charge,
) -> Result<Bytes, Fault> {
    let mut payload = pin!(payload);
    // Reserve the whole length. The system only allocates the pages that get filled.
    let mut body = BytesMut::with_capacity(length.unwrap_or(0));
    while let Some(chunk) = poll_fn(|cx| payload.as_mut().poll_next(cx)).await {
        let chunk = chunk.map_err(Fault::Payload)?;
        let bytes = body.len() + chunk.len();
        if bytes > limit {
            return Err(Fault::TooLarge);
        }
        let room = client.room(chunk.len(), bytes <= SMALL);
        let room = timeout(limits::BODY_DEADLINE, room).await;
        room.map_err(|_| Fault::NoRoom)?;
        charge.set(limits::REQUEST_BYTES + bytes);
        body.extend_from_slice(&chunk);
    }
    // After an `Upgrade`, everything that follows is part of the stream.
    body.truncate(length.unwrap_or(limit));
    Ok(body.freeze())
}

fn explain(connection: Option<&Shared>, fault: &Fault, limit: usize) -> HttpError {
    let is = |state: fn(&Connection) -> bool| connection.is_some_and(|it| state(&it.borrow()));
    match fault {
        Fault::NoRoom => too_much(),
        Fault::Payload(_) if is(|connection| connection.end() == Some(End::Full)) => too_much(),
        Fault::Payload(_) if is(|connection| connection.request.is_expired()) => too_slow(),
        Fault::TooLarge | Fault::Payload(PayloadError::Overflow) => too_large(limit),
        Fault::Payload(_) if is(|connection| connection.end() == Some(End::Flooded)) => {
            too_large(limit)
        }
        Fault::Payload(_) => {
            let detail = "The body ended before the length that the request declared.";
            HttpError::new(StatusCode::UNPROCESSABLE_ENTITY, detail)
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use actix_web::HttpMessage as _;
    use actix_web::error::ResponseError as _;
    use actix_web::test::TestRequest;

    use super::*;
    use crate::accounts::Accounts;

    #[tokio::test(start_paused = true)]
    async fn a_request_that_waits_for_its_body_is_counted_as_what_it_takes() {
        let client = Accounts::for_test(160, 1).client("192.0.2.1");
        let request = TestRequest::post().insert_header((CONTENT_LENGTH, 10)).to_http_request();
        request.extensions_mut().insert(Arc::clone(&client));
        let (_sender, payload) = actix_http::h1::Payload::create(false);
        let reading = super::read(&request, payload.into(), 1 << 20);
        let reading = timeout(limits::BODY_DEADLINE, async {
            tokio::join!(reading, async {
                assert_eq!(client.memory(), limits::REQUEST_BYTES);
            })
        });
        assert!(reading.await.is_err(), "the body is awaited");
        assert_eq!(client.memory(), 0);
    }

    #[tokio::test(start_paused = true)]
    async fn a_large_body_waits_for_memory_and_is_503_without_and_a_small_one_does_not_wait() {
        let accounts = Accounts::for_test(160, 1);
        let everything = accounts.client("192.0.2.1").charge(160 << 20);
        let read = async |bytes: usize| {
            let request = TestRequest::post().set_payload(vec![b'x'; bytes]);
            let (request, payload) = request.insert_header((CONTENT_LENGTH, bytes)).to_http_parts();
            let client = accounts.client("192.0.2.2");
            request.extensions_mut().insert(client);
            super::read(&request, payload, 1 << 20).await
        };
        assert_eq!(read(SMALL).await.unwrap().len(), SMALL);
        let refusal = read(SMALL + 1).await.unwrap_err().error_response();
        assert_eq!(refusal.status(), StatusCode::SERVICE_UNAVAILABLE);
        assert!(refusal.headers().contains_key("retry-after"));
        drop(everything);
        assert_eq!(read(SMALL + 1).await.unwrap().len(), SMALL + 1);
    }
}
