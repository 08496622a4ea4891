//! API: the REST endpoints and web pages, built from the settings and mounted on an app.

use std::sync::Arc;
use std::time::Instant;

use actix_web::web::ServiceConfig;
use toolkit_llm::providers::ConfigError;
use toolkit_server::rate_limiter::{Redis, RedisUrlError};
use toolkit_server::runner::Runner;
use toolkit_server::settings::{PublicUrls, Settings};
use toolkit_server::snapshot::Snapshot;
use toolkit_store::{Connections, KeyCache, Store, StoreError};

use crate::background::Background;
use crate::chat::llm;
use crate::chat::open_streams::OpenStreams;
use crate::office::apps::Apps;
use crate::office::captcha::Captcha;
use crate::office::mail::{self, ConfigError as MailError, Mailer};
use crate::office::webhooks::Webhooks;
use crate::rate_limits::RateLimits;
use crate::site::Site;
use crate::state::State;
use crate::tools::response_cache::ResponseCache;
use crate::tools::{catalog, site_pages};
use crate::{flags, http_client, routes};

/// The REST API with its database.
#[derive(Clone)]
pub struct Api {
    state: Snapshot<State>,
    mailer: Snapshot<Mailer>,
}

/// The reason the API cannot start.
#[derive(Debug, thiserror::Error)]
pub enum ApiError {
    /// The database with this URL cannot be opened.
    #[error("cannot open {0}: {cause}", cause = .1.with_cause())]
    Database(String, #[source] StoreError),
    /// A model provider cannot be set up.
    #[error(transparent)]
    Llm(#[from] ConfigError),
    /// Mail cannot be set up.
    #[error(transparent)]
    Mail(#[from] MailError),
    /// The Redis URL is invalid.
    #[error(transparent)]
    Redis(#[from] RedisUrlError),
    /// TLS is unavailable.
    #[error("the HTTPS client cannot be built. Are there root certificates on this system?")]
    Https(#[from] reqwest::Error),
}

/// Checks beyond the settings themselves: whether database, models, mail and Redis can be set up
/// with them.
///
/// # Errors
///
/// The first part that cannot be set up.
pub fn check(settings: &Settings) -> Result<(), ApiError> {
    // A client cannot be built without root certificates. That is a fault of the system rather than
    // the settings, so start-up reports it.
    if let Ok(client) = http_client::client(settings) {
        llm::chain(&settings.llm, &client)?;
    }
    let url = &settings.database.url;
    Store::check_url(url.expose()).map_err(|error| ApiError::Database(url.location(), error))?;
    settings.limits.redis_url.as_ref().map(Redis::check_url).transpose()?;
    Ok(mail::check(settings)?)
}

impl Api {
    /// Opens the database, prepares static responses and starts the background tasks. Call it
    /// within a tokio runtime. If PostgreSQL is not reachable yet, [`Background::opening`] opens
    /// it.
    ///
    /// # Errors
    ///
    /// When the database cannot be used, or a part cannot be set up.
    pub async fn start(
        settings: &Settings,
        urls: &PublicUrls,
    ) -> Result<(Self, Background), ApiError> {
        let client = http_client::client(settings)?;
        let database = &settings.database;
        let connections = Connections { max: database.max_connections, pooler: database.pooler };
        let unopened = |error| ApiError::Database(database.url.location(), error);
        let store = Store::start(database.url.expose(), connections).await.map_err(unopened)?;
        store.tell(Webhooks::receivers(settings));
        let mailer = Mailer::new(settings, &urls.base_url, Webhooks::new(settings)?)?;
        let mailer = Snapshot::new(mailer);
        let lasting = Lasting {
            started: Instant::now(),
            keys: Arc::new(KeyCache::load(&store).await.map_err(unopened)?),
            store,
            runner: Arc::default(),
            streams: Arc::new(OpenStreams::new()),
            rate_limits: Arc::new(RateLimits::new(settings)?),
        };
        let state = Snapshot::new(state(settings, urls, client, lasting)?);
        let hooks = settings.webhooks.iter().map(|hook| hook.url.name()).collect();
        let days = settings.privacy.contact_days;
        let background = Background::start(&state, &mailer, days, hooks);
        Ok((Self { state, mailer }, background))
    }

    /// Prepares newer settings and returns what applies them. Models and the mail server are
    /// connected to again. Rate limit counts are kept unless the limits change.
    ///
    /// # Errors
    ///
    /// When a part cannot be set up. Nothing has changed then.
    pub fn prepare(
        &self,
        settings: &Settings,
        next: &Settings,
    ) -> Result<impl FnOnce() + Send + use<>, ApiError> {
        check(next)?;
        let old = self.state.load();
        let mut lasting = Lasting::of(&old);
        if settings.limits != next.limits {
            lasting.rate_limits = Arc::new(RateLimits::new(next)?);
        }
        let urls = &old.site.urls;
        let mailer = Mailer::new(next, &urls.base_url, Webhooks::new(next)?)?;
        let state = state(next, urls, http_client::client(next)?, lasting)?;
        let receivers = Webhooks::receivers(next);
        let api = self.clone();
        Ok(move || {
            let store = state.store.clone();
            api.state.store(state);
            let old = api.mailer.load();
            api.mailer.store(mailer);
            old.retire();
            // Wakes the worker, so that it picks up the new mailer.
            store.tell(receivers);
        })
    }

    /// Whether the database accepts writes, as far as we know.
    pub fn has_database(&self) -> bool {
        let state = self.state.load();
        state.store.is_up() && state.keys.is_current()
    }

    /// The process's runner.
    pub fn runner(&self) -> Arc<Runner> {
        Arc::clone(&self.state.load().runner)
    }

    /// Whether pages of an origin may call a path, because a site key allows it.
    pub fn has_site(&self, path: &str, origin: &str) -> bool {
        routes::FOR_SITES.contains(&path) && self.state.load().keys.has_site(origin)
    }

    /// Registers the paths. Mount it with a default service that answers 404.
    pub fn configure(&self, config: &mut ServiceConfig) {
        config.app_data(self.state.clone());
        routes::configure(config, &self.state.load());
    }
}

/// State that outlives a change of settings.
struct Lasting {
    started: Instant,
    store: Store,
    keys: Arc<KeyCache>,
    runner: Arc<Runner>,
    streams: Arc<OpenStreams>,
    rate_limits: Arc<RateLimits>,
}

impl Lasting {
    fn of(state: &State) -> Self {
        Self {
            started: state.started,
            store: state.store.clone(),
            keys: Arc::clone(&state.keys),
            runner: Arc::clone(&state.runner),
            streams: Arc::clone(&state.streams),
            rate_limits: Arc::clone(&state.rate_limits),
        }
    }
}

/// Builds the handlers' state.
fn state(
    settings: &Settings,
    urls: &PublicUrls,
    client: reqwest::Client,
    lasting: Lasting,
) -> Result<State, ApiError> {
    let Lasting { started, store, keys, runner, streams, rate_limits } = lasting;
    Ok(State {
        started,
        body_bytes_max: settings.http.body_limit_bytes,
        rate_limits,
        runner,
        keys,
        chain: llm::chain(&settings.llm, &client)?,
        tool_rounds: settings.llm.tool_rounds,
        show_reasoning: settings.llm.show_reasoning,
        streams,
        captcha: Captcha::new(settings, &store, client),
        catalog: catalog::prepare(urls),
        flags: flags::prepare(settings),
        site: Site::new(settings, urls),
        apps: Apps::new(settings),
        store,
        pages: ResponseCache::new(site_pages::names()),
        assets: ResponseCache::new(toolkit_web::paths()),
    })
}
