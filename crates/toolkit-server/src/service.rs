//! Service: starts and stops a server process, the same for both servers.
//!
//! Covers log, metrics, traces, both listeners, the middleware and the admin port, and the order in
//! which they start and stop.

mod first_lines;

use std::io;
use std::net::SocketAddr;

use tokio::time::{Instant, timeout};

pub use self::first_lines::StartReport;
use crate::accounts::Accounts;
use crate::admin::{Admin, DatabaseCheck, Metrics};
use crate::middleware::Middleware;
use crate::reload::{Apply, Reload};
use crate::server::{self, Ended, Listener, Server, Stop};
use crate::settings::{Hosts, Http, Settings};
use crate::telemetry::{Telemetry, Traces};

/// A server process that holds its addresses but does not serve yet.
pub struct Service {
    http: Http,
    telemetry: Telemetry,
    traces: Option<Traces>,
    metrics: Metrics,
    listener: Listener,
    admin: Option<Listener>,
    database: Option<DatabaseCheck>,
    report: StartReport,
}

/// The reason a process cannot start or continue.
pub type StartError = Box<dyn std::error::Error + Send + Sync>;

impl Service {
    /// Starts log, metrics and traces under the process's name, and reserves its addresses. Call it
    /// within the process's tokio runtime.
    ///
    /// # Errors
    ///
    /// When an address is in use, or TLS is unavailable although the trace collector requires it.
    pub fn listen(
        settings: &Settings,
        name: &'static str,
        bind: SocketAddr,
        admin_bind: Option<SocketAddr>,
    ) -> Result<Self, StartError> {
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
            report: StartReport::new(&settings.log),
        })
    }

    /// The first lines, besides the listeners.
    pub fn report(&mut self) -> &mut StartReport {
        &mut self.report
    }

    /// Lets the readiness check report the database.
    pub fn name_database(&mut self, check: DatabaseCheck) {
        self.database = Some(check);
    }

    /// The bound address.
    pub fn address(&self) -> SocketAddr {
        self.listener.address()
    }

    /// The bound address of the admin port, if any.
    pub fn admin_address(&self) -> Option<SocketAddr> {
        self.admin.as_ref().map(Listener::address)
    }

    /// Reloads the settings at each SIGHUP. `prepare` gets the current and the next settings, and
    /// returns what applies the latter.
    pub fn reload<F>(
        &mut self,
        reload: Reload,
        prepare: impl Fn(Settings, Settings) -> F + Send + 'static,
    ) where
        F: Future<Output = Result<Apply, String>> + Send + 'static,
    {
        self.report.of_settings(&reload.config);
        tokio::spawn(reload.run(self.telemetry.level(), prepare));
    }

    /// Serves an app until a stop signal. `serve` starts it on a listener, with this many workers,
    /// wrapped in the middleware plus traces.
    ///
    /// `finish` is work that must complete by the given deadline, along with open requests. `close`
    /// runs after the last request.
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
        let admin = Admin {
            metrics: self.metrics,
            server: self.listener.state(),
            database: self.database,
            hosts: Hosts::from_list(&self.http.admin_hosts),
        };
        let admin_address = self.admin.as_ref().map(Listener::address);
        let admin = self.admin.map(|listener| admin.serve(listener));
        let admin = admin.transpose()?;
        // Last, so that everything else is ready for the first client.
        let server = serve(self.listener, workers, middleware)?;
        self.report.announce(address, admin_address);
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
