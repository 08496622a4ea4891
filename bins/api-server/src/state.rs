//! What the handlers share.

use std::sync::Arc;
use std::time::Instant;

use actix_web::web::Bytes;
use toolkit_http::prepared::Prepared;
use toolkit_http::settings::{PublicUrls, Settings};
use toolkit_llm::Chain;
use toolkit_run::Runner;
use toolkit_store::{KeyRing, Store};

use crate::gates::Gates;
use crate::handlers::{catalog, flags, pages};
use crate::targets::Targets;
use crate::turnstile::Turnstile;

/// Everything that a handler needs, made once.
pub(crate) struct State {
    pub(crate) started: Instant,
    pub(crate) body_bytes_max: usize,
    pub(crate) gates: Gates,
    pub(crate) targets: Targets,
    pub(crate) runner: Runner,
    pub(crate) store: Store,
    pub(crate) keys: Arc<KeyRing>,
    pub(crate) chain: Chain,
    pub(crate) turnstile: Option<Turnstile>,
    pub(crate) catalog: Prepared,
    pub(crate) flags: Bytes,
    pub(crate) pages: pages::Pages,
    /// The path of the stylesheet.
    pub(crate) style: String,
}

/// What is opened or set up before the state is made.
pub(crate) struct Parts {
    pub(crate) gates: Gates,
    pub(crate) store: Store,
    pub(crate) keys: KeyRing,
    pub(crate) chain: Chain,
    pub(crate) turnstile: Option<Turnstile>,
}

impl State {
    pub(crate) fn new(settings: &Settings, urls: &PublicUrls, parts: Parts) -> Self {
        let pages = pages::Pages::new(urls);
        Self {
            started: Instant::now(),
            body_bytes_max: settings.http.body_limit_bytes,
            gates: parts.gates,
            targets: Targets::new(&urls.web_base_url),
            runner: Runner::new(),
            store: parts.store,
            keys: Arc::new(parts.keys),
            chain: parts.chain,
            turnstile: parts.turnstile,
            catalog: catalog::prepare(urls),
            flags: flags::prepare(settings),
            style: pages.style(),
            pages,
        }
    }
}
