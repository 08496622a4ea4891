//! Server wiring: the REST API and MCP on one listener, with graceful shutdown.

use std::net::SocketAddr;
use std::sync::Arc;

use actix_web::App;
use toolkit_api::{Api, ApiError, Background};
use toolkit_mcp::McpMount;
use toolkit_server::middleware::Middleware;
use toolkit_server::reload::{Apply, Reload};
use toolkit_server::server::{Ended, Listener};
use toolkit_server::service::{Service, StartError};
use toolkit_server::settings::{Origins, Settings};

/// A listening server with an open database.
pub struct Server {
    service: Service,
    origins: Origins,
    api: Api,
    mcp: McpMount,
    /// Path of the public URL, which precedes the routes.
    base: String,
    background: Background,
    settings: Settings,
}

impl Server {
    /// Listens, opens the database, and prepares static responses.
    ///
    /// # Errors
    ///
    /// When an address is in use or the database cannot be used. It waits for a PostgreSQL that is
    /// unreachable. The addresses are bound before the database is touched.
    pub async fn build(settings: Settings) -> Result<Self, StartError> {
        let bind = &settings.api;
        let mut service = Service::listen(&settings, "api-server", bind.bind, bind.admin_bind)?;
        let urls = settings.public.resolve(service.address(), settings.mcp_apart());
        let (api, background) = Api::start(&settings, &urls).await?;
        let mcp = McpMount::new(&settings, &urls, api.runner())?;
        service.report().of_api(&settings, &urls);
        let named = api.clone();
        service.name_database(Arc::new(move || named.has_database()));
        Ok(Self {
            service,
            origins: settings.http.origins(),
            api,
            mcp,
            base: urls.base_url.path().to_owned(),
            background,
            settings,
        })
    }

    /// Reloads the settings from their sources at each SIGHUP.
    #[must_use]
    pub fn reloading(mut self, reload: Reload) -> Self {
        let (api, mcp) = (self.api.clone(), self.mcp.clone());
        self.service.reload(reload, move |settings, next| {
            let (api, mcp) = (api.clone(), mcp.clone());
            async move {
                let mcp = mcp.prepare(&settings, &next).map_err(|error| error.to_string())?;
                let api = api.prepare(&settings, &next).map_err(|error| error.to_string())?;
                let apply: Apply = Box::new(move || {
                    api();
                    mcp();
                });
                Ok(apply)
            }
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
    /// When a socket, the signals or a late database cannot be used.
    pub async fn run(self) -> Result<Ended, StartError> {
        let Background { sending, upkeep, opening } = self.background;
        let (api, mcp) = (self.api, self.mcp);
        let database = self.settings.database.url.location();
        let sites = api.clone();
        let serve = |listener: Listener, workers, middleware: Middleware| {
            listener.serve(workers, move || {
                let app = App::new().configure(|it| mcp.configure(it, |it| api.configure(it)));
                middleware.clone().wrap(app)
            })
        };
        let finish_mail = async |end| sending.finish(end).await;
        let middleware = Middleware::new()
            .below(&self.base)
            .cors(self.origins)
            .cors_also(move |path, origin| sites.has_site(path, origin))
            .cors_except(toolkit_mcp::is_ours);
        let ended = self.service.run(middleware, serve, finish_mail, upkeep.close());
        tokio::select! {
            ended = ended => Ok(ended?),
            error = opening => Err(ApiError::Database(database, error).into()),
        }
    }
}
