//! Server start: builds the endpoint from the settings and runs it, with graceful shutdown.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;

use actix_web::App;
use actix_web::web::Data;
use toolkit_http::client_ip::Proxies;
use toolkit_http::error_response;
use toolkit_http::middleware::{Cors, Middleware};
use toolkit_http::rate_limiter::{Limiter, Redis, RedisUrlError};
use toolkit_http::server::{Ended, Listener};
use toolkit_http::service::{Service, ServiceError};
use toolkit_http::settings::{PublicUrls, Settings};
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

/// A listening server.
pub struct Server {
    service: Service,
    documents: Arc<Documents>,
    endpoint: Data<Endpoint<Handler>>,
}

/// Why a server cannot start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// Listening failed.
    #[error(transparent)]
    Service(#[from] ServiceError),
    /// The shared limits cannot be set up.
    #[error(transparent)]
    Redis(#[from] RedisUrlError),
    /// The system refuses a basic resource.
    #[error(transparent)]
    System(#[from] io::Error),
}

impl Server {
    /// Listens, and prepares static responses. Call it from within a tokio runtime.
    ///
    /// # Errors
    ///
    /// When an address is in use.
    pub fn build(settings: &Settings) -> Result<Self, StartError> {
        let mcp = &settings.mcp;
        let service = Service::listen(settings, "mcp-server", mcp.bind, mcp.admin_bind)?;
        let urls = settings
            .public
            .resolve(settings.api.bind, service.address());
        let identity = Identity::remote(&urls, settings.http.body_limit_bytes);
        Ok(Self {
            documents: Arc::new(Documents::new(&urls)),
            endpoint: Data::new(endpoint(settings, &urls, &identity)?),
            service,
        })
    }

    /// The bound address.
    pub fn address(&self) -> SocketAddr {
        self.service.address()
    }

    /// The bound address of the admin port, if there is one.
    pub fn admin_address(&self) -> Option<SocketAddr> {
        self.service.admin_address()
    }

    /// Serves until a signal asks to stop.
    ///
    /// # Errors
    ///
    /// When a socket or the signals cannot be used.
    pub async fn run(self) -> Result<Ended, StartError> {
        let Self {
            service,
            documents,
            endpoint,
        } = self;
        // The endpoint refuses foreign pages, but the documents are open to all.
        let cors = Cors::by_handlers();
        let serve = |listener: Listener, workers, middleware: Middleware| {
            listener.serve(workers, move || {
                App::new()
                    .configure(|config| {
                        // In this order, so that a call is not matched against patterns.
                        routes::endpoint(config, &endpoint);
                        routes::documents(config, &documents);
                    })
                    .default_service(error_response::not_found())
                    .wrap(middleware.clone())
            })
        };
        Ok(service.run(cors, serve, async |_| (), async {}).await?)
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
    Ok(Endpoint {
        guard: Guard::new(settings.mcp.hosts(&urls.mcp_url), settings.mcp.origins()),
        limiter: Limiter::new("mcp", limits.mcp_per_minute, limits.mcp_burst).shared(redis),
        proxies: Proxies::new(settings.http.trusted_proxies.clone()),
        body_bytes_max,
        fast_path: Some(FastPath::new(caller.clone(), identity)),
        rmcp_adapter: RmcpAdapter::new(Handler::new(caller, identity, SUPPORTED), body_bytes_max),
    })
}
