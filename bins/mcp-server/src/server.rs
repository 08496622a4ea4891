//! Wiring of the server: MCP on a listener, with graceful shutdown.

use std::future::ready;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;

use actix_web::App;
use toolkit_mcp::Mcp;
use toolkit_server::error_response;
use toolkit_server::middleware::Middleware;
use toolkit_server::process::ConfigArgs;
use toolkit_server::rate_limiter::RedisUrlError;
use toolkit_server::reload::{Apply, Reload};
use toolkit_server::runner::Runner;
use toolkit_server::server::{Ended, Listener};
use toolkit_server::service::{Service, ServiceError};
use toolkit_server::settings::Settings;

/// A listening server.
pub struct Server {
    service: Service,
    mcp: Mcp,
    /// Path of its public address, before that of the endpoint.
    base: String,
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
        let bind = &settings.mcp;
        let mut service = Service::listen(settings, "mcp-server", bind.bind, bind.admin_bind)?;
        let urls = settings.public.resolve(settings.api.bind, Some(service.address()));
        service.places().mcp = Some(urls.mcp_url.to_string());
        Ok(Self {
            mcp: Mcp::new(settings, &urls, Arc::new(Runner::new()))?,
            base: urls.mcp_base().to_owned(),
            service,
        })
    }

    /// Reads the settings again, from where they come from, at each SIGHUP.
    ///
    /// # Errors
    ///
    /// When signals cannot be received.
    pub fn reloading(self, config: ConfigArgs, settings: Settings) -> Result<Self, StartError> {
        let mcp = self.mcp.clone();
        self.service.reload(Reload::new(config, settings), move |settings, next| {
            let prepared = mcp.prepare(&settings, &next);
            ready(prepared.map(|apply| Box::new(apply) as Apply).map_err(|error| error.to_string()))
        })?;
        Ok(self)
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
        let mcp = self.mcp;
        // Without CORS: the endpoint refuses foreign pages, but the documents are open to all.
        let middleware = Middleware::new().below(&self.base);
        let serve = |listener: Listener, workers, middleware: Middleware| {
            listener.serve(workers, move || {
                let app = App::new()
                    .configure(|config| mcp.endpoint(config))
                    .configure(|config| mcp.documents(config))
                    .default_service(error_response::not_found());
                middleware.clone().wrap(app)
            })
        };
        Ok(self.service.run(middleware, serve, async |_| (), async {}).await?)
    }
}
