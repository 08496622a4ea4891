//! Service: start and stop of a server process, the same for both servers.
//!
//! Covers log, metrics, traces, the two listeners, the middleware and the admin port, and the order
//! of their start and stop.

mod first_lines;

use std::io;
use std::net::SocketAddr;

use tokio::time::{Instant, timeout};

pub use self::first_lines::Places;
use crate::accounts::Accounts;
use crate::admin::{Admin, DatabaseCheck, Metrics};
use crate::middleware::Middleware;
use crate::reload::{Apply, Hangups, Reload};
use crate::server::{self, BindError, Ended, Listener, Server, Stop};
use crate::settings::{Hosts, Http, Settings};
use crate::telemetry::{Telemetry, Traces, TracesError};

/// A server process that listens but does not serve yet.
pub struct Service {
    http: Http,
    telemetry: Telemetry,
    traces: Option<Traces>,
    metrics: Metrics,
    listener: Listener,
    admin: Option<Listener>,
    database: Option<DatabaseCheck>,
    places: Places,
}

/// Why a process cannot start.
#[derive(Debug, thiserror::Error)]
pub enum ServiceError {
    /// Listening on an address failed.
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
    /// When an address is in use, or TLS is unavailable although the trace collector requires it.
    pub fn listen(
        settings: &Settings,
        name: &'static str,
        bind: SocketAddr,
        admin_bind: Option<SocketAddr>,
    ) -> Result<Self, ServiceError> {
        let telemetry = Telemetry::start(&settings.log);
        Ok(Self {
            http: settings.http.clone(),
            metrics: Metrics::start().with_log(&telemetry),
            telemetry,
            traces: Traces::start(&settings.telemetry, name)?,
            listener: Listener::bind(bind)?
                .serving(Accounts::new(&settings.limits, &settings.http)),
            admin: admin_bind.map(Listener::bind).transpose()?,
            database: None,
            places: Places::new(&settings.log),
        })
    }

    /// What the first lines say, besides the listeners.
    pub fn places(&mut self) -> &mut Places {
        &mut self.places
    }

    /// Has the readiness check name the database.
    pub fn name_database(&mut self, check: DatabaseCheck) {
        self.database = Some(check);
    }

    /// The bound address.
    pub fn address(&self) -> SocketAddr {
        self.listener.address()
    }

    /// The bound address of the admin port, if there is one.
    pub fn admin_address(&self) -> Option<SocketAddr> {
        self.admin.as_ref().map(Listener::address)
    }

    /// Reads the settings again at each SIGHUP, from now on. `prepare` gets the settings in force and
    /// the next ones, and returns what puts these into force.
    ///
    /// # Errors
    ///
    /// When signals cannot be received.
    pub fn reload<F>(
        &self,
        reload: Reload,
        prepare: impl Fn(Settings, Settings) -> F + Send + 'static,
    ) -> io::Result<()>
    where
        F: Future<Output = Result<Apply, String>> + Send + 'static,
    {
        tokio::spawn(reload.run(Hangups::listen()?, self.telemetry.level(), prepare));
        Ok(())
    }

    /// Serves an app until a signal asks to stop. `serve` starts it on a listener, with this many
    /// workers and wrapped in the middleware, to which traces are added.
    ///
    /// `finish` is work that the process must complete by the given deadline, along with its
    /// requests; `close` runs after the last request.
    ///
    /// # Errors
    ///
    /// When a socket or the signals cannot be used.
    pub async fn run(
        self,
        middleware: Middleware,
        serve: impl FnOnce(Listener, usize, Middleware) -> io::Result<Server>,
        finish: impl AsyncFnOnce(Instant),
        close: impl Future<Output = ()>,
    ) -> io::Result<Ended> {
        let stop = Stop::listen()?;
        let workers = self.http.worker_count();
        let middleware = middleware.traced(self.traces.clone());
        let address = self.listener.address();
        let server = serve(self.listener, workers, middleware)?;
        let admin = Admin {
            metrics: self.metrics,
            server: server.state(),
            database: self.database,
            hosts: Hosts::from_list(&self.http.admin_hosts),
        };
        let admin_address = self.admin.as_ref().map(Listener::address);
        let admin = self.admin.map(|listener| admin.serve(listener));
        let admin = admin.transpose()?;
        self.places.announce(address, admin_address);
        let grace = self.http.shutdown_grace();
        let ended = server::run(stop, server, admin, grace, finish).await;
        let exit_reserve = server::exit_reserve(grace);
        let traces = async {
            if let Some(traces) = &self.traces {
                traces.flush(exit_reserve).await;
            }
        };
        let _ = tokio::join!(timeout(exit_reserve, close), traces);
        self.telemetry.flush();
        Ok(ended)
    }
}
