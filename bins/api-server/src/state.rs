//! What the handlers share.

use std::time::Instant;

use actix_web::web::Bytes;
use toolkit_http::prepared::Prepared;
use toolkit_http::settings::{PublicUrls, Settings};
use toolkit_run::Runner;
use toolkit_store::Store;

use crate::gates::Gates;
use crate::handlers::{catalog, flags, pages};
use crate::targets::Targets;

/// Everything that a handler needs, made once.
pub(crate) struct State {
    pub(crate) started: Instant,
    pub(crate) body_bytes_max: usize,
    pub(crate) gates: Gates,
    pub(crate) targets: Targets,
    pub(crate) runner: Runner,
    pub(crate) store: Store,
    pub(crate) catalog: Prepared,
    pub(crate) flags: Bytes,
    pub(crate) pages: pages::Pages,
}

impl State {
    pub(crate) fn new(settings: &Settings, urls: &PublicUrls, store: Store) -> Self {
        Self {
            started: Instant::now(),
            body_bytes_max: settings.http.body_limit_bytes,
            gates: Gates::new(settings),
            targets: Targets::new(&urls.web_base_url),
            runner: Runner::new(),
            store,
            catalog: catalog::prepare(urls),
            flags: flags::prepare(settings),
            pages: pages::Pages::new(urls),
        }
    }
}
