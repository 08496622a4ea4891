//! Record layer: metrics, span and access log line at the end of each request.
//!
//! A streamed response ends with its body. A request whose client disconnects ends when its future
//! is dropped.

use std::cell::{Cell, OnceCell};
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll};
use std::time::Instant;

use actix_web::body::{BodySize, BoxBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::Method;
use actix_web::middleware::Next;
use actix_web::web::Bytes;
use actix_web::{Error, HttpMessage as _, HttpRequest};

use crate::connections::{Connection, End, Shared};
use crate::panics::{self, Panic};
use crate::request_id::RequestId;
use crate::telemetry::{CLIENT_LEFT, NO_ROUTE, Parent, RequestLine, Traces};

/// Status of a request whose body has invalid framing. The HTTP layer answers it.
const MALFORMED: u16 = 400;

/// Characters of an unknown path that a log line shows.
const PATH_CHARACTERS_MAX: usize = 200;

/// Status of a response whose body failed.
const FAILED: u16 = 500;

/// Handler notes on the record of its request.
#[derive(Default)]
pub(super) struct Notes {
    pub(super) tool: Cell<Option<&'static str>>,
    /// The API key ID.
    pub(super) key: OnceCell<String>,
    /// The final status of a streamed response, if it differs from the head's.
    pub(super) stream_status: Cell<Option<u16>>,
}

/// The notes of a request, if it is recorded.
pub(super) fn notes(request: &HttpRequest) -> Option<Rc<Notes>> {
    request.extensions().get::<Rc<Notes>>().map(Rc::clone)
}

pub(super) async fn record(
    records: bool,
    traces: Option<Traces>,
    request: ServiceRequest,
    next: Next<BoxBody>,
) -> Result<ServiceResponse, Error> {
    if !records {
        return next.call(request).await;
    }
    let mut record = Record::begin(traces, &request);
    let response = match next.call(request).await {
        Ok(response) => response,
        Err(error) => {
            let response = error.error_response();
            record.end(response.status().as_u16(), Some(response.body().size()));
            return Err(error);
        }
    };
    record.route = response.request().match_pattern();
    if record.route.is_none() {
        // Control characters are percent-encoded in a URI.
        let path = response.request().path().chars();
        record.path = Some(path.take(PATH_CHARACTERS_MAX).collect());
    }
    let status = response.status().as_u16();
    match response.response().body().size() {
        BodySize::Stream if record.method != Method::HEAD => {
            record.status = status;
            Ok(response.map_body(|_, body| BoxBody::new(Streamed { body, record })))
        }
        size => {
            record.end(status, Some(size));
            Ok(response)
        }
    }
}

/// The record of one request.
struct Record {
    traces: Option<Traces>,
    connection: Option<Shared>,
    notes: Rc<Notes>,
    started: Instant,
    id: RequestId,
    method: Method,
    parent: Option<Parent>,
    /// The route pattern.
    route: Option<String>,
    /// The start of a path that no route matches.
    path: Option<String>,
    /// The status sent in the head of a streamed response.
    status: u16,
    /// Bytes written of a streamed response.
    bytes: u64,
    ended: bool,
}

impl Record {
    fn begin(traces: Option<Traces>, request: &ServiceRequest) -> Self {
        let started = Instant::now();
        let parent = traces.as_ref();
        let parent = parent.map(|traces| traces.parent(request.headers()));
        let notes = Rc::<Notes>::default();
        request.extensions_mut().insert(Rc::clone(&notes));
        Self {
            parent,
            traces,
            connection: Connection::of(request.request()),
            notes,
            started,
            id: super::request_id(request.request()),
            method: request.method().clone(),
            route: None,
            path: None,
            status: 0,
            bytes: 0,
            ended: false,
        }
    }

    /// Ends the record, with the final status of a streamed response if its body has set one.
    /// Without a size there was no response.
    fn end(&mut self, status: u16, size: Option<BodySize>) {
        if std::mem::replace(&mut self.ended, true) {
            return;
        }
        let status = self.notes.stream_status.get().unwrap_or(status);
        let bytes = size.map(|size| match size {
            _ if self.method == Method::HEAD => 0,
            BodySize::None => 0,
            BodySize::Sized(bytes) => bytes,
            BodySize::Stream => self.bytes,
        });
        let mut line = RequestLine {
            method: label(&self.method),
            route: self.route.as_deref().unwrap_or(NO_ROUTE),
            path: self.path.as_deref(),
            tool: self.notes.tool.get(),
            key: self.notes.key.get().map(String::as_str),
            status,
            duration: self.started.elapsed(),
            bytes,
            request_id: self.id.as_str(),
            trace_id: None,
        };
        line.count();
        let traces = self.traces.as_ref().zip(self.parent.as_ref());
        let trace_id = traces.map(|(traces, parent)| traces.record(parent, &line));
        line.trace_id = trace_id.as_deref();
        line.log();
    }
}

impl Drop for Record {
    fn drop(&mut self) {
        let end = |connection: &Shared| connection.borrow().end();
        let end = self.connection.as_ref().and_then(end);
        let is_malformed = end == Some(End::Malformed);
        self.end(if is_malformed { MALFORMED } else { CLIENT_LEFT }, None);
    }
}

/// The method as a label. Clients cannot create new labels.
fn label(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::POST => "POST",
        Method::HEAD => "HEAD",
        Method::OPTIONS => "OPTIONS",
        Method::PUT => "PUT",
        Method::PATCH => "PATCH",
        Method::DELETE => "DELETE",
        _ => "other",
    }
}

/// The body of a streamed response.
struct Streamed {
    body: BoxBody,
    record: Record,
}

impl MessageBody for Streamed {
    type Error = Box<dyn std::error::Error>;

    fn size(&self) -> BodySize {
        BodySize::Stream
    }

    fn poll_next(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Bytes, Self::Error>>> {
        let Self { body, record } = &mut *self;
        if record.ended {
            return Poll::Ready(None);
        }
        let polled = panics::catch(|| Pin::new(body).poll_next(cx));
        let polled = polled.unwrap_or_else(|Panic { place, reason }| {
            tracing::error!(request_id = %record.id, place, reason, "the body of a response panicked");
            Poll::Ready(Some(Err("the body of a response panicked".into())))
        });
        match &polled {
            Poll::Ready(Some(Ok(bytes))) => {
                record.bytes = record.bytes.saturating_add(bytes.len() as u64);
            }
            Poll::Ready(Some(Err(_))) => record.end(FAILED, Some(BodySize::Stream)),
            Poll::Ready(None) => record.end(record.status, Some(BodySize::Stream)),
            Poll::Pending => {}
        }
        polled
    }
}

impl Drop for Streamed {
    fn drop(&mut self) {
        // A body that has set its final status has written everything. The client only left before
        // the end of the stream was seen.
        self.record.end(CLIENT_LEFT, Some(BodySize::Stream));
    }
}
