//! Middleware: the one layer between the network and the handlers.
//!
//! It names each request, catches panics, refuses when there is too much to do, answers HEAD and
//! CORS preflights, gives every refusal its [`detail`](crate::error_response), sets the headers
//! that every answer has, and counts and logs. One layer instead of one for each of these: every
//! layer of actix-web costs an allocation or two, and on a small request that is what there is to
//! save.
//!
//! Standard: RFC 9110, section 9.3.2 (HEAD), the Fetch standard, section 3.2 (CORS).

mod cors;
mod future;
mod head_body;
mod request;
mod response;
mod stats;
mod streamed;
mod worker;

use std::future::{Ready, ready};
use std::rc::Rc;
use std::sync::Arc;

use actix_web::body::{EitherBody, MessageBody};
use actix_web::dev::{Service, ServiceRequest, ServiceResponse, Transform, forward_ready};
use actix_web::{Error, HttpRequest};

pub use self::cors::Cors;
use self::future::EdgeFuture;
pub use self::streamed::StreamControl;
use self::worker::{InFlight, Worker};
use crate::connection::Connection;
use crate::limits;
use crate::request_id::RequestId;
use crate::telemetry::{AccessLog, Traces};

/// What the middleware of a server does; one for all its workers.
#[derive(Clone, Debug)]
pub struct Middleware {
    options: Arc<Options>,
}

#[derive(Clone, Debug)]
struct Options {
    cors: Cors,
    access: Option<AccessLog>,
    traces: Option<Traces>,
    measured: bool,
    in_flight_max: usize,
    in_flight: InFlight,
}

impl Middleware {
    /// Middleware that measures requests and refuses more than [`limits::IN_FLIGHT_MAX`] at a time.
    ///
    /// `workers` are those that share this bound.
    pub fn new(cors: Cors, access: Option<AccessLog>, workers: usize) -> Self {
        let in_flight_max = limits::IN_FLIGHT_MAX.div_ceil(workers.max(1));
        let in_flight = InFlight::default();
        let options = Options {
            cors,
            access,
            traces: None,
            measured: true,
            in_flight_max,
            in_flight,
        };
        Self {
            options: Arc::new(options),
        }
    }

    /// Makes a span of each request, where there are traces.
    #[must_use]
    pub fn traced(mut self, traces: Option<Traces>) -> Self {
        Arc::make_mut(&mut self.options).traces = traces;
        self
    }

    /// Sets the number of requests of each worker past which more are refused.
    #[must_use]
    pub fn in_flight_max(mut self, requests: usize) -> Self {
        Arc::make_mut(&mut self.options).in_flight_max = requests;
        self
    }

    /// Middleware that neither logs nor measures, for what only operators see.
    pub fn silent() -> Self {
        let options = Options {
            cors: Cors::off(),
            access: None,
            traces: None,
            measured: false,
            in_flight_max: usize::MAX,
            in_flight: InFlight::default(),
        };
        Self {
            options: Arc::new(options),
        }
    }

    /// The number of requests that are being worked on.
    pub fn in_flight(&self) -> usize {
        self.options.in_flight.sum()
    }
}

/// The name of a request: the one that its answer and its log lines have.
///
/// A request that did not pass an [`Middleware`] gets a new name each time.
pub fn request_id(request: &HttpRequest) -> RequestId {
    Connection::of(request).map_or_else(RequestId::make, |connection| connection.exchange.id())
}

/// Names the route of a request, for its log line and for the metrics, where a handler tells its
/// paths apart by itself. The pattern of the router's resource is the name of all others.
pub fn set_route(request: &HttpRequest, route: &'static str) {
    if let Some(connection) = Connection::of(request) {
        connection.exchange.set_route(route);
    }
}

/// Says which tool a request runs, for its log line and for the metrics.
pub fn set_tool(request: &HttpRequest, slug: &'static str) {
    if let Some(connection) = Connection::of(request) {
        connection.exchange.set_tool(slug);
    }
}

impl<S, B> Transform<S, ServiceRequest> for Middleware
where
    S: Service<ServiceRequest, Response = ServiceResponse<B>, Error = Error> + 'static,
    B: MessageBody + 'static,
{
    type Response = ServiceResponse<EitherBody<B>>;
    type Error = Error;
    type Transform = EdgeService<S>;
    type InitError = ();
    type Future = Ready<Result<Self::Transform, ()>>;

    fn new_transform(&self, service: S) -> Self::Future {
        let worker = Rc::new(Worker::new(Arc::clone(&self.options)));
        ready(Ok(EdgeService { service, worker }))
    }
}

/// The middleware of one worker thread.
pub struct EdgeService<S> {
    service: S,
    worker: Rc<Worker>,
}

impl<S, B> Service<ServiceRequest> for EdgeService<S>
where
    S: Service<ServiceRequest, Response = ServiceResponse<B>, Error = Error> + 'static,
    B: MessageBody + 'static,
{
    type Response = ServiceResponse<EitherBody<B>>;
    type Error = Error;
    type Future = EdgeFuture<S::Future, B>;

    forward_ready!(service);

    fn call(&self, request: ServiceRequest) -> Self::Future {
        future::call(&self.service, &self.worker, request)
    }
}
