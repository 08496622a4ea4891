//! Request record: data of a request for log, metrics and traces.

use std::rc::Rc;
use std::time::Instant;

use actix_web::dev::{Payload, ServiceRequest};
use actix_web::http::Method;
use actix_web::http::header::{HeaderValue, ORIGIN};
use actix_web::{HttpMessage, http::ConnectionType};

use super::worker::Worker;
use crate::body;
use crate::connection::{BodyStream, Connection, End, Length};
use crate::request_id::{RequestId, X_REQUEST_ID};
use crate::telemetry::{AccessLine, CLIENT_LEFT, NO_ROUTE, Parent};

/// The record of a request.
#[derive(Clone)]
pub(super) struct Call {
    pub(super) worker: Rc<Worker>,
    pub(super) connection: Rc<Connection>,
    pub(super) id: RequestId,
    pub(super) given_id: Option<HeaderValue>,
    pub(super) origin: Option<HeaderValue>,
    pub(super) method: Method,
    pub(super) must_close: bool,
    /// The trace of the request, if traces are on.
    parent: Option<Parent>,
    started: Instant,
    counted: bool,
    finished: bool,
}

impl Call {
    /// Records a request, and registers it for the handlers.
    pub(super) fn begin(worker: &Rc<Worker>, request: &mut ServiceRequest) -> Self {
        let started = Instant::now();
        let connection = connection(request);
        let given = request.headers().get(X_REQUEST_ID);
        let taken = given.and_then(|given| Some((RequestId::take(given)?, given.clone())));
        let (id, given_id) = taken.unzip();
        let id = id.unwrap_or_else(RequestId::make);
        let origin = request.headers().get(ORIGIN).cloned();
        let method = request.method().clone();
        let must_close = request.head().connection_type() == ConnectionType::Upgrade;
        let traces = worker.options.traces.as_ref();
        let parent = traces.map(|traces| traces.parent(request.headers()));
        connection.exchange.id.set(id);
        begin_body(&connection, request);
        if method == Method::HEAD {
            // Makes the HTTP layer omit the body.
            request.head_mut().method = Method::GET;
        }
        Self {
            worker: Rc::clone(worker),
            connection,
            id,
            given_id,
            origin,
            method,
            must_close,
            parent,
            started,
            counted: false,
            finished: false,
        }
    }

    /// Takes the request over from the middleware's future, for a streamed response. It no longer
    /// counts as in progress: only its client prolongs it.
    pub(super) fn detach(&mut self) -> Self {
        self.finished = true;
        self.count();
        let mut detached = self.clone();
        detached.finished = false;
        detached
    }

    /// Counts the request as in progress, unless it is streaming.
    pub(super) fn count(&mut self) {
        let under_way = !self.finished && !self.connection.exchange.is_awaited();
        if under_way != self.counted {
            self.counted = under_way;
            if under_way {
                self.worker.enter();
            } else {
                self.worker.leave();
            }
        }
    }

    /// Ends the request: frees its connection, and counts and logs it.
    pub(super) fn end(&mut self, route: &str, status: u16, bytes: Option<u64>) {
        self.finished = true;
        self.count();
        let tool = self.connection.exchange.tool.get();
        self.connection.end_request();
        let options = &self.worker.options;
        if !options.measured {
            return;
        }
        let mut line = AccessLine {
            method: self.method.as_str(),
            method_label: label(&self.method),
            route,
            tool,
            status,
            duration: self.started.elapsed(),
            bytes,
            request_id: self.id.as_str(),
            trace_id: None,
        };
        self.worker.stats.borrow_mut().record(&line);
        let traces = options.traces.as_ref().zip(self.parent.as_ref());
        let trace_id = traces.map(|(traces, parent)| traces.record(parent, &line));
        line.trace_id = trace_id.as_deref();
        if let Some(access) = &options.access {
            access.write(&line, &mut self.worker.scratch.borrow_mut());
        }
    }
}

impl Drop for Call {
    fn drop(&mut self) {
        if !self.finished {
            let malformed = self.connection.end() == Some(End::Malformed);
            self.end(NO_ROUTE, if malformed { 400 } else { CLIENT_LEFT }, None);
        }
    }
}

fn connection(request: &ServiceRequest) -> Rc<Connection> {
    Connection::of(request.request()).unwrap_or_else(|| {
        let connection = Connection::detached();
        request.extensions_mut().insert(Rc::clone(&connection));
        connection
    })
}

fn begin_body(connection: &Rc<Connection>, request: &mut ServiceRequest) {
    let headers = request.headers();
    let length = if body::is_chunked(headers) {
        Length::Chunked
    } else {
        body::declared(headers)
            .filter(|&bytes| bytes > 0)
            .map_or(Length::None, Length::Declared)
    };
    connection.begin_request(length);
    if request.head().expect() {
        connection.exchange.expects_continue.set(true);
    }
    if length != Length::None {
        let payload = request.take_payload();
        let stream = BodyStream::new(connection, payload);
        request.set_payload(Payload::Stream {
            payload: Box::pin(stream),
        });
    }
}

/// The method as a label: a client cannot create new ones.
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
