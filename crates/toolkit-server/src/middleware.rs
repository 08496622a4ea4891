//! Middleware: the one layer between the network and the handlers.
//!
//! It assigns request ids, catches panics, refuses requests under overload, answers HEAD and CORS
//! preflights, gives every error its [`detail`](crate::error_response), sets the common headers,
//! and counts and logs. One layer instead of one for each of these: every layer of actix-web costs
//! an allocation or two, which is all that a small request can save.
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
use self::future::MiddlewareFuture;
pub use self::streamed::StreamControl;
use self::worker::{InFlight, Worker};
use crate::connection::Connection;
use crate::limits;
use crate::request_id::RequestId;
use crate::telemetry::{AccessLog, Traces};

/// Configuration of the middleware of a server, shared by all its workers.
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
    /// The `workers` share this bound.
    pub fn new(cors: Cors, access: Option<AccessLog>, workers: usize) -> Self {
        let options = Arc::new(Options {
            cors,
            access,
            traces: None,
            measured: true,
            in_flight_max: limits::IN_FLIGHT_MAX.div_ceil(workers.max(1)),
            in_flight: InFlight::default(),
        });
        Self { options }
    }

    /// Creates a span for each request, if traces are on.
    #[must_use]
    pub fn traced(mut self, traces: Option<Traces>) -> Self {
        Arc::make_mut(&mut self.options).traces = traces;
        self
    }

    /// Sets the number of requests per worker above which more are refused.
    #[must_use]
    pub fn in_flight_max(mut self, requests: usize) -> Self {
        Arc::make_mut(&mut self.options).in_flight_max = requests;
        self
    }

    /// Middleware that neither logs nor measures, for the admin port.
    pub fn silent() -> Self {
        let mut silent = Self::new(Cors::off(), None, 1).in_flight_max(usize::MAX);
        Arc::make_mut(&mut silent.options).measured = false;
        silent
    }

    /// The number of requests being handled.
    pub fn in_flight(&self) -> usize {
        self.options.in_flight.sum()
    }
}

/// The id of a request, as in its response and its log lines.
///
/// A request that did not pass a [`Middleware`] gets a new id each time.
pub fn request_id(request: &HttpRequest) -> RequestId {
    Connection::of(request).map_or_else(RequestId::make, |connection| connection.exchange.id.get())
}

/// Sets the route of a request for its log line and the metrics, for handlers that dispatch on
/// paths themselves. Otherwise it is the pattern of the router's resource.
pub fn set_route(request: &HttpRequest, route: &'static str) {
    if let Some(connection) = Connection::of(request) {
        connection.exchange.route.set(Some(route));
    }
}

/// Sets the tool of a request for its log line and the metrics.
pub fn set_tool(request: &HttpRequest, slug: &'static str) {
    if let Some(connection) = Connection::of(request) {
        connection.exchange.tool.set(Some(slug));
    }
}

impl<S, B> Transform<S, ServiceRequest> for Middleware
where
    S: Service<ServiceRequest, Response = ServiceResponse<B>, Error = Error> + 'static,
    B: MessageBody + 'static,
{
    type Response = ServiceResponse<EitherBody<B>>;
    type Error = Error;
    type Transform = MiddlewareService<S>;
    type InitError = ();
    type Future = Ready<Result<Self::Transform, ()>>;

    fn new_transform(&self, service: S) -> Self::Future {
        let worker = Rc::new(Worker::new(Arc::clone(&self.options)));
        ready(Ok(MiddlewareService { service, worker }))
    }
}

/// The middleware of one worker thread.
pub struct MiddlewareService<S> {
    service: S,
    worker: Rc<Worker>,
}

impl<S, B> Service<ServiceRequest> for MiddlewareService<S>
where
    S: Service<ServiceRequest, Response = ServiceResponse<B>, Error = Error> + 'static,
    B: MessageBody + 'static,
{
    type Response = ServiceResponse<EitherBody<B>>;
    type Error = Error;
    type Future = MiddlewareFuture<S::Future, B>;

    forward_ready!(service);

    fn call(&self, request: ServiceRequest) -> Self::Future {
        future::call(&self.service, &self.worker, request)
    }
}
