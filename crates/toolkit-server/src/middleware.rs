//! Middleware: the layers between the network and the handlers, the life of a request on one page.
//!
//! A request comes from the [exchange](crate::connections) on its connection. It passes the layers from top
//! to bottom, its response from bottom to top:
//!
//! | Layer | With the request | With the response |
//! | --- | --- | --- |
//! | `base_path` | takes off the path of the public address | |
//! | `request_id` | takes over or makes its id | `X-Request-Id` |
//! | `record` | starts the clock | metrics, span, line of the access log |
//! | `DefaultHeaders` | | `X-Content-Type-Options: nosniff` |
//! | `no_store` | | `Cache-Control: no-store` after a POST |
//! | `cors` | answers a preflight | `Access-Control-…` |
//! | `head` | HEAD becomes GET | without a body |
//! | `detail` | | `{"detail"}` for refusals of the framework |
//! | `panics` | | 500 after a panic |
//!
//! What differs between endpoints is not here: rate limits, keys and bodies are read by the handlers.
//! A layer that changes headers does so by `amend`, also for a panic, which reaches it as an error.

mod base_path;
mod cors;
mod detail;
mod head;
mod no_store;
mod panics;
mod record;
mod request_id;
mod stream_control;

use std::sync::Arc;

use actix_web::dev::{ServiceFactory, ServiceRequest, ServiceResponse};
use actix_web::http::header::X_CONTENT_TYPE_OPTIONS;
use actix_web::middleware::{DefaultHeaders, from_fn};
use actix_web::{App, Error, HttpMessage as _, HttpRequest, HttpResponse};

use self::base_path::BasePath;
use self::cors::Also;
pub use self::stream_control::StreamControl;
use crate::request_id::RequestId;
use crate::settings::Origins;
use crate::telemetry::Traces;

/// The layers of a server, shared by all its workers.
#[derive(Clone, Debug)]
pub struct Middleware {
    base: BasePath,
    /// Pages that may call; without, the handlers decide.
    origins: Option<Arc<Origins>>,
    /// Whether the handler of a path decides all the same.
    is_excepted: fn(&str) -> bool,
    /// Whether pages of an origin may call a path as well.
    also: Also,
    /// Whether requests are recorded.
    records: bool,
    traces: Option<Traces>,
}

impl Default for Middleware {
    fn default() -> Self {
        Self::new()
    }
}

impl Middleware {
    /// Layers that record requests.
    pub fn new() -> Self {
        Self {
            base: "".into(),
            origins: None,
            is_excepted: |_| false,
            also: Also::default(),
            records: true,
            traces: None,
        }
    }

    /// Serves below this path too, for a proxy that passes it on.
    #[must_use]
    pub fn below(mut self, base: &str) -> Self {
        self.base = base.into();
        self
    }

    /// Lets web pages of these origins call and read. Without it CORS is left to the handlers.
    #[must_use]
    pub fn cors(mut self, origins: Origins) -> Self {
        self.origins = Some(Arc::new(origins));
        self
    }

    /// Lets web pages of further origins call and read a path: by path and origin.
    #[must_use]
    pub fn cors_also(mut self, also: impl Fn(&str, &str) -> bool + Send + Sync + 'static) -> Self {
        self.also = Also(Some(Arc::new(also)));
        self
    }

    /// Leaves CORS to the handlers of some paths, which have rules of their own.
    #[must_use]
    pub fn cors_except(mut self, is_excepted: fn(&str) -> bool) -> Self {
        self.is_excepted = is_excepted;
        self
    }

    /// Creates a span for each request, if traces are on.
    #[must_use]
    pub fn traced(mut self, traces: Option<Traces>) -> Self {
        self.traces = traces;
        self
    }

    /// Layers that record nothing, for the admin port.
    pub fn silent() -> Self {
        Self { records: false, ..Self::new() }
    }

    /// Wraps an app, from the innermost layer to the outermost.
    pub fn wrap<T>(
        self,
        app: App<T>,
    ) -> App<
        impl ServiceFactory<
            ServiceRequest,
            Config = (),
            Response = ServiceResponse,
            Error = Error,
            InitError = (),
        >,
    >
    where
        T: ServiceFactory<
                ServiceRequest,
                Config = (),
                Response = ServiceResponse,
                Error = Error,
                InitError = (),
            > + 'static,
    {
        let Self { base, origins, is_excepted, also, records, traces } = self;
        app.wrap(from_fn(panics::catch))
            .wrap(from_fn(detail::explain))
            .wrap(from_fn(head::omit_body))
            .wrap(from_fn(move |request: ServiceRequest, next| {
                let origins = origins.clone().filter(|_| !is_excepted(request.path()));
                cors::allow(origins, also.clone(), request, next)
            }))
            .wrap(from_fn(no_store::mark))
            .wrap(DefaultHeaders::new().add((X_CONTENT_TYPE_OPTIONS, "nosniff")))
            .wrap(from_fn(move |request, next| {
                record::record(records, traces.clone(), request, next)
            }))
            .wrap(from_fn(move |mut request: ServiceRequest, next| {
                base_path::strip(&base, &mut request);
                request_id::assign(request, next)
            }))
    }
}

/// The id of a request, as in its response and its log lines.
///
/// A request that did not pass a [`Middleware`] gets a new id each time.
pub fn request_id(request: &HttpRequest) -> RequestId {
    let id = request.extensions().get::<RequestId>().cloned();
    id.unwrap_or_else(RequestId::make)
}

/// Sets the tool of a request for its log line and the metrics.
pub fn set_tool(request: &HttpRequest, slug: &'static str) {
    if let Some(notes) = record::notes(request) {
        notes.tool.set(Some(slug));
    }
}

/// Sets the id of the API key of a request for its log line, its span and the metrics.
pub fn set_key(request: &HttpRequest, id: String) {
    if let Some(notes) = record::notes(request) {
        // A request is authenticated once.
        let _ = notes.key.set(id);
    }
}

/// Changes a response, or the one that an error becomes.
fn amend(
    mut outcome: Result<ServiceResponse, Error>,
    change: impl Fn(&mut HttpResponse) + 'static,
) -> Result<ServiceResponse, Error> {
    match &mut outcome {
        Ok(response) => change(response.response_mut()),
        Err(error) => error.add_response_mapper(move |mut response| {
            change(&mut response);
            response
        }),
    }
    outcome
}
