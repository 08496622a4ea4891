//! Server wiring: MCP on a listener, with graceful shutdown.

use std::future::ready;
use std::net::SocketAddr;
use std::sync::Arc;

use actix_web::App;
use toolkit_mcp::Mcp;
use toolkit_server::error_response;
use toolkit_server::middleware::Middleware;
use toolkit_server::reload::{Apply, Reload};
use toolkit_server::runner::Runner;
use toolkit_server::server::{Ended, Listener};
use toolkit_server::service::{Service, StartError};
use toolkit_server::settings::Settings;

/// A listening server.
pub struct Server {
    service: Service,
    mcp: Mcp,
    /// Path of the public URL, which precedes the endpoint's.
    base: String,
}

impl Server {
    /// Listens and prepares static responses. Call it within a tokio runtime.
    ///
    /// # Errors
    ///
    /// When an address is in use.
    pub fn build(settings: &Settings) -> Result<Self, StartError> {
        let bind = &settings.mcp;
        let mut service = Service::listen(settings, "mcp-server", bind.bind, bind.admin_bind)?;
        let urls = settings.public.resolve(settings.api.bind, Some(service.address()));
        service.report().mcp = Some(urls.mcp_url.to_string());
        Ok(Self {
            mcp: Mcp::new(settings, &urls, Arc::new(Runner::new()))?,
            base: urls.mcp_base().to_owned(),
            service,
        })
    }

    /// Reloads the settings from their sources at each SIGHUP.
    #[must_use]
    pub fn reloading(mut self, reload: Reload) -> Self {
        let mcp = self.mcp.clone();
        self.service.reload(reload, move |settings, next| {
            let prepared = mcp.prepare(&settings, &next);
            ready(prepared.map(|apply| Box::new(apply) as Apply).map_err(|error| error.to_string()))
        });
        self
    }

    /// The bound address.
    pub fn address(&self) -> SocketAddr {
        self.service.address()
    }

    /// The bound address of the admin port, if any.
    pub fn admin_address(&self) -> Option<SocketAddr> {
        self.service.admin_address()
    }

    /// Serves until a stop signal.
    ///
    /// # Errors
    ///
    /// When a socket or the signals cannot be used.
    pub async fn run(self) -> Result<Ended, StartError> {
        let mcp = self.mcp;
        // Without CORS: the endpoint refuses foreign pages, but its documents are open to all.
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
