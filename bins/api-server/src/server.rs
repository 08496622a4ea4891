//! From the settings to a server that runs.

use std::net::SocketAddr;
use std::sync::Arc;

use actix_web::App;
use actix_web::web::Data;
use toolkit_http::admin::{Admin, Metrics};
use toolkit_http::edge::{Cors, Edge};
use toolkit_http::server::{self, BindError, Ended, Listener};
use toolkit_http::settings::Settings;
use toolkit_http::telemetry::Telemetry;
use toolkit_store::{Store, StoreError};

use crate::routes;
use crate::state::State;

/// A server that listens and has opened its database.
pub struct Server {
    settings: Settings,
    telemetry: Telemetry,
    metrics: Metrics,
    listener: Listener,
    admin: Option<Listener>,
    state: State,
}

/// Why a server cannot start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// An address cannot be listened on.
    #[error(transparent)]
    Bind(#[from] BindError),
    /// The database cannot be opened.
    #[error("cannot open the database: {0}")]
    Database(#[from] StoreError),
    /// The system refuses what every server needs.
    #[error(transparent)]
    System(#[from] std::io::Error),
}

impl Server {
    /// Listens, opens the database, and prepares what never changes.
    ///
    /// # Errors
    ///
    /// When an address is taken or the database cannot be opened. The database is not touched before
    /// the addresses are ours.
    pub async fn build(settings: Settings) -> Result<Self, StartError> {
        let telemetry = Telemetry::start(&settings.log);
        let metrics = Metrics::start();
        let listener = Listener::bind(settings.api.bind)?;
        let admin = settings.api.admin_bind.map(Listener::bind).transpose()?;
        let database = &settings.database;
        let store = Store::open(database.url.expose(), database.max_connections).await?;
        let urls = settings
            .public
            .resolve(listener.address(), settings.mcp.bind);
        let state = State::new(&settings, &urls, store);
        Ok(Self {
            settings,
            telemetry,
            metrics,
            listener,
            admin,
            state,
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
        let http = &self.settings.http;
        let workers = http.worker_count();
        let edge = Edge::new(Cors::new(http.origins()), self.telemetry.access(), workers);
        let state = Data::new(self.state);
        let app = {
            let (edge, state) = (edge.clone(), state.clone());
            move || {
                let configure = |config: &mut _| routes::configure(config, &state);
                App::new()
                    .app_data(state.clone())
                    .configure(configure)
                    .wrap(edge.clone())
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
                    edge,
                    readiness: Arc::new(|| Ok(())),
                };
                Some(admin.serve(listener)?)
            }
        };
        tracing::info!(%address, "listening");
        let ended = server::run(server, admin, http.shutdown_grace()).await?;
        self.telemetry.flush();
        Ok(ended)
    }
}
