//! Wiring of the server: the REST API and MCP on a listener, with graceful shutdown.

use std::net::SocketAddr;
use std::sync::Arc;

use actix_web::App;
use toolkit_api::{Api, ApiError, Background};
use toolkit_mcp::BesideApi;
use toolkit_server::middleware::Middleware;
use toolkit_server::process::ConfigArgs;
use toolkit_server::reload::{Apply, Reload};
use toolkit_server::server::{Ended, Listener};
use toolkit_server::service::{Service, ServiceError};
use toolkit_server::settings::{Origins, Settings};

/// A listening server with an open database.
pub struct Server {
    service: Service,
    origins: Origins,
    api: Api,
    mcp: BesideApi,
    /// Path of the public address, before those of the routes.
    base: String,
    background: Background,
    settings: Settings,
}

/// Why a server cannot start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// Listening failed.
    #[error(transparent)]
    Service(#[from] ServiceError),
    /// The API cannot be set up.
    #[error(transparent)]
    Api(#[from] ApiError),
    /// The system refuses a basic resource.
    #[error(transparent)]
    System(#[from] std::io::Error),
}

impl Server {
    /// Listens, opens the database, and prepares static responses.
    ///
    /// # Errors
    ///
    /// When an address is in use or the database cannot be used. PostgreSQL out of reach is waited for. The database is not touched
    /// before the addresses are bound.
    pub async fn build(settings: Settings) -> Result<Self, StartError> {
        let bind = &settings.api;
        let mut service = Service::listen(&settings, "api-server", bind.bind, bind.admin_bind)?;
        let urls = settings.public.resolve(service.address(), settings.mcp_apart());
        let (api, background) = Api::start(&settings, &urls).await?;
        let mcp = BesideApi::new(&settings, &urls, api.runner()).map_err(ApiError::from)?;
        service.places().of_api(&settings, &urls);
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

    /// Reads the settings again, from where they come from, at each SIGHUP.
    ///
    /// # Errors
    ///
    /// When signals cannot be received.
    pub fn reloading(self, config: ConfigArgs) -> Result<Self, StartError> {
        let (api, mcp) = (self.api.clone(), self.mcp.clone());
        let reload = Reload::new(config, self.settings.clone());
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
    /// When a socket or the signals cannot be used, or a database that was waited for.
    pub async fn run(self) -> Result<Ended, StartError> {
        let Background { sending, upkeep, opening } = self.background;
        let (api, mcp) = (self.api, self.mcp);
        let database = self.settings.database.url.public();
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
