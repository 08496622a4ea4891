//! Server start: builds everything from the settings and runs it.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;

use actix_web::App;
use actix_web::web::Data;
use toolkit_http::admin::{Admin, Metrics};
use toolkit_http::client_ip::Proxies;
use toolkit_http::error_response;
use toolkit_http::middleware::{Cors, Middleware};
use toolkit_http::rate_limiter::{Limiter, Redis, RedisUrlError};
use toolkit_http::server::{self, BindError, Ended, Listener, Stop};
use toolkit_http::settings::{PublicUrls, Settings};
use toolkit_http::telemetry::{Telemetry, Traces, TracesError};
use toolkit_run::Runner;

use crate::call::Caller;
use crate::discovery::Documents;
use crate::endpoint::Endpoint;
use crate::fast_path::FastPath;
use crate::guard::Guard;
use crate::handler::Handler;
use crate::identity::Identity;
use crate::protocol::SUPPORTED;
use crate::rmcp_adapter::RmcpAdapter;
use crate::routes;

/// A server that listens.
pub struct Server {
    settings: Settings,
    telemetry: Telemetry,
    traces: Option<Traces>,
    metrics: Metrics,
    listener: Listener,
    admin: Option<Listener>,
    documents: Data<Documents>,
    endpoint: Data<Endpoint<Handler>>,
}

/// Why a server cannot start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// An address cannot be listened on.
    #[error(transparent)]
    Bind(#[from] BindError),
    /// The shared limits cannot be set up.
    #[error(transparent)]
    Redis(#[from] RedisUrlError),
    /// Traces cannot be sent.
    #[error(transparent)]
    Traces(#[from] TracesError),
    /// The system refuses what every server needs.
    #[error(transparent)]
    System(#[from] io::Error),
}

impl Server {
    /// Listens, and prepares what never changes. Call it from within a tokio runtime.
    ///
    /// # Errors
    ///
    /// When an address is taken.
    pub fn build(settings: Settings) -> Result<Self, StartError> {
        let telemetry = Telemetry::start(&settings.log);
        let metrics = Metrics::start();
        let traces = Traces::start(&settings.telemetry, "mcp-server")?;
        let listener = Listener::bind(settings.mcp.bind)?;
        let admin = settings.mcp.admin_bind.map(Listener::bind).transpose()?;
        let urls = settings
            .public
            .resolve(settings.api.bind, listener.address());
        let identity = Identity::remote(&urls, settings.http.body_limit_bytes);
        let endpoint = endpoint(&settings, &urls, &identity)?;
        Ok(Self {
            settings,
            telemetry,
            traces,
            metrics,
            listener,
            admin,
            documents: Data::new(Documents::new(&urls)),
            endpoint: Data::new(endpoint),
        })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.listener.address()
    }

    /// Where it tells how it is, if it does.
    pub fn admin_address(&self) -> Option<SocketAddr> {
        self.admin.as_ref().map(Listener::address)
    }

    /// Serves until a signal asks to stop.
    ///
    /// # Errors
    ///
    /// When a socket or the signals cannot be used.
    pub async fn run(self) -> Result<Ended, StartError> {
        let stop = Stop::listen()?;
        let http = &self.settings.http;
        let workers = http.worker_count();
        // The endpoint refuses foreign pages, and the documents are for all of them.
        let middleware = Middleware::new(Cors::by_handlers(), self.telemetry.access(), workers)
            .traced(self.traces.clone());
        let app = {
            let middleware = middleware.clone();
            move || {
                let documents = self.documents.clone();
                App::new()
                    .configure(|config| {
                        // In this order, so that a call meets no path that is a pattern.
                        routes::endpoint(config, &self.endpoint);
                        routes::documents(config, documents);
                    })
                    .default_service(error_response::not_found())
                    .wrap(middleware.clone())
            }
        };
        let address = self.listener.address();
        let server = self.listener.serve(workers, app)?;
        let admin = match self.admin {
            None => None,
            Some(listener) => {
                let admin = Admin {
                    metrics: self.metrics,
                    server: server.state(),
                    middleware,
                    readiness: Arc::new(|| Ok(())),
                };
                Some(admin.serve(listener)?)
            }
        };
        tracing::info!(%address, "listening");
        let ended = server::run(stop, server, admin, http.shutdown_grace(), async |_| ()).await;
        if let Some(traces) = &self.traces {
            traces
                .flush(server::last_words(http.shutdown_grace()))
                .await;
        }
        self.telemetry.flush();
        Ok(ended)
    }
}

fn endpoint(
    settings: &Settings,
    urls: &PublicUrls,
    identity: &Identity,
) -> Result<Endpoint<Handler>, RedisUrlError> {
    let caller = Caller::new(Arc::new(Runner::new()));
    let limits = &settings.limits;
    let redis = limits.redis_url.as_ref().map(Redis::connect).transpose()?;
    let body_bytes_max = settings.http.body_limit_bytes;
    let meta = serde_json::to_string(&identity.meta()).unwrap_or_default();
    Ok(Endpoint {
        guard: Guard::new(settings.mcp.hosts(&urls.mcp_url), settings.mcp.origins()),
        limiter: Limiter::new("mcp", limits.mcp_per_minute, limits.mcp_burst).shared(redis),
        proxies: Proxies::new(settings.http.trusted_proxies.clone()),
        body_bytes_max,
        fast_path: Some(FastPath::new(caller.clone(), meta)),
        rmcp_adapter: RmcpAdapter::new(Handler::new(caller, identity, SUPPORTED), body_bytes_max),
    })
}
