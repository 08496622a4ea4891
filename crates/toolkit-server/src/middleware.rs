//! Middleware: the layers between network and handlers. The life of a request on one page.
//!
//! A request comes from the [exchange](crate::connections) on its connection and passes the layers
//! from top to bottom. Its response passes them from bottom to top:
//!
//! | Layer | With the request | With the response |
//! | --- | --- | --- |
//! | `base_path` | strips the path of `public.base_url` | |
//! | `request_id` | accepts or generates the ID | `X-Request-Id` |
//! | `record` | starts the clock | metrics, span, access log line |
//! | `nosniff` | | `X-Content-Type-Options: nosniff` |
//! | `no_store` | | `Cache-Control: no-store` after a POST |
//! | `cors` | answers a preflight | `Access-Control-…` |
//! | `head` | HEAD becomes GET | without a body |
//! | `detail` | | `{"detail"}` for framework errors |
//! | `panics` | | 500 after a panic |
//!
//! Rate limits, keys and bodies differ between endpoints, so the handlers deal with them. A layer
//! that changes headers uses `amend`, which also covers panics, since these arrive as errors.

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
use actix_web::http::header::{HeaderValue, X_CONTENT_TYPE_OPTIONS};
use actix_web::middleware::{Next, from_fn};
use actix_web::{App, Error, HttpMessage as _, HttpRequest, HttpResponse};

use self::base_path::BasePath;
use self::cors::Also;
pub use self::stream_control::StreamControl;
use crate::request_id::RequestId;
use crate::settings::Origins;
use crate::telemetry::Traces;

/// The layers of a server, shared by all workers.
#[derive(Clone, Debug)]
pub struct Middleware {
    base: BasePath,
    /// Origins that may call. Without them, the handlers decide.
    origins: Option<Arc<Origins>>,
    /// Paths whose handlers decide even so.
    is_excepted: fn(&str) -> bool,
    /// Further origins that may call a path.
    also: Also,
    /// Whether to record requests.
    records: bool,
    traces: Option<Traces>,
}

impl Default for Middleware {
    fn default() -> Self {
        Self::new()
    }
}

impl Middleware {
    /// Creates layers that record requests.
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

    /// Also serves below this path, for proxies that pass it on.
    #[must_use]
    pub fn below(mut self, base: &str) -> Self {
        self.base = base.into();
        self
    }

    /// Lets web pages of these origins call and read. Without this, the handlers decide.
    #[must_use]
    pub fn cors(mut self, origins: Origins) -> Self {
        self.origins = Some(Arc::new(origins));
        self
    }

    /// Lets web pages of further origins call and read a path. The closure gets path and origin.
    #[must_use]
    pub fn cors_also(mut self, also: impl Fn(&str, &str) -> bool + Send + Sync + 'static) -> Self {
        self.also = Also(Some(Arc::new(also)));
        self
    }

    /// Leaves CORS to the handlers of some paths, which have their own rules.
    #[must_use]
    pub fn cors_except(mut self, is_excepted: fn(&str) -> bool) -> Self {
        self.is_excepted = is_excepted;
        self
    }

    /// Creates a span per request, if traces are on.
    #[must_use]
    pub fn traced(mut self, traces: Option<Traces>) -> Self {
        self.traces = traces;
        self
    }

    /// Creates layers that record nothing, for the admin port.
    pub fn silent() -> Self {
        Self { records: false, ..Self::new() }
    }

    /// Wraps an app, innermost layer first.
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
            .wrap(from_fn(async |request, next: Next<_>| {
                amend(next.call(request).await, |response| {
                    response.headers_mut().insert(X_CONTENT_TYPE_OPTIONS, NOSNIFF);
                })
            }))
            .wrap(from_fn(move |request, next| {
                record::record(records, traces.clone(), request, next)
            }))
            .wrap(from_fn(move |mut request: ServiceRequest, next| {
                base_path::strip(&base, &mut request);
                request_id::assign(request, next)
            }))
    }
}

/// Returns the request's ID, as in its response and log lines.
///
/// A request that did not pass a [`Middleware`] gets a new ID each time.
pub fn request_id(request: &HttpRequest) -> RequestId {
    let id = request.extensions().get::<RequestId>().cloned();
    id.unwrap_or_else(RequestId::make)
}

/// Sets the tool that ran, for the log line and the metrics.
pub fn set_tool(request: &HttpRequest, slug: &'static str) {
    if let Some(notes) = record::notes(request) {
        notes.tool.set(Some(slug));
    }
}

/// Sets the API key ID, for the log line, the span and the metrics.
pub fn set_key(request: &HttpRequest, id: String) {
    if let Some(notes) = record::notes(request) {
        // A request is authenticated only once.
        let _ = notes.key.set(id);
    }
}

const NOSNIFF: HeaderValue = HeaderValue::from_static("nosniff");

/// Changes a response, or the response that an error becomes.
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
