//! Server start: builds everything from the settings and runs it, with graceful shutdown.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Instant;

use actix_web::App;
use actix_web::web::Data;
use toolkit_http::middleware::{Cors, Middleware};
use toolkit_http::rate_limiter::RedisUrlError;
use toolkit_http::server::{Ended, Listener};
use toolkit_http::service::{Service, ServiceError};
use toolkit_http::settings::{MailTransport, PublicUrls, Settings};
use toolkit_llm::providers::ConfigError;
use toolkit_run::Runner;
use toolkit_store::{KeyCache, Store, StoreError};

use crate::background::Background;
use crate::handlers::{catalog, flags, pages};
use crate::mail::{self, ConfigError as MailError, Mailer};
use crate::open_streams::OpenStreams;
use crate::rate_limits::RateLimits;
use crate::response_cache::ResponseCache;
use crate::site::Site;
use crate::slugs::Slugs;
use crate::state::State;
use crate::turnstile::Turnstile;
use crate::{http_client, llm, routes};

/// A listening server with an open database.
pub struct Server {
    settings: Settings,
    service: Service,
    state: State,
    mailer: Mailer,
}

/// Why a server cannot start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// Listening failed.
    #[error(transparent)]
    Service(#[from] ServiceError),
    /// The database cannot be opened.
    #[error("cannot open the database: {0}")]
    Database(#[from] StoreError),
    /// A provider of models cannot be set up.
    #[error(transparent)]
    Llm(#[from] ConfigError),
    /// Mail cannot be set up.
    #[error(transparent)]
    Mail(#[from] MailError),
    /// The URL of Redis is invalid.
    #[error(transparent)]
    Redis(#[from] RedisUrlError),
    /// TLS is unavailable.
    #[error("the HTTPS client cannot be built; are there root certificates on this system?")]
    Https(#[from] reqwest::Error),
    /// The system refuses a basic resource.
    #[error(transparent)]
    System(#[from] std::io::Error),
}

/// Checks beyond the settings: whether models and mail can be set up with them.
///
/// # Errors
///
/// The first that cannot be set up.
pub(crate) fn check(settings: &Settings) -> Result<(), StartError> {
    // A client cannot be built without root certificates. That is a fault of the system, not of the
    // settings, so start-up reports it.
    if let Ok(client) = http_client::client(settings) {
        llm::chain(&settings.llm, &client)?;
    }
    Ok(mail::check(&settings.mail)?)
}

impl Server {
    /// Listens, opens the database, and prepares static responses.
    ///
    /// # Errors
    ///
    /// When an address is in use or the database cannot be opened. The database is not touched
    /// before the addresses are bound.
    pub async fn build(settings: Settings) -> Result<Self, StartError> {
        let api = &settings.api;
        let service = Service::listen(&settings, "api-server", api.bind, api.admin_bind)?;
        let client = http_client::client(&settings)?;
        let database = &settings.database;
        let store = Store::open(database.url.expose(), database.max_connections).await?;
        let urls = settings
            .public
            .resolve(service.address(), settings.mcp.bind);
        let mailer = Mailer::new(&settings, &urls.base_url)?;
        let state = state(&settings, &urls, store, client).await?;
        log_disabled(&settings);
        Ok(Self {
            settings,
            service,
            state,
            mailer,
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
        let store = self.state.store.clone();
        let state = Data::new(self.state);
        let contact_days = self.settings.privacy.contact_days;
        let Background { sending, upkeep } =
            Background::start(&state.clone().into_inner(), self.mailer, contact_days);
        let serve = |listener: Listener, workers, middleware: Middleware| {
            listener.serve(workers, move || {
                let configure = |config: &mut _| routes::configure(config, &state);
                App::new()
                    .app_data(state.clone())
                    .configure(configure)
                    .wrap(middleware.clone())
            })
        };
        let cors = Cors::new(self.settings.http.origins());
        let finish_mail = async |end| sending.finish(end).await;
        // SQLite then checkpoints its log, so that one file holds everything.
        let close = async {
            drop(upkeep);
            store.close().await;
        };
        Ok(self.service.run(cors, serve, finish_mail, close).await?)
    }
}

/// Builds the state of the handlers.
async fn state(
    settings: &Settings,
    urls: &PublicUrls,
    store: Store,
    client: reqwest::Client,
) -> Result<State, StartError> {
    Ok(State {
        started: Instant::now(),
        body_bytes_max: settings.http.body_limit_bytes,
        rate_limits: RateLimits::new(settings)?,
        slugs: Slugs::new(&urls.web_base_url),
        runner: Runner::new(),
        keys: Arc::new(KeyCache::load(&store).await?),
        store,
        chain: llm::chain(&settings.llm, &client)?,
        tool_rounds: settings.llm.tool_rounds,
        streams: OpenStreams::new(),
        turnstile: Turnstile::new(settings, client),
        catalog: catalog::prepare(urls),
        flags: flags::prepare(settings),
        site: Site::new(settings, urls),
        pages: ResponseCache::new(pages::names()),
        assets: ResponseCache::new(toolkit_web::paths()),
    })
}

/// Logs which parts the settings turn off.
fn log_disabled(settings: &Settings) {
    if settings.llm.providers.is_empty() {
        tracing::info!("chat is off: there are no `llm.providers`");
    }
    if settings.turnstile.secret.is_none() {
        tracing::info!("contact messages need no Turnstile token: there is no `turnstile.secret`");
    }
    if settings.mail.transport == MailTransport::Log {
        tracing::info!("mail goes to the log: `mail.transport` is `log`");
    }
}
