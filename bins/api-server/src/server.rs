//! From the settings to a server that runs.

use std::net::SocketAddr;
use std::sync::Arc;

use actix_web::App;
use actix_web::web::Data;
use tokio::time::timeout;
use toolkit_http::admin::{Admin, Metrics};
use toolkit_http::edge::{Cors, Edge};
use toolkit_http::limiter::RedisUrlError;
use toolkit_http::server::{self, BindError, Ended, Listener, Stop};
use toolkit_http::settings::{MailTransport, Settings};
use toolkit_http::telemetry::{Telemetry, Traces, TracesError};
use toolkit_llm::providers::ConfigError;
use toolkit_store::{KeyRing, Store, StoreError};

use crate::background::Background;
use crate::gates::Gates;
use crate::mail::{self, ConfigError as MailError, Mailer};
use crate::state::{Parts, State};
use crate::turnstile::Turnstile;
use crate::{https, llm, routes};

/// A server that listens and has opened its database.
pub struct Server {
    settings: Settings,
    telemetry: Telemetry,
    traces: Option<Traces>,
    metrics: Metrics,
    listener: Listener,
    admin: Option<Listener>,
    state: State,
    mailer: Mailer,
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
    /// A provider of models cannot be set up.
    #[error(transparent)]
    Llm(#[from] ConfigError),
    /// Mail cannot be set up.
    #[error(transparent)]
    Mail(#[from] MailError),
    /// The URL of Redis is not one.
    #[error(transparent)]
    Redis(#[from] RedisUrlError),
    /// There is no TLS.
    #[error("the HTTPS client cannot be built; are there root certificates on this system?")]
    Https(#[from] reqwest::Error),
    /// Traces cannot be sent.
    #[error(transparent)]
    Traces(#[from] TracesError),
    /// The system refuses what every server needs.
    #[error(transparent)]
    System(#[from] std::io::Error),
}

/// Checks what settings alone cannot tell: whether models and mail can be set up so.
///
/// # Errors
///
/// The first that cannot.
pub(crate) fn check(settings: &Settings) -> Result<(), StartError> {
    // Without root certificates there is no client: that is the system's fault, and told at the start.
    if let Ok(client) = https::client(settings) {
        llm::chain(&settings.llm, &client)?;
    }
    Ok(mail::check(&settings.mail)?)
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
        let traces = Traces::start(&settings.telemetry, "api-server")?;
        let client = https::client(&settings)?;
        let listener = Listener::bind(settings.api.bind)?;
        let admin = settings.api.admin_bind.map(Listener::bind).transpose()?;
        let database = &settings.database;
        let store = Store::open(database.url.expose(), database.max_connections).await?;
        let urls = settings
            .public
            .resolve(listener.address(), settings.mcp.bind);
        let parts = Parts {
            keys: KeyRing::load(&store).await?,
            chain: llm::chain(&settings.llm, &client)?,
            turnstile: Turnstile::new(&settings, client),
            store,
            gates: Gates::new(&settings)?,
        };
        let mailer = Mailer::new(&settings, &urls.base_url)?;
        let state = State::new(&settings, &urls, parts);
        say_what_is_off(&settings);
        Ok(Self {
            settings,
            telemetry,
            traces,
            metrics,
            listener,
            admin,
            state,
            mailer,
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
        let edge = Edge::new(Cors::new(http.origins()), self.telemetry.access(), workers)
            .traced(self.traces.clone());
        let store = self.state.store.clone();
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
        let contact_days = self.settings.privacy.contact_days;
        let Background { sending, upkeep } =
            Background::start(&state.clone().into_inner(), self.mailer, contact_days);
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
        let finish_mail = async |end| sending.finish(end).await;
        let ended = server::run(stop, server, admin, http.shutdown_grace(), finish_mail).await;
        drop(upkeep);
        let last_words = server::last_words(http.shutdown_grace());
        let traces = async {
            if let Some(traces) = &self.traces {
                traces.flush(last_words).await;
            }
        };
        // SQLite puts its log into the file then, so that the file is all there is.
        let _ = tokio::join!(timeout(last_words, store.close()), traces);
        self.telemetry.flush();
        Ok(ended)
    }
}

/// Tells an operator what their settings leave out.
fn say_what_is_off(settings: &Settings) {
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
