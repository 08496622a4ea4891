//! The server as a whole: from its settings to its end.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use actix_web::App;
use actix_web::web::Data;
use toolkit_http::admin::{Admin, Metrics};
use toolkit_http::client_ip::Proxies;
use toolkit_http::detail;
use toolkit_http::edge::{Cors, Edge};
use toolkit_http::limiter::Limiter;
use toolkit_http::server::{self, BindError, Ended, Listener};
use toolkit_http::settings::{PublicUrls, Settings};
use toolkit_http::telemetry::Telemetry;
use toolkit_run::Runner;

use crate::bridge::Bridge;
use crate::call::Caller;
use crate::discovery::Documents;
use crate::endpoint::Endpoint;
use crate::guard::Guard;
use crate::handler::Handler;
use crate::identity::Identity;
use crate::routes;
use crate::straight::Straight;

/// A server that listens and answers.
pub struct Server {
    public: server::Server,
    admin: Option<server::Server>,
    telemetry: Telemetry,
    grace: Duration,
}

/// Why a server cannot start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// An address cannot be listened on.
    #[error(transparent)]
    Bind(#[from] BindError),
    /// A socket or a signal cannot be used.
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl Server {
    /// Starts a server with these settings; it answers from now on.
    ///
    /// # Errors
    ///
    /// When an address cannot be listened on.
    pub fn build(settings: &Settings) -> Result<Self, StartError> {
        let telemetry = Telemetry::start(&settings.log);
        let metrics = Metrics::start();
        let listener = Listener::bind(settings.mcp.bind)?;
        let admin = settings.mcp.admin_bind.map(Listener::bind).transpose()?;
        let urls = settings
            .public
            .resolve(settings.api.bind, listener.address());
        let workers = settings.http.worker_count();
        let edge = Edge::new(Cors::by_handlers(), telemetry.access(), workers);
        let server = serve(listener, settings, &urls, edge.clone())?;
        let admin = admin.map(|listener| {
            let state = server.state();
            let readiness = Arc::new(|| Ok(()));
            Admin {
                metrics,
                server: state,
                edge,
                readiness,
            }
            .serve(listener)
        });
        Ok(Self {
            public: server,
            admin: admin.transpose()?,
            telemetry,
            grace: settings.http.shutdown_grace(),
        })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.public.address()
    }

    /// Answers until the process is asked to stop, and then stops within the grace.
    ///
    /// # Errors
    ///
    /// When signals cannot be received.
    pub async fn run(self) -> Result<Ended, StartError> {
        let address = self.public.address();
        tracing::info!(%address, version = env!("CARGO_PKG_VERSION"), "listening");
        let ended = server::run(self.public, self.admin, self.grace).await;
        self.telemetry.flush();
        Ok(ended?)
    }

    /// Stops.
    pub async fn stop(self) -> Ended {
        self.public.stop(self.grace).await
    }
}

/// Serves the paths on a listener; what they rest on is made once for all worker threads.
fn serve(
    listener: Listener,
    settings: &Settings,
    urls: &PublicUrls,
    edge: Edge,
) -> io::Result<server::Server> {
    let identity = Identity::new(urls, settings.http.body_limit_bytes);
    let documents = Data::new(Documents::new(&identity));
    let endpoint = Data::new(endpoint(settings, urls, &identity));
    listener.serve(settings.http.worker_count(), move || {
        let (documents, endpoint) = (documents.clone(), endpoint.clone());
        App::new()
            .configure(|config| {
                routes::documents(config, documents);
                routes::endpoint(config, endpoint);
            })
            .default_service(detail::not_found())
            .wrap(edge.clone())
    })
}

fn endpoint(settings: &Settings, urls: &PublicUrls, identity: &Identity) -> Endpoint<Handler> {
    let caller = Caller::new(Arc::new(Runner::new()));
    let body_bytes_max = settings.http.body_limit_bytes;
    let meta = serde_json::to_string(&identity.meta()).unwrap_or_default();
    Endpoint {
        guard: Guard::new(settings.mcp.hosts(&urls.mcp_url), settings.mcp.origins()),
        limiter: Limiter::new(
            "mcp",
            settings.limits.mcp_per_minute,
            settings.limits.mcp_burst,
        ),
        proxies: Proxies::new(settings.http.trusted_proxies.clone()),
        body_bytes_max,
        straight: Some(Straight::new(caller.clone(), meta)),
        bridge: Bridge::new(Handler::new(caller, identity), body_bytes_max),
    }
}
