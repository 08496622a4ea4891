//! Response framing: JSON, or a single event of an event stream.
//!
//! Standard: RFC 9110, section 12.5.1 (`Accept`); HTML, section 9.2 (event streams); MCP
//! 2026-07-28, "Streamable HTTP". The protocol requires clients to accept both, but real clients
//! declare less, so every client is served: one that accepts event streams but not JSON gets a
//! stream, all others get JSON.

use actix_web::body::to_bytes;
use actix_web::http::StatusCode;
use actix_web::http::header::{
    Accept, CACHE_CONTROL, CONTENT_TYPE, Header as _, HeaderName, HeaderValue, Quality,
};
use actix_web::{HttpRequest, HttpResponse, ResponseError as _};
use toolkit_server::connections;
use toolkit_server::error_response::{HttpError, JSON};

const EVENT_STREAM: &str = "text/event-stream";
/// Tells nginx not to buffer a stream.
const X_ACCEL_BUFFERING: HeaderName = HeaderName::from_static("x-accel-buffering");

/// The framing of a response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Framing {
    Json,
    EventStream,
}

impl Framing {
    /// The framing that a client accepts.
    pub(crate) fn of(request: &HttpRequest) -> Self {
        let accepted = Accept::parse(request).map_or_else(|_| Vec::new(), |accept| accept.0);
        let takes = |kinds: &[&str]| {
            let mut known = accepted.iter().filter(|range| range.quality > Quality::ZERO);
            known.any(|range| kinds.contains(&range.item.essence_str()))
        };
        if !takes(&["application/json", "application/*", "*/*"]) && takes(&[EVENT_STREAM]) {
            Self::EventStream
        } else {
            Self::Json
        }
    }

    /// Answers a request with a JSON-RPC message.
    pub(crate) fn answer(self, request: &HttpRequest, message: impl Into<Vec<u8>>) -> HttpResponse {
        let mut response = HttpResponse::build(StatusCode::OK);
        match self {
            Self::Json => response
                .insert_header((CONTENT_TYPE, JSON))
                .body(connections::hold(request, message)),
            Self::EventStream => response
                .insert_header((CONTENT_TYPE, HeaderValue::from_static(EVENT_STREAM)))
                .insert_header((CACHE_CONTROL, HeaderValue::from_static("no-store")))
                .insert_header((X_ACCEL_BUFFERING, HeaderValue::from_static("no")))
                .body(connections::hold(request, event(&message.into()))),
        }
    }

    /// Reframes rmcp's JSON response as the client accepts it. Errors and streams stay unchanged.
    pub(crate) async fn reframe(
        self,
        request: &HttpRequest,
        response: HttpResponse,
    ) -> HttpResponse {
        let is_json = response.headers().get(CONTENT_TYPE) == Some(&JSON);
        if self == Self::Json || response.status() != StatusCode::OK || !is_json {
            return response;
        }
        match to_bytes(response.into_body()).await {
            Ok(message) => self.answer(request, message),
            Err(_) => HttpError::internal().error_response(),
        }
    }
}

/// A message as an event. JSON may contain line breaks between tokens, so each line becomes a
/// field.
fn event(message: &[u8]) -> Vec<u8> {
    let mut event = Vec::with_capacity(message.len() + 64);
    event.extend_from_slice(b"event: message\n");
    for line in message.split(|byte| matches!(byte, b'\n' | b'\r')) {
        event.extend_from_slice(b"data: ");
        event.extend_from_slice(line);
        event.push(b'\n');
    }
    event.push(b'\n');
    event
}

#[cfg(test)]
mod tests {
    use actix_web::http::header::ACCEPT;
    use actix_web::test::TestRequest;

    use super::*;

    fn framing(lines: &[&str]) -> Framing {
        let mut request = TestRequest::default();
        for line in lines {
            request = request.append_header((ACCEPT, *line));
        }
        Framing::of(&request.to_http_request())
    }

    #[test]
    fn json_is_returned_unless_only_an_event_stream_is_accepted() {
        for lines in [
            &[] as &[_],
            &["application/json, text/event-stream"],
            &["text/event-stream, application/json"],
            &["text/event-stream", "application/json"],
            &["*/*"],
            &["text/event-stream, */*;q=0.1"],
            &["APPLICATION/JSON"],
            &["text/html"],
            &["text/event-stream;q=0"],
            &[""],
        ] {
            assert_eq!(framing(lines), Framing::Json, "{lines:?}");
        }
        for lines in [
            &["text/event-stream"] as &[_],
            &["Text/Event-Stream; charset=utf-8"],
            &["text/event-stream, text/html"],
            &["text/event-stream, application/json;q=0"],
            &["text/event-stream, */*; q=0.0"],
        ] {
            assert_eq!(framing(lines), Framing::EventStream, "{lines:?}");
        }
    }

    #[test]
    fn each_line_of_a_message_is_a_field_of_the_event() {
        assert_eq!(event(b"{}"), b"event: message\ndata: {}\n\n");
        assert_eq!(event(b"{\"a\":\r\n1}"), b"event: message\ndata: {\"a\":\ndata: \ndata: 1}\n\n");
    }
}
