//! Service: what both server processes start and stop in the same way, whatever they serve.
//!
//! Log, metrics, traces, the two listeners, the middleware, the admin port, and the order in which
//! they begin and end.

use std::fmt;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;

use actix_http::{Request, Response};
use actix_service::IntoServiceFactory;
use actix_web::Error;
use actix_web::body::MessageBody;
use actix_web::dev::{AppConfig, Service as ActixService, ServiceFactory};
use tokio::time::{Instant, timeout};

use crate::admin::{Admin, Metrics};
use crate::middleware::{Cors, Middleware};
use crate::server::{self, BindError, Ended, Listener, Stop};
use crate::settings::{Http, Settings};
use crate::telemetry::{Telemetry, Traces, TracesError};

/// A server process that listens and does not serve yet.
pub struct Service {
    http: Http,
    telemetry: Telemetry,
    traces: Option<Traces>,
    metrics: Metrics,
    listener: Listener,
    admin: Option<Listener>,
}

/// Why a process cannot listen.
#[derive(Debug, thiserror::Error)]
pub enum ServiceError {
    /// An address cannot be listened on.
    #[error(transparent)]
    Bind(#[from] BindError),
    /// Traces cannot be sent.
    #[error(transparent)]
    Traces(#[from] TracesError),
}

impl Service {
    /// Starts log, metrics and traces under the name of the process, and listens. Call it from
    /// within the tokio runtime of the process.
    ///
    /// # Errors
    ///
    /// When an address is taken, or there is no TLS although the collector of traces asks for it.
    pub fn listen(
        settings: &Settings,
        name: &'static str,
        bind: SocketAddr,
        admin_bind: Option<SocketAddr>,
    ) -> Result<Self, ServiceError> {
        Ok(Self {
            http: settings.http.clone(),
            telemetry: Telemetry::start(&settings.log),
            metrics: Metrics::start(),
            traces: Traces::start(&settings.telemetry, name)?,
            listener: Listener::bind(bind)?,
            admin: admin_bind.map(Listener::bind).transpose()?,
        })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.listener.address()
    }

    /// Where the admin port listens, if there is one.
    pub fn admin_address(&self) -> Option<SocketAddr> {
        self.admin.as_ref().map(Listener::address)
    }

    /// Serves an app, which `app` makes around the middleware, until a signal asks to stop.
    ///
    /// `finish` is what the process must bring to an end along with its requests, by the time that
    /// it is told; `close` is what comes after the last one.
    ///
    /// # Errors
    ///
    /// When a socket or the signals cannot be used.
    pub async fn run<A, F, I, S, B>(
        self,
        cors: Cors,
        app: A,
        finish: impl AsyncFnOnce(Instant),
        close: impl Future<Output = ()>,
    ) -> io::Result<Ended>
    where
        A: FnOnce(Middleware) -> F,
        F: Fn() -> I + Send + Clone + 'static,
        I: IntoServiceFactory<S, Request>,
        S: ServiceFactory<Request, Config = AppConfig> + 'static,
        S::Error: Into<Error> + 'static,
        S::InitError: fmt::Debug,
        S::Response: Into<Response<B>> + 'static,
        S::Service: 'static,
        <S::Service as ActixService<Request>>::Future: 'static,
        B: MessageBody + 'static,
    {
        let stop = Stop::listen()?;
        let workers = self.http.worker_count();
        let middleware =
            Middleware::new(cors, self.telemetry.access(), workers).traced(self.traces.clone());
        let address = self.listener.address();
        let server = self.listener.serve(workers, app(middleware.clone()))?;
        let admin = Admin {
            metrics: self.metrics,
            server: server.state(),
            middleware,
            readiness: Arc::new(|| Ok(())),
        };
        let admin = self.admin.map(|listener| admin.serve(listener));
        let admin = admin.transpose()?;
        tracing::info!(%address, "listening");
        let grace = self.http.shutdown_grace();
        let ended = server::run(stop, server, admin, grace, finish).await;
        let last_words = server::last_words(grace);
        let traces = async {
            if let Some(traces) = &self.traces {
                traces.flush(last_words).await;
            }
        };
        let _ = tokio::join!(timeout(last_words, close), traces);
        self.telemetry.flush();
        Ok(ended)
    }
}
